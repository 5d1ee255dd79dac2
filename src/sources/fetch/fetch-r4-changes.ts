/** Fetches the changes since the current edition from a national R4 service, page by page, and imports them. */
import * as z from 'zod';
import { SourceError } from '../../directory/record/source.ts';
import { bytesOf, problemOf } from '../http/answer-body.ts';
import type { Ask, HttpClient } from '../http/http-options.ts';
import { requireBytes, type Spool } from '../http/spool.ts';
import type { FetchOptions } from '../import/import-options.ts';
import { DELETION_LISTS } from '../r4/resources.ts';
import { canContinue, fetchChanges } from './changes.ts';
import type { ChangesOptions, FetchReport } from './fetch-options.ts';

export function fetchR4Changes(options: ChangesOptions): Promise<FetchReport> {
  const { baseUrl, now, say } = options;
  return fetchChanges(options, stateSchema, async ({ since, spool, state }) => {
    const query =
      `lastChangeDate=gt${since}&_revinclude=OrganizationAffiliation:primary-organization` +
      `&_count=${PAGE_SIZE}`;
    const keep = (part: Part) => state.write({ part });
    const known = state.read()?.part;
    const isContinued = known?.query === query && canContinue(known.startedAt, now());
    const part = isContinued ? known : startPart(query, baseUrl, now());
    keep(part);
    say(`Fetching the changes since ${since} from ${baseUrl} …`);
    await fetchPages({ ...options, spool, part, keep });
    await fetchDeletions(spool, options);
    return {};
  });
}

/** The pages that were fetched and are not yet in an edition. */
const partSchema = z.object({
  query: z.string(),
  /** The time of the request for the first page: an ISO 8601 instant. */
  startedAt: z.iso.datetime(),
  /** The address of the next page to fetch; null if all pages are in the spool. */
  next: z.string().nullable(),
  total: z.int().min(0).optional(),
  /** The length of the complete pages in the spool. */
  bytes: z.int().min(0),
});

export type Part = Readonly<z.infer<typeof partSchema>>;

const stateSchema = z.object({ part: partSchema.optional() });

const PAGE_SIZE = 100;

/** A service may lack some of the lists. */
async function fetchDeletions(spool: Spool, { client, baseUrl }: ChangesOptions): Promise<void> {
  for (const id of Object.keys(DELETION_LISTS)) {
    const url = `${baseUrl}/List/${id}`;
    await client.ask({ url, accept: ACCEPT, taken: [404, 410] }, async ({ status, chunks }) => {
      if (status !== 200) return;
      const body = await bytesOf(url, chunks, LIST_BYTES_MAX);
      spool.add(Buffer.from(`${lineOf(body, url)}\n`));
    });
  }
}

const LIST_BYTES_MAX = 32 * 1024 ** 2;

function lineOf(body: Buffer, url: string): string {
  try {
    const resource = JSON.parse(body.toString('utf8'));
    if (resource?.resourceType === 'List') return JSON.stringify(resource);
  } catch {
    // The body is not JSON.
  }
  throw new SourceError(`${url} did not answer with a List. Check r4.url.`);
}

export interface FetchPagesOptions
  extends Pick<FetchOptions, 'bytesMax' | 'now' | 'say' | 'onProgress'> {
  /** The FHIR base, without a slash at the end. */
  readonly baseUrl: string;
  readonly client: HttpClient;
  readonly spool: Spool;
  /** The part to begin with: a new one from `startPart`, or one that was interrupted. */
  readonly part: Part;
  /** Saves a part, so that a later process can continue it. */
  readonly keep: (part: Part) => void;
}

export function startPart(query: string, baseUrl: string, nowMs: number): Part {
  const startedAt = new Date(nowMs).toISOString();
  return { query, startedAt, next: `${baseUrl}/Organization?${query}`, bytes: 0 };
}

/**
 * Starts again if the service no longer has the next page, or changes during the fetch. Throws a
 * SourceError if the service sends fewer organisations than its total.
 */
export async function fetchPages(options: FetchPagesOptions): Promise<void> {
  const { baseUrl, say, now, keep } = options;
  let { part } = options;
  for (let starts = 1; ; starts++) {
    const problem = await fetchFrom(part, options);
    if (problem === undefined) return;
    part = startPart(part.query, baseUrl, now());
    keep(part);
    if (starts === STARTS_MAX) {
      throw new SourceError(`${problem}, ${starts} times in a row. Fetch again later.`);
    }
    say(`${problem}. Starting again.`);
  }
}

/** Directories change about once a day. One that changes all the time cannot be read page by page. */
const STARTS_MAX = 3;

/** A page has a hundred organisations of a few KiB each. */
const PAGE_BYTES_MAX = 32 * 1024 ** 2;

/** Returns why the pages must be fetched again; undefined if all are in the spool. */
async function fetchFrom(start: Part, options: FetchPagesOptions): Promise<string | undefined> {
  const { baseUrl, spool, keep } = options;
  if (!spool.cutTo(start.bytes)) return `The fetched data of ${baseUrl} was cut off`;
  const ids = await idsIn(spool);
  let part = start;
  const refuse = (problem: string): never => {
    keep(startPart(part.query, baseUrl, options.now()));
    throw new SourceError(problem);
  };
  while (part.next !== null) {
    const url = nextAddress(part.next, part.next, baseUrl);
    const page = await fetchPage(
      { url, accept: ACCEPT, taken: goneStatuses(part, start), isKept: part.bytes > 0 },
      options,
    );
    if (page === undefined) return `${baseUrl} no longer has the next page`;
    const known = ids.size;
    for (const id of page.ids) ids.add(id);
    for (const line of page.lines) spool.add(Buffer.from(line));
    requireBytes(spool.bytes, options.bytesMax, baseUrl);
    const total = page.total ?? part.total;
    if (part.total !== undefined && total !== part.total) {
      return `${baseUrl} changed while it was read: ${part.total} organisations became ${total}`;
    }
    const next = page.next === undefined ? null : nextAddress(page.next, url, baseUrl);
    if (next !== null && ids.size === known) {
      return refuse(
        `The pages of ${baseUrl} repeat: ${url} has a next page, but no new organisation. ` +
          'Report this to the operator of the directory.',
      );
    }
    if (next === null && total !== undefined && ids.size < total) {
      return refuse(
        `${baseUrl} says that there are ${total} organisations, and its pages have ${ids.size}: ` +
          'nothing is published. Fetch again later.',
      );
    }
    spool.sync();
    part = { ...part, next, bytes: spool.bytes, ...(total !== undefined && { total }) };
    keep(part);
    options.onProgress({
      records: ids.size,
      bytes: spool.bytes,
      bytesTotal: total && Math.round((spool.bytes / (ids.size || 1)) * total),
    });
  }
  return undefined;
}

/** The ids of the organisations in the spool. */
async function idsIn(spool: Spool): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const line of spool.lines()) {
    const { resourceType, id } = JSON.parse(line);
    if (resourceType === 'Organization') ids.add(String(id));
  }
  return ids;
}

/** The statuses that mean that the service no longer has a page. */
function goneStatuses(part: Part, start: Part): readonly number[] {
  if (part.bytes === 0) return [];
  // Some servers answer so for a page of an old search.
  return part === start ? [400, 404, 410] : [410];
}

interface SearchPage {
  /** The ids of the Organizations that match. */
  readonly ids: readonly string[];
  /** Each wanted resource of the page as one line of JSON. */
  readonly lines: readonly string[];
  /** The total of the search, which a service need not send. */
  readonly total: number | undefined;
  /** Unchanged, as in the page. */
  readonly next: string | undefined;
}

/** Undefined if the service no longer has that page. */
async function fetchPage(ask: Ask, { client }: FetchPagesOptions): Promise<SearchPage | undefined> {
  const { url } = ask;
  return await client.ask(ask, async ({ status, chunks }) => {
    if (status !== 200) return undefined;
    const body = await bytesOf(url, chunks, PAGE_BYTES_MAX);
    try {
      return readPage(body);
    } catch (error) {
      const problem =
        error instanceof z.ZodError
          ? problemOf(error, 'a Bundle')
          : 'the body is not JSON in UTF-8';
      throw new SourceError(`${url} did not answer with a page of a search: ${problem}.`);
    }
  });
}

/** Throws an error if the body is not a page of a search. */
function readPage(body: Buffer): SearchPage {
  const { entry, link, total } = pageSchema.parse(JSON.parse(utf8.decode(body)));
  // Remarks of the service about the search are not wanted.
  const resources = entry.flatMap((one) => ('resource' in one ? [one.resource] : []));
  return {
    ids: resources.flatMap(({ resourceType, id }) => (resourceType === 'Organization' ? id : [])),
    lines: resources.map((resource) => `${JSON.stringify(resource)}\n`),
    total,
    next: link.find(({ relation }) => relation === 'next')?.url,
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

const pageSchema = z.object({
  resourceType: z.literal('Bundle'),
  type: z.literal('searchset').optional(),
  total: z.int().min(0).optional(),
  link: z.array(z.object({ relation: z.string(), url: z.string().min(1) })).default([]),
  entry: z
    .array(
      z.union([
        z.object({ search: z.object({ mode: z.literal('outcome') }) }),
        z.object({
          search: z.object({ mode: z.string() }).optional(),
          resource: z.looseObject({
            resourceType: z.enum(['Organization', 'OrganizationAffiliation']),
            id: z.string().min(1),
          }),
        }),
      ]),
    )
    .default([]),
});

/**
 * The address of a `next` link, which may be relative, or not percent-encoded.
 * Throws a SourceError if it is not below the base: another origin, or another path.
 */
export function nextAddress(link: string, from: string, baseUrl: string): string {
  const next = URL.parse(link, from);
  const base = new URL(baseUrl);
  const isBelow =
    next !== null &&
    next.origin === base.origin &&
    `${next.pathname}/`.startsWith(`${base.pathname.replace(/\/$/, '')}/`);
  if (!isBelow || next.username !== '' || next.password !== '') {
    throw new SourceError(
      `${baseUrl} has a next page at ${next?.href ?? JSON.stringify(link)}, which is not below this address. ` +
        'Give the address that the directory has in its links.',
    );
  }
  next.hash = '';
  return next.href;
}

export const ACCEPT = 'application/fhir+json, application/json;q=0.8';
