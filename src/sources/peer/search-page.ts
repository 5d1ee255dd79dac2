/** One page of a search for Organizations: a searchset Bundle, in FHIR's JSON or the retired service's. */

export interface SearchPage {
  /** The ids of the Organizations that match. */
  readonly ids: readonly string[];
  /** Each wanted resource of the page as one line of JSON. */
  readonly lines: readonly string[];
  /** The total of the search, which a peer need not send. */
  readonly total: number | undefined;
  /** Unchanged, as in the page. */
  readonly next: string | undefined;
}

/** A body is not a page of a search. The message is a clause that says why. */
export class NoSearchPage extends Error {
  override readonly name = 'NoSearchPage';
}

/** `included` is the type of the included resources that are wanted. Throws a `NoSearchPage`. */
export function readSearchPage(body: Uint8Array, included?: string): SearchPage {
  const bundle = parse(body);
  if (!isObject(bundle) || bundle.resourceType !== 'Bundle') {
    throw new NoSearchPage('the body is not a Bundle');
  }
  if (bundle.type !== undefined && bundle.type !== 'searchset') {
    throw new NoSearchPage('the Bundle is not a searchset');
  }
  const entries = listOf(bundle.entry).flatMap((entry) => resourceOf(entry, included));
  return {
    ids: entries.flatMap(({ id }) => id ?? []),
    lines: entries.map(({ line }) => line),
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
    throw new NoSearchPage('the body is not JSON in UTF-8');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The retired service sent a single object in some places where FHIR has an array. */
function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Empty for an entry that is not wanted, such as a remark of the peer about the search. */
function resourceOf(
  entry: unknown,
  included: string | undefined,
): readonly { readonly id?: string; readonly line: string }[] {
  if (!isObject(entry)) throw new NoSearchPage('an entry of the Bundle is not an object');
  const { resource, search } = entry;
  const isIncluded =
    isObject(resource) && included !== undefined && resource.resourceType === included;
  if (isIncluded) return [{ line: lineOf(resource) }];
  if (isObject(search) && search.mode !== undefined && search.mode !== 'match') return [];
  if (!isObject(resource) || resource.resourceType !== 'Organization') {
    throw new NoSearchPage('an entry of the Bundle is not an Organization');
  }
  const { id } = resource;
  if (typeof id !== 'string' || id === '') {
    throw new NoSearchPage('an Organization in the Bundle has no id');
  }
  return [{ id, line: lineOf(resource) }];
}

function lineOf(resource: JsonObject): string {
  try {
    return `${JSON.stringify(resource)}\n`;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new NoSearchPage('the Bundle is nested too deeply');
  }
}

/** Reads a number, or a string with a number, as the retired service sent it. */
function totalOf(total: unknown): number | undefined {
  if (total === undefined || total === null) return undefined;
  const number = typeof total === 'string' && /^\d{1,15}$/.test(total) ? Number(total) : total;
  if (Number.isSafeInteger(number) && Number(number) >= 0) return Number(number);
  throw new NoSearchPage('the total of the Bundle is not a number');
}

function nextOf(links: unknown): string | undefined {
  const next = listOf(links).find((link) => isObject(link) && link.relation === 'next');
  if (!isObject(next)) return undefined;
  if (typeof next.url === 'string' && next.url !== '') return next.url;
  throw new NoSearchPage('the next link of the Bundle has no address');
}
