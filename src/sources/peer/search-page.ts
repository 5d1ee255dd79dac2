/** One page of a search of a peer: a searchset Bundle, in FHIR's JSON or the retired service's. */

export interface SearchPage {
  /** Each Organization of the page as one line of JSON, with its id. */
  readonly organizations: readonly { readonly id: string; readonly line: string }[];
  /** How many there are in all; a peer need not tell. */
  readonly total: number | undefined;
  /** As it stands in the page. */
  readonly next: string | undefined;
}

/** What a body is that is no such page, in words that follow "with". */
export class NoSearchPage extends Error {
  override readonly name = 'NoSearchPage';
}

/** Throws a `NoSearchPage`. */
export function readSearchPage(body: Uint8Array): SearchPage {
  const bundle = parse(body);
  if (!isObject(bundle) || bundle.resourceType !== 'Bundle') {
    throw new NoSearchPage('another thing than a Bundle');
  }
  if (bundle.type !== undefined && bundle.type !== 'searchset') {
    throw new NoSearchPage('a Bundle of another type than searchset');
  }
  return {
    organizations: listOf(bundle.entry).flatMap(organizationOf),
    total: totalOf(bundle.total),
    next: nextOf(bundle.link),
  };
}

type JsonObject = { readonly [name: string]: unknown };

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw new NoSearchPage('another thing than JSON in UTF-8');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Where FHIR has an array the retired service had a single object in some places. */
function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Nothing for what comes along with matches: a peer's remarks about the search. */
function organizationOf(entry: unknown): SearchPage['organizations'] {
  if (!isObject(entry)) throw new NoSearchPage('a Bundle with an entry that is no object');
  const { resource, search } = entry;
  if (isObject(search) && search.mode !== undefined && search.mode !== 'match') return [];
  if (!isObject(resource) || resource.resourceType !== 'Organization') {
    throw new NoSearchPage('a Bundle with an entry that is no Organization');
  }
  const { id } = resource;
  if (typeof id !== 'string' || id === '') {
    throw new NoSearchPage('a Bundle with an Organization that has no id');
  }
  return [{ id, line: lineOf(resource) }];
}

function lineOf(resource: JsonObject): string {
  try {
    return `${JSON.stringify(resource)}\n`;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new NoSearchPage('a Bundle that is nested too deeply');
  }
}

/** A number, or one in a string as the retired service had it. */
function totalOf(total: unknown): number | undefined {
  if (total === undefined || total === null) return undefined;
  const number = typeof total === 'string' && /^\d{1,15}$/.test(total) ? Number(total) : total;
  if (Number.isSafeInteger(number) && Number(number) >= 0) return Number(number);
  throw new NoSearchPage('a Bundle whose total is no number');
}

function nextOf(links: unknown): string | undefined {
  const next = listOf(links).find((link) => isObject(link) && link.relation === 'next');
  if (!isObject(next)) return undefined;
  if (typeof next.url === 'string' && next.url !== '') return next.url;
  throw new NoSearchPage('a Bundle whose next link has no address');
}
