/** Imports sources as a new edition. A failed import changes nothing. */
import { setImmediate } from 'node:timers/promises';
import type { NamedArrays } from '../arrays/arrays.ts';
import { buildEditionInThreads } from '../edition/build-edition.ts';
import { findDifference } from '../edition/difference.ts';
import { type LoadedEdition, openRecordsForComparison } from '../edition/edition.ts';
import type { EditionDraft, EditionInfo, EditionStore } from '../edition/edition-store.ts';
import { buildChanges } from '../edition/kept-changes.ts';
import {
  type Manifest,
  newestDate,
  type ReadArchivedCodes,
  SourceError,
  type SourceReceiver,
} from '../record/source.ts';
import { type Collected, createCollector, type OnProgress } from './collector.ts';
import { openEditionsBefore } from './edition-before.ts';
import { reviewTopUps, type TopUpReview } from './review-top-ups.ts';

export interface ImportOptions {
  readonly store: EditionStore;
  /** A short label of where the records come from. */
  readonly source: string;
  /** The label of the edition, if it depends on what was read. */
  readonly labelOf?: () => string | undefined;
  /**
   * Reads every source into the receiver, one after the other. `before`: the current edition, if
   * there is one that is not damaged.
   */
  readonly read: (receiver: SourceReceiver, before: LoadedEdition | undefined) => Promise<void>;
  /** Build the index from nothing, also if it could be merged with that of the current edition. */
  readonly isFull?: boolean;
  readonly onProgress: OnProgress;
  /** Called after the last record, before the index is built. */
  readonly onBuild: () => void;
  readonly keep: number;
  /** Publish even if many records of the current edition would be removed. */
  readonly allowShrink: boolean;
  /** Refuse a release that is older than that of the current edition. */
  readonly refuseOlder?: boolean;
  /**
   * Whether to publish nothing if the records are the same as those of the current edition. Called
   * after the last record.
   */
  readonly onlyChanges?: () => boolean;
  /** The clock in milliseconds, by default that of the machine. */
  readonly now?: () => number;
  /** Checked between steps. A stopped import changes nothing. */
  readonly stopped: AbortSignal;
}

export interface ImportReport extends Pick<Collected, 'leftOut' | 'warnings'> {
  readonly edition: EditionInfo;
  /** Records read: those imported as organisations, and those left out of them. */
  readonly read: number;
  /** Without the records that stay from the edition before. */
  readonly imported: number;
  /** What the release says about the changes since the last one; absent if there were none. */
  readonly topUps?: TopUpReview;
  /** Present if the release is older than that of the edition before. */
  readonly older?: OlderRelease;
  /** Present if the new edition has no relationships, and the one before had them. */
  readonly lostRelationships?: true;
  /** Warnings about the editions before, as sentences for operators. */
  readonly problems?: readonly string[];
}

export interface OlderRelease {
  /** When the release was published: `YYYY-MM-DD`. */
  readonly date: string;
  /** When the release of the edition before was published. */
  readonly dateBefore: string;
}

/** The share of the current edition's records that an import may remove. */
const SHRINK_MAX = 0.1;

/** Throws a `SourceError` if the sources are not valid. The current edition then stays. */
export async function importEdition(options: ImportOptions): Promise<ImportReport> {
  const { store, source, stopped, now = Date.now } = options;
  const draft = await store.begin();
  try {
    const current = await store.current();
    const { compared, unread, problem } = await openEditionsBefore(store, current);
    // What has not changed is taken from the current edition only.
    const loaded = compared?.number === current?.number ? compared : undefined;
    const collected = await collect(options, loaded?.edition);
    const { ordinals, manifests, read, kept, leftOut, warnings } = collected;
    const { length: records } = ordinals.full;
    if (records === 0) throw nothingError(source, read, leftOut);
    options.onBuild();
    await handleSignals(stopped);
    const hasLinks = manifests.every((manifest) => manifest.hasRelations === true);
    const isMerged = options.isFull !== true;
    const built = await buildEditionInThreads({ ...collected, hasLinks }, { isMerged });
    const next = openRecordsForComparison(built);
    const before = compared?.records;
    const difference = findDifference(before?.sections[0], next.sections[0]);
    if (current !== undefined && !options.allowShrink) {
      const removed = before === undefined ? current.records - records : difference.removed.length;
      refuseShrinking(source, current, removed);
    }
    const older = olderRelease(compared?.edition.manifests ?? [], manifests);
    if (older !== undefined && options.refuseOlder === true) throw olderError(source, older);
    const gone = [...difference.removed, ...(unread?.moved ?? [])];
    const isArchived = await archivedCheck(gone, collected.archives);
    const changes = buildChanges(before, next, { isArchived, unread });
    const counts = {
      read,
      imported: records - kept,
      leftOut,
      warnings,
      ...(older !== undefined && { older }),
    };
    if (options.onlyChanges?.() === true && current !== undefined && !changes.hasChanges) {
      await draft.discard();
      return { edition: current, ...counts };
    }
    const arrays = { ...built, ...changes.arrays };
    const topUps =
      current === undefined || loaded === undefined
        ? undefined
        : await reviewTopUps({ store, current, before: loaded.edition.arrays, next: arrays });
    await writeArrays(draft, arrays, stopped);
    const edition = await draft.publish(
      {
        publicationDate: newestDate(manifests) ?? new Date(now()).toISOString().slice(0, 10),
        source: options.labelOf?.() ?? source,
        records,
        difference,
        comparedTo: compared?.number,
      },
      { keep: options.keep, expectedCurrent: current?.number },
    );
    const problems = [problem ?? [], clockProblems(edition, now())].flat();
    return {
      edition,
      ...counts,
      ...(problems.length > 0 && { problems }),
      ...(topUps !== undefined && { topUps }),
      ...(loaded?.edition.hasLinks === true && !hasLinks && { lostRelationships: true }),
    };
  } catch (error) {
    await draft.discard();
    throw error;
  }
}

async function writeArrays(
  draft: EditionDraft,
  arrays: NamedArrays,
  stopped: AbortSignal,
): Promise<void> {
  for (const [name, array] of Object.entries(arrays)) {
    await handleSignals(stopped);
    await draft.write(name, array);
  }
  await handleSignals(stopped);
}

/** Only the result stays in memory, without what the collector needs to find records again. */
async function collect(
  { onProgress, read, stopped }: ImportOptions,
  before: LoadedEdition | undefined,
): Promise<Collected> {
  const collector = createCollector(onProgress);
  await read(collector, before);
  await handleSignals(stopped);
  return collector.finish();
}

/** Only release files say when they were published. */
function olderRelease(
  before: readonly Manifest[],
  manifests: readonly Manifest[],
): OlderRelease | undefined {
  const isRelease = ({ recordCount }: Manifest) => recordCount !== undefined;
  const [dateBefore, date] = [before, manifests].map((all) => newestDate(all.filter(isRelease)));
  if (date === undefined || dateBefore === undefined || date >= dateBefore) return undefined;
  return { date, dateBefore };
}

function olderError(source: string, { date, dateBefore }: OlderRelease): SourceError {
  return new SourceError(
    `${source} was published on ${date}. The directory has the release of ${dateBefore}, which is ` +
      'newer. If you want the older release, fetch it with --again.',
  );
}

/**
 * Whether the record of a code moved to an archive. The archives are read only if records were
 * removed. If one cannot be read, every record counts as moved: clients would otherwise remove it.
 */
async function archivedCheck(
  removed: readonly string[],
  archives: readonly ReadArchivedCodes[],
): Promise<(code: string) => boolean> {
  if (removed.length === 0) return () => false;
  const known: ReadonlySet<string>[] = [];
  for (const readCodes of archives) {
    const codes = await readCodes();
    if (codes === undefined) return () => true;
    known.push(codes);
  }
  return (code) => known.some((codes) => codes.has(code));
}

function nothingError(source: string, read: number, leftOut: ImportReport['leftOut']): SourceError {
  return new SourceError(
    `${source} has no organisation that can be imported (${whatItHolds(read, leftOut)}). ` +
      'Import the release file of TRUD item 341 unchanged.',
  );
}

function whatItHolds(read: number, leftOut: ImportReport['leftOut']): string {
  const reasons = Object.entries(leftOut).map(
    ([reason, { count }]) => `${reason.replaceAll('-', ' ')}: ${count}`,
  );
  return reasons.length === 0 ? `${read} records` : `left out: ${reasons.join(', ')}`;
}

/**
 * Handles signals that arrived during a long computation, and stops the import if one of them
 * requires it.
 */
async function handleSignals(stopped: AbortSignal): Promise<void> {
  await setImmediate();
  stopped.throwIfAborted();
}

/** The store never publishes before the edition that it published last. */
function clockProblems({ number, publishedAt }: EditionInfo, nowMs: number): readonly string[] {
  if (Date.parse(publishedAt) <= nowMs) return [];
  return [
    `The clock says ${new Date(nowMs).toISOString()}, which is before the edition that was ` +
      `published last. Edition ${number} therefore has the time ${publishedAt}. Check the clock of ` +
      'this machine.',
  ];
}

function refuseShrinking(source: string, current: EditionInfo, removed: number): void {
  if (removed <= current.records * SHRINK_MAX) return;
  const percent = Math.round((removed / current.records) * 100);
  throw new SourceError(
    `${source} does not have ${removed} of the ${current.records} organisations (${percent} %) of ` +
      `edition ${current.number}. If this is correct, import it with --allow-shrink.`,
  );
}
