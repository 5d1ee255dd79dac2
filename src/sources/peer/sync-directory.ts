/** A sync: what a peer has becomes a new edition, or what has changed there since the last time. */
import { rmSync } from 'node:fs';
import { openEdition } from '../../directory/edition.ts';
import type { EditionInfo, EditionStore } from '../../directory/edition-store.ts';
import type { OnProgress } from '../../directory/import/collector.ts';
import {
  type ImportReport,
  importEdition,
  SHRINK_MAX,
} from '../../directory/import/import-edition.ts';
import { SourceError } from '../../directory/import/source.ts';
import { lastUpdatedMs } from '../../directory/record.ts';
import type { Rows } from '../../directory/rows.ts';
import type { DirectorySettings } from '../../directory/settings.ts';
import { understoodUris } from '../fhir/understood-uris.ts';
import { askPeer } from './ask-peer.ts';
import { fetchDocument } from './fetch-document.ts';
import { fetchPages, startPart } from './fetch-pages.ts';
import type { PeerAddress } from './peer-address.ts';
import type { PeerClient } from './peer-client.ts';
import { type EditionBefore, readPeer } from './read-peer.ts';
import { Spool } from './spool.ts';
import type { Part, SyncFolder, SyncState } from './sync-state.ts';

export interface SyncOptions {
  readonly store: EditionStore;
  readonly folder: SyncFolder;
  readonly peer: PeerAddress;
  readonly client: PeerClient;
  /** By how many days changes are asked for again. */
  readonly overlapDays: number;
  /** After how many days everything is fetched again. */
  readonly fullDays: number;
  /** Everything is wanted now. */
  readonly isFull: boolean;
  readonly allowShrink: boolean;
  readonly keep: number;
  /** How much a peer may have. */
  readonly bytesMax: number;
  /** FHIR is understood by the URIs of each of these. */
  readonly settings: readonly DirectorySettings[];
  /** The clock, in milliseconds. */
  readonly now: () => number;
  readonly say: (line: string) => void;
  readonly onProgress: OnProgress;
  readonly onBuild: () => void;
  readonly stopped: AbortSignal;
}

export interface SyncReport {
  /** Of the records that were fetched; the edition is the current one, be it new or not. */
  readonly report: ImportReport;
  readonly isPublished: boolean;
  /** What was asked for; nothing where the peer said that it has not changed. */
  readonly fetched: 'everything' | 'changes' | 'nothing';
}

/** Throws a SourceError where the peer does not do; the current edition is then untouched. */
export async function syncDirectory(options: SyncOptions): Promise<SyncReport> {
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
    // What a peer is, is asked whenever everything is fetched: it may have become another one.
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

/** What one run works with. */
interface Sync {
  readonly options: SyncOptions;
  readonly spool: Spool;
  readonly current: EditionInfo | undefined;
}

/** `inStep` only where that is what is current. */
type CheckedState = Omit<SyncState, 'inStep'> & { readonly inStep: SyncState['inStep'] };

/**
 * Not after an import of something else, or a rollback. An edition of this peer that is newer was
 * published by a sync that ended before it could say so.
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

/** Nothing where the peer has no such document after all. */
async function syncDocument(state: CheckedState, sync: Sync): Promise<SyncReport | undefined> {
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
    if (current === undefined) throw new SourceError(`${peer.editionUrl} answers 304 unasked.`);
    finish(sync, rest);
    return { report: nothingRead(current), isPublished: false, fetched: 'nothing' };
  }
  const published = await publish(sync, false);
  const { number, publishedAt } = published.report.edition;
  finish(sync, { ...rest, inStep: { number, publishedAt, fullAt, ...fetched } });
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

async function syncPages(state: CheckedState, plan: Plan, sync: Sync): Promise<SyncReport> {
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
        ? { report: nothingRead(current), isPublished: false }
        : await publish(sync, areChanges);
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

/** The query for changes; empty where everything is due. */
async function wantedQuery({ inStep }: CheckedState, sync: Sync): Promise<string> {
  const { isFull, fullDays, overlapDays, now } = sync.options;
  if (isFull || inStep === undefined) return '';
  if (now() - Date.parse(inStep.fullAt) >= fullDays * DAY_MS) return '';
  const before = await editionBefore(sync.current, sync.options);
  if (before === undefined) return '';
  const newestMs = newestChange(before.rows, now());
  const since = new Date(newestMs - overlapDays * DAY_MS).toISOString().slice(0, 10);
  return `_lastUpdated=gt${since}`;
}

const DAY_MS = 86_400_000;

/** A date in the future is a mistake, and would hide what changes until then. */
function newestChange(rows: Rows, nowMs: number): number {
  let newestMs = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < rows.count; row++) {
    const ms = lastUpdatedMs({ lastUpdated: rows.lastUpdatedOf(row) });
    if (ms > newestMs && ms <= nowMs) newestMs = ms;
  }
  return newestMs === Number.NEGATIVE_INFINITY ? nowMs : newestMs;
}

/**
 * Not where nothing was fetched. Everything also does where changes are wanted; a part that was
 * refused only if it may shrink.
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

/** What changed at the peer while its pages were read must be younger than the overlap. */
const PART_MS_MAX = DAY_MS;

function describe({ part: { query, next }, isResumed }: Plan, { baseUrl }: PeerAddress): string {
  const what = query === '' ? 'everything' : `what has changed (${query})`;
  if (next === null) return `Going on with ${what} of ${baseUrl}, which has been fetched …`;
  return isResumed
    ? `Going on with ${what} of ${baseUrl} where the last sync stopped …`
    : `Fetching ${what} of ${baseUrl} …`;
}

type Published = Pick<SyncReport, 'report' | 'isPublished'>;

/** What is in the spool as an edition; of changes the report counts only what was fetched. */
async function publish(sync: Sync, areChanges: boolean): Promise<Published> {
  const { options, spool, current } = sync;
  const { store, peer, settings } = options;
  if (!areChanges && spool.bytes === 0) {
    throw new SourceError(`${peer.baseUrl} has no organisations: nothing is published.`);
  }
  let replaced: EditionInfo | undefined;
  let kept = 0;
  options.say('Reading what was fetched …');
  const report = await importEdition({
    ...options,
    source: peer.baseUrl,
    onlyChanges: true,
    read: async (receiver) => {
      // From here on no other import can come between.
      replaced = await store.current();
      const before = await editionBefore(replaced, options);
      const isOther = replaced?.publishedAt !== current?.publishedAt;
      if (areChanges && (isOther || before === undefined)) {
        throw new SourceError('Another edition became current meanwhile: sync again.');
      }
      const others = await readPeer({
        spool: spool.path,
        name: peer.baseUrl,
        before,
        areChanges,
        uris: understoodUris(settings),
        now: new Date(options.now()),
        receiver,
      });
      if (areChanges) kept = others;
      else if (replaced !== undefined && !options.allowShrink) {
        refuseShrinking(peer, replaced, others);
      }
    },
  });
  const { read, imported, edition } = report;
  return {
    report: { ...report, read: read - kept, imported: imported - kept },
    isPublished: edition.number !== replaced?.number,
  };
}

/** As an import does, but before anything is built, and with what is to be done about a sync. */
function refuseShrinking(
  { baseUrl }: PeerAddress,
  { number, records }: EditionInfo,
  missing: number,
): void {
  if (missing <= records * SHRINK_MAX) return;
  const count = (value: number) => value.toLocaleString('en-GB');
  const percent = Math.round((missing / records) * 100);
  throw new SourceError(
    `${baseUrl} lacks ${count(missing)} of the ${count(records)} organisations (${percent} %) of ` +
      `edition ${number}. If that is right, sync again with --allow-shrink.`,
  );
}

/** Nothing where there is none, or it cannot be read: everything is then fetched. */
async function editionBefore(
  current: EditionInfo | undefined,
  { store }: SyncOptions,
): Promise<EditionBefore | undefined> {
  if (current === undefined) return undefined;
  const { publicationDate } = current;
  try {
    const { rows, codeSystems } = openEdition(current, await store.load(current.number));
    return { rows, codeSystems, publicationDate };
  } catch {
    return undefined;
  }
}

function finish({ options, spool }: Sync, state: SyncState): void {
  options.folder.write(state);
  rmSync(spool.path, { force: true });
}

function nothingRead(edition: EditionInfo): ImportReport {
  return { edition, read: 0, imported: 0, leftOut: {}, warnings: {} };
}
