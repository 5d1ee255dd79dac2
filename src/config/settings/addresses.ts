/** Checks of the addresses in settings: networks, origins and URLs. */
import { isIP } from 'node:net';

/** `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
  );
}

export function isOrigin(text: string): boolean {
  return (
    URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text
  );
}

/** Keys and secrets travel only over TLS, or within this machine. */
export function isIssuerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isPrivate =
    protocol === 'https:' ||
    (protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname));
  return isPrivate && !text.includes('#') && username === '' && password === '';
}

export function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && !/[?#]/.test(text) && username === '' && password === '';
}

/** The URL in ASCII, with encoded host name and path: headers allow nothing else. */
export function normalBaseUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/\/+$/, '');
}

/**
 * The URL of a database without its password and its parameters, which can name a password too. If
 * the password has characters that are not encoded, or no host after it, it can remove more, but
 * never less.
 */
export function withoutPassword(url: string): string {
  return url
    .replace(/^(\w+:\/\/[^:@/?]*):.*@/s, '$1@')
    .replace(/\?.*/s, '')
    .replace(/^(\w+:\/\/[^:@/,[]*):(?!\d{1,5}(?:[/,]|$)).*/s, '$1');
}

/** The part of a URL that messages can show if its path or user can be a secret. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '(not shown)';
}

/** The text without the users and passwords of the URLs in it. It can remove more than these. */
export function withoutUsers(text: string): string {
  return text.replace(/:\/\/[^\s"]*@/g, '://***@');
}

/** `/STU3`, `/legacy/STU3`: a path of plain segments, which no page or other service uses. */
export function isInterfacePath(text: string): boolean {
  const [, first = '', ...others] = text.split('/');
  return /^(?:\/[\w~-][\w.~-]*)+$/.test(text) && (others.length > 0 || !isTaken(first));
}

/** Whether pages or order responses have the path, now or with further types: `Order`. */
function isTaken(first: string): boolean {
  return TAKEN.has(first) || /^[A-Z][a-z]/.test(first);
}

/** The paths of pages, of the OpenAPI description and of the service of order responses. */
const TAKEN: ReadonlySet<string> = new Set([
  'organizations',
  'editions',
  'statistics',
  'api',
  'suggestions',
  'assets',
  'postcode',
  'postcodes',
  'resolve',
  'hierarchy',
  'match',
  'roles',
  'events',
  'results.csv',
  'results.geojson',
  'results.ndjson',
  'favicon.ico',
  'openapi.json',
  'metadata',
  '_history',
]);
