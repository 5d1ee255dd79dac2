/** Fetches all pages of a search of a peer into the spool; each one that is there stays there. */
import type { OnProgress } from '../../directory/import/collector.ts';
import { SourceError } from '../../directory/import/source.ts';
import { nextAddress, type PeerAddress } from './peer-address.ts';
import { type Ask, bytesOf, type PeerClient } from './peer-client.ts';
import { NoSearchPage, readSearchPage, type SearchPage } from './search-page.ts';
import type { Spool } from './spool.ts';
import type { Part } from './sync-state.ts';

export interface FetchPagesOptions {
  readonly peer: PeerAddress;
  readonly client: PeerClient;
  readonly spool: Spool;
  /** Where to begin: a part as `startPart` makes it, or one that was interrupted. */
  readonly part: Part;
  /** Makes a part last, also when the process ends. */
  readonly keep: (part: Part) => void;
  readonly bytesMax: number;
  readonly now: () => number;
  readonly say: (line: string) => void;
  readonly onProgress: OnProgress;
}

export function startPart(query: string, { baseUrl }: PeerAddress, nowMs: number): Part {
  const startedAt = new Date(nowMs).toISOString();
  const next = `${baseUrl}/Organization${query === '' ? '' : `?${query}`}`;
  return { query, startedAt, next, bytes: 0, isRefused: false };
}

/**
 * The part with all its pages. It starts again where the peer no longer knows the next page, or
 * changes while it is read. Throws a SourceError where fewer organisations come than it says.
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
    say(`${outcome.problem}: starting again`);
  }
}

/** A directory changes once a day or so: one that always does is not to be read page by page. */
const STARTS_MAX = 3;

/** A page has 20 organisations, of a few KiB; on the largest pages of all a thousand. */
const PAGE_BYTES_MAX = 32 * 1024 ** 2;

/** Pages that are worth nothing: a new start may help, or not. */
type Pass = { readonly part: Part } | { readonly problem: string; readonly isFatal: boolean };

async function fetchFrom(start: Part, options: FetchPagesOptions): Promise<Pass> {
  const { peer, spool, keep } = options;
  const { baseUrl } = peer;
  const again = (problem: string): Pass => ({ problem, isFatal: false });
  const refused = (problem: string): Pass => ({ problem, isFatal: true });
  if (!spool.cutTo(start.bytes)) return again(`What was read of ${baseUrl} has been cut off`);
  const ids = await spool.ids();
  let part = start;
  while (part.next !== null) {
    const url = nextAddress(part.next, part.next, peer);
    const page = await fetchPage(
      { url, accept: ACCEPT, taken: goneStatuses(part, start), isKept: part.bytes > 0 },
      options,
    );
    if (page === undefined) return again(`${baseUrl} no longer has the next page`);
    const known = ids.size;
    for (const { id, line } of page.organizations) {
      ids.add(id);
      spool.add(Buffer.from(line));
    }
    requireSize(spool, options);
    const total = page.total ?? part.total;
    if (part.total !== undefined && total !== part.total) {
      return again(
        `${baseUrl} changed while it was read: ${part.total} organisations became ${total}`,
      );
    }
    const next = page.next === undefined ? null : nextAddress(page.next, url, peer);
    if (next !== null && ids.size === known) {
      return refused(`${url} brings nothing new and has a next page: it goes in circles.`);
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

function requireSize({ bytes }: Spool, { peer, bytesMax }: FetchPagesOptions): void {
  if (bytes <= bytesMax) return;
  throw new SourceError(
    `${peer.baseUrl} has more than ${bytesMax} bytes. If that is right, raise import.unpackedMax.`,
  );
}

/** The statuses by which a peer says that it does not have a page any more. */
function goneStatuses(part: Part, start: Part): readonly number[] {
  if (part.bytes === 0) return [];
  // Some say that they cannot find, or do not understand, a page of yesterday's search.
  return part === start ? [400, 404, 410] : [410];
}

/** Nothing where the peer does not have that page any more. */
async function fetchPage(ask: Ask, { client }: FetchPagesOptions): Promise<SearchPage | undefined> {
  const { url } = ask;
  return await client.ask(ask, async ({ status, chunks }) => {
    if (status !== 200) return undefined;
    const body = await bytesOf(url, chunks, PAGE_BYTES_MAX);
    try {
      return readSearchPage(body);
    } catch (error) {
      if (!(error instanceof NoSearchPage)) throw error;
      throw new SourceError(`${url} answers with ${error.message}, which is no page of a search.`);
    }
  });
}

/** Old servers know the old names only. */
export const ACCEPT = 'application/fhir+json, application/json+fhir;q=0.9, application/json;q=0.8';
