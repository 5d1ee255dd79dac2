/** Builds the arrays of an edition: one after the other, or the parts of a large index in threads. */

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { collectGarbage } from '../../threads/collect-garbage.ts';
import { FOR_BACKGROUND } from '../../threads/heap-limits.ts';
import { runThread } from '../../threads/supervisor.ts';
import { jsonBytes, jsonNamed } from '../arrays/array-named.ts';
import { areSameArrays, type NamedArrays } from '../arrays/arrays.ts';
import type { CodeSystems } from '../record/record.ts';
import { SOURCE_HASHES } from '../record/record-batches.ts';
import type { Manifest } from '../record/source.ts';
import { EDITION_FORMAT, type LoadedEdition } from './edition.ts';
import {
  buildRecords,
  INDEX_PART_NAMES,
  INDEX_PARTS,
  type IndexPartName,
  type IndexThreadData,
  indexedRecords,
} from './edition-records.ts';
import { type RecordsBefore, recordsBefore } from './kept-parts.ts';
import { RecordsBuilder, type SectionOrdinals } from './records-builder.ts';
import { sourceRecordAt } from './source-record.ts';

export interface EditionContents {
  readonly records: RecordsBuilder;
  /** The records that become rows. */
  readonly ordinals: SectionOrdinals;
  readonly codeSystems: CodeSystems;
  readonly manifests: readonly Manifest[];
  /** Whether the sources state relationships and successions. */
  readonly hasLinks: boolean;
}

/** Merges the index with that of the edition before, if records are kept from it. */
export function buildEdition(contents: EditionContents): NamedArrays {
  const before = recordsBefore(contents.records.keptRows(contents.ordinals));
  return withIndex(buildWithoutIndex(contents, before), before);
}

/** Builds the same arrays, and clears the records. Threads build the parts of a large index. */
export async function buildEditionInThreads(
  contents: EditionContents,
  { threads = availableParallelism(), recordsMin = RECORDS_MIN, isMerged = true } = {},
): Promise<NamedArrays> {
  const kept = isMerged ? contents.records.keptRows(contents.ordinals) : undefined;
  const before = recordsBefore(kept);
  const arrays = buildWithoutIndex(contents, before);
  contents.records.clear();
  const isSmall = contents.ordinals.full.length < recordsMin;
  // The objects of the reading would otherwise stay in memory while the index is built.
  if (!isSmall) collectGarbage();
  if (isSmall || threads < 2 || before !== undefined) return withIndex(arrays, before);
  const waiting = [...INDEX_PART_NAMES];
  const parts: NamedArrays[] = [];
  const buildInTurn = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      parts.push(await buildIndexPart(name, arrays));
    }
  };
  await Promise.all(Array.from({ length: THREADS_AT_ONCE }, buildInTurn));
  return Object.assign(arrays, ...parts);
}

/** Each thread needs 100 MB for the national release. */
const THREADS_AT_ONCE = 2;

/** Below this number, the start of the threads takes longer than building the index. */
const RECORDS_MIN = 20_000;

function buildWithoutIndex(
  contents: EditionContents,
  before: RecordsBefore | undefined,
): NamedArrays {
  const { records, ordinals, codeSystems, manifests, hasLinks } = contents;
  return {
    ...buildRecords(records, ordinals, hasLinks, before),
    format: Uint32Array.of(EDITION_FORMAT),
    'code-systems': jsonBytes(codeSystems),
    manifests: jsonBytes(manifests),
  };
}

function withIndex(arrays: NamedArrays, before: RecordsBefore | undefined): NamedArrays {
  const records = indexedRecords(arrays);
  const parts = Object.values(INDEX_PARTS).map((part) => part.build(arrays, records, before));
  return Object.assign(arrays, ...parts);
}

/** If the thread dies, for example because memory is short, the calling thread builds the part. */
async function buildIndexPart(part: IndexPartName, arrays: NamedArrays): Promise<NamedArrays> {
  const needed = Object.entries(arrays).filter(([name]) => INDEX_PARTS[part].needs(name));
  const workerData: IndexThreadData = { part, arrays: Object.fromEntries(needed) };
  try {
    return await runThread<NamedArrays>({
      name: 'a thread that builds an index',
      start: () => new Worker(THREAD, { workerData, resourceLimits: FOR_BACKGROUND }),
      limitMs: BUILD_MS_MAX,
    });
  } catch {
    return INDEX_PARTS[part].build(arrays);
  }
}

const THREAD = new URL('./index-thread.ts', import.meta.url);

/** A hundred times the duration for the largest directory. */
const BUILD_MS_MAX = 3_600_000;

/**
 * Compares an edition with one that is built from nothing out of the same records.
 *
 * The names of the arrays that differ, in the order of the alphabet. Arrays about earlier editions are
 * not compared. Undefined if an earlier version of the program made the edition: equal texts may be
 * in another order there.
 */
export async function unlikeFromNothing(
  edition: LoadedEdition,
): Promise<readonly string[] | undefined> {
  const { arrays, rows, links, hasLinks } = edition;
  const hashes = arrays[SOURCE_HASHES];
  if (arrays.format?.[0] !== EDITION_FORMAT || hashes === undefined) return undefined;
  const records = new RecordsBuilder();
  const ordinals = Uint32Array.from({ length: links.rowCount }, (_, row) => {
    const ordinal = records.add(sourceRecordAt(edition, row));
    records.source(ordinal, [hashes[2 * row]!, hashes[2 * row + 1]!]);
    return ordinal;
  });
  const built = await buildEditionInThreads({
    records,
    ordinals: { full: ordinals.subarray(0, rows.count), references: ordinals.subarray(rows.count) },
    codeSystems: jsonNamed(arrays, 'code-systems'),
    manifests: jsonNamed(arrays, 'manifests'),
    hasLinks,
  });
  const names = new Set([...Object.keys(arrays), ...Object.keys(built)]);
  return [...names]
    .filter((name) => !name.startsWith('changes.'))
    .filter((name) => !areSameArrays(arrays[name], built[name]))
    .sort();
}
