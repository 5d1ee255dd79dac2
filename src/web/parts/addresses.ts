/** Addresses of pages: all of them below the path of the public address. */

import type { ServedFace } from '../../interfaces/faces/rendered-edition.ts';
import { REPORT_PATHS } from '../../interfaces/reports/service.ts';

/** The addresses of the pages, and of the face that they link to. */
export interface Addresses {
  /** The path of the public address, without a slash at the end; empty for the root. */
  readonly base: string;
  readonly home: string;
  /** The scheme and the host of the public address. */
  readonly server: string;
  readonly accessibility: string;
  /** The list of documents. */
  readonly documents: string;
  readonly editions: string;
  /** What changed between two days. */
  readonly changes: string;
  readonly statistics: string;
  /** The page that checks a list, and what it downloads. */
  readonly checkList: string;
  readonly checkedList: string;
  /** The page of reports. */
  readonly reports: string;
  /** A report as CSV, or several as a zip. The empty query is the address without one. */
  report(query: string): string;
  /** A report as it was published until 2025. */
  reportFile(name: string): string;
  /** The download of all results of a look-up: `csv`, `geojson` or `ndjson`. */
  results(format: string): string;
  /** The page of a postcode, `?postcode=`; and what it shows as JSON. */
  readonly postcodePage: string;
  postcode(postcode: string): string;
  /** The page of a practitioner, and of those who work for an organisation. */
  practitioner(code: string): string;
  practitionersOf(organisation: string): string;
  readonly api: string;
  readonly openApi: string;
  organization(code: string): string;
  /** The organisation as a file: `json`, `xml` or `csv`. */
  organizationFile(code: string, ending: string): string;
  /** What happened to an organisation, as JSON. */
  events(code: string): string;
  edition(number: number): string;
  /** The base of the FHIR service, absolute. */
  readonly fhir: string;
  /** The download of the current edition, if the face has one. */
  readonly download: string | undefined;
  /** Order responses, absolute; only for servers that have them. */
  readonly orders: string;
  readonly ordersMetadata: string;
  /** The page that tries order responses, and the address that gives it a token. */
  readonly tryOrders: string;
  readonly newToken: string;
}

export function createAddresses({ serverUrl, baseUrl: fhir, face }: ServedFace): Addresses {
  const { pathname, origin } = new URL(serverUrl);
  const base = pathname === '/' ? '' : pathname;
  return {
    base,
    home: `${base}/`,
    server: origin,
    accessibility: `${base}/accessibility`,
    documents: `${base}/docs`,
    editions: `${base}/editions`,
    changes: `${base}/changes`,
    statistics: `${base}/statistics`,
    checkList: `${base}/check-a-list`,
    checkedList: `${base}/check-a-list.csv`,
    reports: `${base}/reports`,
    report: (query) => `${base}${REPORT_PATHS.getReport}${query === '' ? '' : `?${query}`}`,
    reportFile: (name) => `${base}${REPORT_PATHS.files}/${name}.zip`,
    results: (format) => `${base}/results.${format}`,
    postcodePage: `${base}/postcode`,
    postcode: (postcode) => `${base}/postcodes/${encodeURIComponent(postcode)}`,
    practitioner: (code) => `${base}/practitioners/${encodeURIComponent(code)}`,
    practitionersOf: (organisation) =>
      `${base}/organizations/${encodeURIComponent(organisation)}/practitioners`,
    api: `${base}/api`,
    openApi: `${base}/openapi.json`,
    organization: (code) => `${base}/organizations/${encodeURIComponent(code)}`,
    organizationFile: (code, ending) =>
      `${base}/organizations/${encodeURIComponent(code)}.${ending}`,
    events: (code) => `${base}/organizations/${encodeURIComponent(code)}/events.json`,
    edition: (number) => `${base}/editions/${number}`,
    fhir,
    download: face.downloadPath && base + face.downloadPath,
    orders: `${serverUrl}/OrderResponse`,
    ordersMetadata: `${serverUrl}/metadata`,
    tryOrders: `${base}/try-order-response`,
    newToken: `${base}/try-order-response/token`,
  };
}

/** The pages that an error suggests for a similar path. */
export const PAGE_PATH_STARTS = [
  '/organizations',
  '/changes',
  '/check-a-list',
  '/editions',
  '/statistics',
  '/reports',
  '/api',
  '/docs',
];
