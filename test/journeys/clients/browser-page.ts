/** What a page in a browser may do across origins: https://fetch.spec.whatwg.org/#http-cors-protocol */

/** What the page's script gets: the headers that it may see, and the body. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Whether the browser had to ask first. */
  readonly wasPreflighted: boolean;
}

export interface PageRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Fetches as a browser would for a page of this origin, and refuses where a browser would. */
export async function fetchFromPage(
  origin: string,
  url: string,
  { method = 'GET', headers = {}, body }: PageRequest = {},
): Promise<PageAnswer> {
  const unsafe = Object.entries(headers).filter((header) => !isSafe(...header));
  const wasPreflighted = unsafe.length > 0 || !SAFE_METHODS.includes(method);
  if (wasPreflighted) {
    const names = unsafe.map(([name]) => name.toLowerCase()).sort();
    await preflight(origin, url, method, names);
  }
  const response = await fetch(url, {
    method,
    headers: { ...headers, Origin: origin },
    ...(body !== undefined && { body }),
  });
  checkOrigin(response, origin);
  const exposed = [...SAFE_ANSWER_HEADERS, ...listOf(response, 'Access-Control-Expose-Headers')];
  const seen = [...response.headers].filter(([name]) => exposed.includes(name));
  return {
    status: response.status,
    headers: new Map(seen),
    body: await response.text(),
    wasPreflighted,
  };
}

async function preflight(
  origin: string,
  url: string,
  method: string,
  names: readonly string[],
): Promise<void> {
  const response = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': method,
      ...(names.length > 0 && { 'Access-Control-Request-Headers': names.join(',') }),
    },
  });
  if (!response.ok) throw new TypeError(`the preflight was answered ${response.status}`);
  checkOrigin(response, origin);
  const methods = listOf(response, 'Access-Control-Allow-Methods');
  if (!SAFE_METHODS.includes(method) && !methods.includes(method.toLowerCase())) {
    throw new TypeError(`${method} is not allowed`);
  }
  const allowed = listOf(response, 'Access-Control-Allow-Headers');
  const refused = names.filter((name) => !allowed.includes(name));
  if (refused.length > 0) throw new TypeError(`${refused.join(', ')} not allowed`);
}

function checkOrigin({ headers }: Response, origin: string): void {
  const allowed = headers.get('Access-Control-Allow-Origin');
  if (allowed !== '*' && allowed !== origin) throw new TypeError(`${origin} may not read this`);
}

function listOf({ headers }: Response, name: string): string[] {
  return (headers.get(name) ?? '').toLowerCase().split(/\s*,\s*/);
}

/** https://fetch.spec.whatwg.org/#cors-safelisted-request-header, as far as it is needed here. */
function isSafe(name: string, value: string): boolean {
  if (/^(accept|accept-language|content-language)$/i.test(name)) return true;
  return /^content-type$/i.test(name) && SAFE_CONTENT_TYPES.test(value);
}

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'POST'];

const SAFE_CONTENT_TYPES =
  /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

const SAFE_ANSWER_HEADERS: readonly string[] = [
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
];
