/**
 * The thread that reads slices of a release. It gets the head of the file at its start, and answers
 * each slice with the records of the slice.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { RecordsBuilder } from '../../directory/edition/records-builder.ts';
import {
  type EncodedRecords,
  type RecordFacts,
  recordFacts,
} from '../../directory/record/record-batches.ts';
import type { LeftOutReason, SourceReceiver, WarningKind } from '../../directory/record/source.ts';
import { transferablesOf } from '../../threads/transferables.ts';
import { type ReadCounts, ReleaseReading } from './parse/release-reading.ts';
import { RecordPieces } from './record-pieces.ts';

/** The data that a thread gets at its start. */
export interface SliceThreadData {
  /** The name of the file, for messages. */
  readonly name: string;
  /** The file up to its first Organisation. */
  readonly head: Uint8Array;
}

/** A slice of the file, with whole Organisation elements, at the start of shared memory. */
export interface SliceRequest {
  readonly memory: SharedArrayBuffer;
  readonly bytes: number;
}

export type FromSliceThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly slice: ReadSlice }
  /** The slice has a fault, or does not begin and end between records. */
  | { readonly kind: 'unread' };

export interface ReadSlice {
  readonly counts: ReadCounts;
  readonly records: EncodedRecords;
  /** In the order of the file. */
  readonly leftOut: readonly (readonly [
    LeftOutReason,
    code: string,
    detail?: string | undefined,
  ])[];
  readonly warnings: readonly (readonly [WarningKind, code: string, detail?: string | undefined])[];
}

const { name, head }: SliceThreadData = workerData;
const builder = new RecordsBuilder();
let codes: string[] = [];
let facts: RecordFacts[] = [];
let leftOut: ReadSlice['leftOut'][number][] = [];
let warnings: ReadSlice['warnings'][number][] = [];

const receiver: SourceReceiver = {
  manifest: () => {},
  codeSystems: () => {},
  record: (record) => {
    builder.add(record);
    codes.push(record.code);
    facts.push(recordFacts(record));
  },
  source: (hash) => builder.source(builder.count - 1, hash),
  keep: () => {},
  leftOut: (...one) => leftOut.push(one),
  leftOutArchive: () => {},
  warning: (...one) => warnings.push(one),
  progress: () => {},
};
const reading = new ReleaseReading(name, receiver, undefined);

/** Undefined if the slice does not contain whole Organisation elements. */
function readSlice(bytes: Uint8Array): ReadSlice | undefined {
  const before = reading.counts;
  pieces.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  pieces.flush();
  if (!reading.isBetweenRecords) return undefined;
  const { elements, records, lineBreaks, lastCode } = reading.counts;
  const slice = {
    counts: {
      elements: elements - before.elements,
      records: records - before.records,
      lineBreaks: lineBreaks - before.lineBreaks,
      lastCode,
    },
    records: {
      batch: builder.take(),
      codes,
      changedMs: Float64Array.from(facts, ({ changedMs }) => changedMs),
      flags: Uint8Array.from(facts, ({ flags }) => flags),
      opened: Uint32Array.from(facts, ({ opened }) => opened),
    },
    leftOut,
    warnings,
  };
  codes = [];
  facts = [];
  leftOut = [];
  warnings = [];
  return slice;
}

function post(message: FromSliceThread): void {
  parentPort?.postMessage(message, transferablesOf(message));
}

function answer({ memory, bytes }: SliceRequest): void {
  let slice: ReadSlice | undefined;
  try {
    slice = readSlice(new Uint8Array(memory, 0, bytes));
  } catch {
    // The main thread reads the slice again, and reports the fault with its position in the file.
  }
  post(slice === undefined ? { kind: 'unread' } : { kind: 'read', slice });
}

reading.write(head);
const pieces = new RecordPieces(reading, receiver, undefined, head);
parentPort?.on('message', answer);
post({ kind: 'ready' });
