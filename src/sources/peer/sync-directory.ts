/** A sync: copies everything from a peer, or the changes since the last sync, to a new edition. */
import { rmSync } from 'node:fs';
import type { EditionInfo } from '../../directory/edition/edition-store.ts';
import { SourceError } from '../../directory/import/source.ts';
import { changesSince } from '../changes-since.ts';
import { type FetchReport, nothingFetched } from '../fetch-options.ts';
import { Spool } from '../http/spool.ts';
import { askPeer } from './ask-peer.ts';
import { fetchDocument } from './fetch-document.ts';
import { fetchPages, startPart } from './fetch-pages.ts';
import type { PeerAddress } from './peer-address.ts';
import { editionBefore, type Published, publishSpool } from './publish-spool.ts';
import type { Sync, SyncOptions } from './sync-options.ts';
import type { Part, SyncState } from './sync-state.ts';

/** Throws a SourceError if the peer cannot be used. The current edition then stays. */
export async function syncDirectory(options: SyncOptions): Promise<FetchReport> {
  const { folder, peer, client } = options;
  const current = await options.store.current();
  const sync: Sync = { options, spool: new Spool(folder.spool), current };
  try {
    const state = folder.read(peer.baseUrl);
    const checked = { ...state, inStep: inStepWith(state, sync.current, peer) };
    if (state.way === 'document') {
      const report = await syncDocument(checked, sync);
      if (report !== undefined) return report;
    }
    const plan = await planPages(checked, sync);
    // The peer may have changed since the last sync, so ask again before fetching everything.
    const isUnknown = state.way !== 'document' && plan.part.query === '' && !plan.isResumed;
    if (isUnknown && (await askPeer(peer, client)) === 'document') {
      const report = await syncDocument({ ...checked, way: 'document' }, sync);
      if (report !== undefined) return report;
    }
    return await syncPages({ ...checked, way: 'pages' }, plan, sync);
  } finally {
    sync.spool.close();
  }
}

/** A state whose `inStep` is the current edition. */
type CheckedState = Omit<SyncState, 'inStep'> & { readonly inStep: SyncState['inStep'] };

/**
 * Undefined after an import from another source or a rollback. A newer edition from this peer
 * comes from a sync that ended before it wrote its state.
 */
function inStepWith(
  { inStep }: SyncState,
  current: EditionInfo | undefined,
  peer: PeerAddress,
): SyncState['inStep'] {
  if (inStep === undefined || current === undefined) return undefined;
  const { number, publishedAt } = current;
  if (number === inStep.number && publishedAt === inStep.publishedAt) return inStep;
  if (number < inStep.number || current.source !== peer.baseUrl) return undefined;
  const { fullAt } = inStep;
  return { number, publishedAt, fullAt };
}

/** Undefined if the peer has no such document. */
async function syncDocument(state: CheckedState, sync: Sync): Promise<FetchReport | undefined> {
  const { options, spool, current } = sync;
  const { peer, folder, now, isFull } = options;
  const { part: _, ...rest } = state;
  const fullAt = new Date(now()).toISOString();
  folder.write(rest);
  options.say(`Asking ${peer.baseUrl} for its edition …`);
  const etag = isFull ? undefined : state.inStep?.etag;
  const fetched = await fetchDocument({ ...options, spool, etag });
  if (fetched === 'absent') return undefined;
  if (fetched === 'unchanged') {
    if (current === undefined)
      throw new SourceError(`${peer.editionUrl} answered 304 to a request without conditions.`);
    finish(sync, rest);
    return nothingFetched(current);
  }
  const { form, etag: newEtag } = fetched;
  const published = await publishSpool(sync, form === 'release' ? 'release' : 'everything');
  const { number, publishedAt } = published.report.edition;
  finish(sync, { ...rest, inStep: { number, publishedAt, fullAt, etag: newEtag } });
  return { ...published, fetched: 'everything' };
}

/** Where to begin. */
interface Plan {
  readonly part: Part;
  readonly isResumed: boolean;
}

async function planPages(state: CheckedState, sync: Sync): Promise<Plan> {
  const { options } = sync;
  const wanted = await wantedQuery(state, sync);
  return canGoOn(state.part, wanted, options)
    ? { part: state.part, isResumed: true }
    : { part: startPart(wanted, options.peer, options.now()), isResumed: false };
}

async function syncPages(state: CheckedState, plan: Plan, sync: Sync): Promise<FetchReport> {
  const { options, spool, current } = sync;
  const { folder, peer } = options;
  const areChanges = plan.part.query !== '';
  const keep = (part: Part) => folder.write({ ...state, part });
  keep(plan.part);
  options.say(describe(plan, peer));
  const part = await fetchPages({ ...options, spool, part: plan.part, keep });
  let published: Published;
  try {
    published =
      areChanges && part.bytes === 0 && current !== undefined
        ? nothingFetched(current)
        : await publishSpool(sync, areChanges ? 'changes' : 'everything');
  } catch (error) {
    if (error instanceof SourceError) keep({ ...part, isRefused: true });
    throw error;
  }
  const { number, publishedAt } = published.report.edition;
  const fullAt = areChanges ? (state.inStep?.fullAt ?? part.startedAt) : part.startedAt;
  const { part: _, ...rest } = state;
  finish(sync, { ...rest, inStep: { number, publishedAt, fullAt } });
  return { ...published, fetched: areChanges ? 'changes' : 'everything' };
}

/** The query for changes; empty if everything must be fetched. */
async function wantedQuery({ inStep }: CheckedState, sync: Sync): Promise<string> {
  const { isFull, fullDays, overlapDays, now } = sync.options;
  if (isFull || inStep === undefined) return '';
  if (now() - Date.parse(inStep.fullAt) >= fullDays * DAY_MS) return '';
  const before = await editionBefore(sync.current, sync.options);
  if (before === undefined) return '';
  return `_lastUpdated=gt${changesSince(before.rows, now(), overlapDays)}`;
}

const DAY_MS = 86_400_000;

/**
 * Whether the sync can continue a part of an earlier one. A part with everything can replace a part
 * with changes. A part that was refused can continue only with `allowShrink`.
 */
function canGoOn(
  part: Part | undefined,
  wanted: string,
  { now, allowShrink }: SyncOptions,
): part is Part {
  if (part === undefined || part.bytes === 0) return false;
  if (now() - Date.parse(part.startedAt) > PART_MS_MAX) return false;
  if (part.isRefused && !allowShrink) return false;
  return part.query === '' || part.query === wanted;
}

/** Changes at the peer during a sync must be younger than the overlap of the next one. */
const PART_MS_MAX = DAY_MS;

function describe({ part: { query, next }, isResumed }: Plan, { baseUrl }: PeerAddress): string {
  const what = query === '' ? 'everything' : `the changes (${query})`;
  if (next === null)
    return `Continuing with ${what} of ${baseUrl}, which an earlier sync fetched …`;
  return isResumed
    ? `Continuing with ${what} of ${baseUrl} where the last sync stopped …`
    : `Fetching ${what} of ${baseUrl} …`;
}

function finish({ options, spool }: Sync, state: SyncState): void {
  options.folder.write(state);
  rmSync(spool.path, { force: true });
}
