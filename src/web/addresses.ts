/** Addresses of pages: all of them below the path of the public address. */

export interface Addresses {
  /** The path of the public address, without a slash at the end; empty for the root. */
  readonly base: string;
  readonly home: string;
  readonly editions: string;
  readonly statistics: string;
  readonly api: string;
  readonly openApi: string;
  organization(code: string): string;
  edition(number: number): string;
  /** Of the API, absolute, as a program would call it. */
  record(code: string): string;
  readonly fhir: string;
  /** Of order responses, absolute, where they are served. */
  readonly orders: string;
  readonly ordersMetadata: string;
}

/** `serverUrl` is the public address of the server, without a slash at the end. */
export function createAddresses(serverUrl: string): Addresses {
  const { pathname } = new URL(serverUrl);
  const base = pathname === '/' ? '' : pathname;
  const fhir = `${serverUrl}/STU3`;
  return {
    base,
    home: `${base}/`,
    editions: `${base}/editions`,
    statistics: `${base}/statistics`,
    api: `${base}/api`,
    openApi: `${base}/openapi.json`,
    organization: (code) => `${base}/organizations/${encodeURIComponent(code)}`,
    edition: (number) => `${base}/editions/${number}`,
    record: (code) => `${fhir}/Organization/${encodeURIComponent(code)}`,
    fhir,
    orders: `${serverUrl}/OrderResponse`,
    ordersMetadata: `${serverUrl}/metadata`,
  };
}

/** Whether there is, or may be, a page or an asset at the path. */
export function isPagePath({ base }: Addresses, path: string): boolean {
  if (!path.startsWith(`${base}/`) && path !== base) return false;
  return PAGE_PATHS.test(path.slice(base.length));
}

/** The segments of these paths, except codes, numbers and file names. */
export const PAGE_WORDS =
  'organizations editions changes.csv statistics api suggestions assets'.split(' ');

const PAGE_PATHS =
  /^\/?$|^\/(?:organizations\/[^/]+|editions(?:\/\d+(?:\/changes\.csv)?)?|statistics(?:\/[^/]+)?|api|suggestions|assets\/[^/]+|favicon\.ico)\/?$/;
