/** Addresses of pages: all of them below the path of the public address. */

import type { ServedFace } from '../../interfaces/faces/rendered-edition.ts';
import { REPORT_PATHS } from '../../interfaces/reports/service.ts';

export type Addresses = ReturnType<typeof createAddresses>;

/** The addresses of the pages, and of the face that they link to. */
export function createAddresses({ serverUrl, baseUrl: fhir, face }: ServedFace) {
  const { pathname, origin } = new URL(serverUrl);
  const base = pathname === '/' ? '' : pathname;
  return {
    /** The path of the public address, without a slash at the end; empty for the root. */
    base,
    home: `${base}/`,
    /** The scheme and the host of the public address. */
    server: origin,
    accessibility: `${base}/accessibility`,
    editions: `${base}/editions`,
    /** What changed between two days. */
    changes: `${base}/changes`,
    statistics: `${base}/statistics`,
    /** The page of reports. */
    reports: `${base}/reports`,
    /** A report as CSV, or several as a zip. The empty query is the address without one. */
    report: (query: string) => `${base}${REPORT_PATHS.getReport}${query === '' ? '' : `?${query}`}`,
    /** A report as it was published until 2025. */
    reportFile: (name: string) => `${base}${REPORT_PATHS.files}/${name}.zip`,
    /** The download of all results of a look-up: `csv`, `geojson` or `ndjson`. */
    results: (format: string) => `${base}/results.${format}`,
    /** The page of a postcode, `?postcode=`; and what it shows as JSON. */
    postcodePage: `${base}/postcode`,
    postcode: (postcode: string) => `${base}/postcodes/${encodeURIComponent(postcode)}`,
    api: `${base}/api`,
    openApi: `${base}/openapi.json`,
    organization: (code: string) => `${base}/organizations/${encodeURIComponent(code)}`,
    /** What happened to an organisation, as JSON. */
    events: (code: string) => `${base}/organizations/${encodeURIComponent(code)}/events.json`,
    edition: (number: number) => `${base}/editions/${number}`,
    /** The FHIR resource of an organisation, absolute. */
    record: (code: string) => `${fhir}/Organization/${encodeURIComponent(code)}`,
    /** The base of the FHIR service, absolute. */
    fhir,
    /** The download of the current edition, if the face has one. */
    download: face.downloadPath && base + face.downloadPath,
    /** Order responses, absolute; only for servers that have them. */
    orders: `${serverUrl}/OrderResponse`,
    ordersMetadata: `${serverUrl}/metadata`,
    /** The page that tries order responses, and the address that gives it a token. */
    tryOrders: `${base}/try-order-response`,
    newToken: `${base}/try-order-response/token`,
  };
}

/** The pages that an error suggests for a similar path. */
export const PAGE_PATH_STARTS = [
  '/organizations',
  '/changes',
  '/editions',
  '/statistics',
  '/reports',
  '/api',
];
