/** Fetches all pages of a search of a peer into the spool. Pages in the spool are not fetched again. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { OnProgress } from '../../directory/import/collector.ts';
import { SourceError } from '../../directory/import/source.ts';
import { bytesOf } from '../http/answer-body.ts';
import type { Ask, HttpClient } from '../http/http-options.ts';
import type { Spool } from '../http/spool.ts';
import { nextAddress, type PeerAddress } from './peer-address.ts';
import { NoSearchPage, readSearchPage, type SearchPage } from './search-page.ts';
import type { Part } from './sync-state.ts';

export interface FetchPagesOptions {
  readonly peer: Pick<PeerAddress, 'baseUrl'>;
  /** The type of included resources that the spool gets too. */
  readonly included?: string;
  readonly client: HttpClient;
  readonly spool: Spool;
  /** The part to begin with: a new one from `startPart`, or one that was interrupted. */
  readonly part: Part;
  /** Saves a part, so that a later process can continue it. */
  readonly keep: (part: Part) => void;
  readonly bytesMax: number;
  readonly now: () => number;
  readonly say: (line: string) => void;
  readonly onProgress: OnProgress;
}

export function startPart(
  query: string,
  { baseUrl }: Pick<PeerAddress, 'baseUrl'>,
  nowMs: number,
): Part {
  const startedAt = new Date(nowMs).toISOString();
  const next = `${baseUrl}/Organization${query === '' ? '' : `?${query}`}`;
  return { query, startedAt, next, bytes: 0, isRefused: false };
}

/**
 * Returns the part with all its pages. Starts again if the peer no longer has the next page, or
 * changes during the sync. Throws a SourceError if the peer sends fewer organisations than its total.
 */
export async function fetchPages(options: FetchPagesOptions): Promise<Part> {
  const { peer, say, now, keep } = options;
  let { part } = options;
  for (let starts = 1; ; starts++) {
    const outcome = await fetchFrom(part, options);
    if ('part' in outcome) return outcome.part;
    part = startPart(part.query, peer, now());
    keep(part);
    if (outcome.isFatal) throw new SourceError(outcome.problem);
    if (starts === STARTS_MAX) {
      throw new SourceError(`${outcome.problem}, ${starts} times in a row. Sync again later.`);
    }
    say(`${outcome.problem}. Starting again.`);
  }
}

/** Directories change about once a day. One that changes all the time cannot be read page by page. */
const STARTS_MAX = 3;

/** A page has 20 organisations of a few KiB each; the largest pages have a thousand. */
const PAGE_BYTES_MAX = 32 * 1024 ** 2;

/** The pages cannot be used. `isFatal`: a new start does not help. */
type Pass = { readonly part: Part } | { readonly problem: string; readonly isFatal: boolean };

async function fetchFrom(start: Part, options: FetchPagesOptions): Promise<Pass> {
  const { peer, spool, keep } = options;
  const { baseUrl } = peer;
  const again = (problem: string): Pass => ({ problem, isFatal: false });
  const refused = (problem: string): Pass => ({ problem, isFatal: true });
  if (!spool.cutTo(start.bytes)) return again(`The fetched data of ${baseUrl} was cut off`);
  const ids = await idsIn(spool);
  let part = start;
  while (part.next !== null) {
    const url = nextAddress(part.next, part.next, peer);
    const page = await fetchPage(
      { url, accept: ACCEPT, taken: goneStatuses(part, start), isKept: part.bytes > 0 },
      options,
    );
    if (page === undefined) return again(`${baseUrl} no longer has the next page`);
    const known = ids.size;
    for (const id of page.ids) ids.add(id);
    for (const line of page.lines) spool.add(Buffer.from(line));
    requireSize(spool, options);
    const total = page.total ?? part.total;
    if (part.total !== undefined && total !== part.total) {
      return again(
        `${baseUrl} changed while it was read: ${part.total} organisations became ${total}`,
      );
    }
    const next = page.next === undefined ? null : nextAddress(page.next, url, peer);
    if (next !== null && ids.size === known) {
      return refused(
        `The pages of ${baseUrl} repeat: ${url} has a next page, but no new organisation. ` +
          'Report this to the operator of the directory.',
      );
    }
    if (next === null && total !== undefined && ids.size < total) {
      return refused(
        `${baseUrl} says that there are ${total} organisations, and its pages have ${ids.size}: ` +
          'nothing is published. Sync again later.',
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
  return { part };
}

/** The ids of the organisations in the spool. */
async function idsIn({ path, bytes }: Spool): Promise<Set<string>> {
  const ids = new Set<string>();
  if (bytes === 0) return ids;
  const lines = createInterface({
    input: createReadStream(path, { end: bytes - 1 }),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) {
    const { resourceType, id } = JSON.parse(line);
    if (resourceType === 'Organization') ids.add(String(id));
  }
  return ids;
}

function requireSize({ bytes }: Spool, { peer, bytesMax }: FetchPagesOptions): void {
  if (bytes <= bytesMax) return;
  throw new SourceError(
    `${peer.baseUrl} has more than ${bytesMax} bytes. If this is correct, raise import.unpackedMax.`,
  );
}

/** The statuses that mean that the peer no longer has a page. */
function goneStatuses(part: Part, start: Part): readonly number[] {
  if (part.bytes === 0) return [];
  // Some servers answer so for a page of an old search.
  return part === start ? [400, 404, 410] : [410];
}

/** Undefined if the peer no longer has that page. */
async function fetchPage(
  ask: Ask,
  { client, included }: FetchPagesOptions,
): Promise<SearchPage | undefined> {
  const { url } = ask;
  return await client.ask(ask, async ({ status, chunks }) => {
    if (status !== 200) return undefined;
    const body = await bytesOf(url, chunks, PAGE_BYTES_MAX);
    try {
      return readSearchPage(body, included);
    } catch (error) {
      if (!(error instanceof NoSearchPage)) throw error;
      throw new SourceError(`${url} did not answer with a page of a search: ${error.message}.`);
    }
  });
}

/** Old servers know only the old names. */
export const ACCEPT = 'application/fhir+json, application/json+fhir;q=0.9, application/json;q=0.8';
