/** Imports sources as a new edition. A failed import changes nothing. */
import { setImmediate } from 'node:timers/promises';
import type { NamedArrays, NumberArray } from '../arrays.ts';
import { buildEdition } from '../build-edition.ts';
import { type Difference, findDifference } from '../difference.ts';
import { openEditionForComparison } from '../edition.ts';
import type { EditionInfo, EditionStore } from '../edition-store.ts';
import { createCollector, type OnProgress, type Tally } from './collector.ts';
import type { LeftOutReason, SourceReceiver, WarningKind } from './source.ts';
import { SourceError } from './source.ts';

export interface ImportOptions {
  readonly store: EditionStore;
  /** A short label of where the records come from. */
  readonly source: string;
  /** Reads every source into the receiver, one after the other. */
  readonly read: (receiver: SourceReceiver) => Promise<void>;
  readonly onProgress: OnProgress;
  /** Called after the last record, before the index is built. */
  readonly onBuild: () => void;
  readonly keep: number;
  /** Publish even if many records of the current edition would be removed. */
  readonly allowShrink: boolean;
  /** Publish nothing if the records are the same as those of the current edition. */
  readonly onlyChanges?: boolean;
  /** Checked between steps. A stopped import changes nothing. */
  readonly stopped: AbortSignal;
}

export interface ImportReport {
  readonly edition: EditionInfo;
  /** Records read: those imported as organisations, and those left out of them. */
  readonly read: number;
  readonly imported: number;
  readonly leftOut: Readonly<Partial<Record<LeftOutReason, Tally>>>;
  readonly warnings: Readonly<Partial<Record<WarningKind, Tally>>>;
}

/** The share of the current edition's records that an import may remove. */
export const SHRINK_MAX = 0.1;

/** Throws a `SourceError` if the sources are not valid. The current edition then stays. */
export async function importEdition(options: ImportOptions): Promise<ImportReport> {
  const { store, source, stopped } = options;
  const draft = await store.begin();
  try {
    const collector = createCollector(options.onProgress);
    await options.read(collector);
    await handleSignals(stopped);
    const collected = collector.finish();
    const { ordinals, manifests, read, leftOut, warnings } = collected;
    const imported = ordinals.full.length;
    if (imported === 0) {
      throw new SourceError(
        `${source} has no organisation that can be imported (${whatItHolds(read, leftOut)}). ` +
          'Import the release file of TRUD item 341 unchanged.',
      );
    }
    options.onBuild();
    await handleSignals(stopped);
    const hasRelations = manifests.every((manifest) => manifest.hasRelations === true);
    const arrays = buildEdition({ ...collected, hasRelations });
    const current = await store.current();
    const loaded = current === undefined ? undefined : await loadForComparison(store, current);
    const before = loaded?.comparable;
    const difference = findDifference(before, openEditionForComparison(arrays));
    if (options.onlyChanges === true && current !== undefined && loaded !== undefined) {
      const isSame = isEmpty(difference) && haveSameCodes(loaded.arrays, arrays);
      if (isSame) {
        await draft.discard();
        return { edition: current, read, imported, leftOut, warnings };
      }
    }
    if (current !== undefined && !options.allowShrink) {
      const removed = before === undefined ? current.records - imported : difference.removed.length;
      refuseShrinking(source, current, removed);
    }
    for (const [name, array] of Object.entries(arrays)) {
      await handleSignals(stopped);
      await draft.write(name, array);
    }
    await handleSignals(stopped);
    const publicationDate = manifests
      .map((manifest) => manifest.publicationDate)
      .sort()
      .at(-1);
    const edition = await draft.publish(
      {
        publicationDate: publicationDate ?? new Date().toISOString().slice(0, 10),
        source,
        records: imported,
        difference,
      },
      { keep: options.keep, expectedCurrent: current?.number },
    );
    return { edition, read, imported, leftOut, warnings };
  } catch (error) {
    await draft.discard();
    throw error;
  }
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

/**
 * Undefined if the current edition is damaged. The import then replaces it without a
 * comparison.
 */
async function loadForComparison(store: EditionStore, current: EditionInfo) {
  try {
    const arrays = await store.load(current.number);
    return { arrays, comparable: openEditionForComparison(arrays) };
  } catch {
    return undefined;
  }
}

function isEmpty({ added, changed, removed }: Difference): boolean {
  return added.length + changed.length + removed.length === 0;
}

/** Whether codes have the same displays, which records do not contain. */
function haveSameCodes(one: NamedArrays, other: NamedArrays): boolean {
  const [first, second] = [one, other].map((arrays) => arrays['code-systems']);
  return (
    first !== undefined && second !== undefined && Buffer.compare(bytes(first), bytes(second)) === 0
  );
}

function bytes({ buffer, byteOffset, byteLength }: NumberArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function refuseShrinking(source: string, current: EditionInfo, removed: number): void {
  if (removed <= current.records * SHRINK_MAX) return;
  const percent = Math.round((removed / current.records) * 100);
  throw new SourceError(
    `${source} does not have ${removed} of the ${current.records} organisations (${percent} %) of ` +
      `edition ${current.number}. If this is correct, import it with --allow-shrink.`,
  );
}
