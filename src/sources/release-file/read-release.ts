/** Reads one XML file of a national release into a receiver, without holding it in memory. */

import type { TopUp } from '../../directory/import/top-up.ts';
import type { SourceReceiver } from '../../directory/record/source.ts';
import { ParseError } from '../text/parse-error.ts';
import { Utf8Pieces } from '../text/utf8-pieces.ts';
import { ParallelReading, type ParallelReadingOptions } from './parallel-reading.ts';
import { ReleaseReading, type ReleaseSummary } from './parse/release-reading.ts';

/** One unpacked XML file of a release: its bytes, and its place among all documents. */
export interface ReleaseDocument {
  /** For messages. */
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Whether it is the archive of closed organisations. */
  readonly isArchive?: boolean;
  /** The full files of the same zip that are left out, and why this one is read. */
  readonly chosen?: { readonly insteadOf: readonly string[]; readonly reason: string };
  /** Unpacked bytes of the documents before this one. */
  readonly bytesBefore: number;
  /**
   * Unpacked bytes of all documents: as the file states them, or for a gzip an estimate from the
   * part that is unpacked. Undefined for standard input.
   */
  bytesTotal(): number | undefined;
}

export interface ReadReleaseOptions {
  /** Receives the records of a file with changes. */
  readonly topUp?: TopUp;
  /** Reads a large file with several threads. */
  readonly parallel?: ParallelReadingOptions;
}

/**
 * Pushes the contents of one XML file to the receiver: its manifest, its code systems, and each
 * record, in the order of the file. Throws a SourceError if the file cannot be imported; the
 * receiver must then discard everything.
 */
export async function readRelease(
  document: ReleaseDocument,
  receiver: SourceReceiver,
  { topUp, parallel }: ReadReleaseOptions = {},
): Promise<ReleaseSummary> {
  const reading = new ReleaseReading(document.name, receiver, topUp);
  const all = new ParallelReading(reading, document.name, receiver, parallel);
  const pieces = new Utf8Pieces();
  let bytesRead = 0;
  let bytesReported = 0;
  const reportProgress = (): void => {
    receiver.progress(document.bytesBefore + bytesRead, document.bytesTotal());
    bytesReported = bytesRead;
  };
  try {
    for await (const bytes of document.chunks) {
      reading.checkStart(bytes);
      for (const piece of pieces.write(bytes)) await all.write(piece);
      bytesRead += bytes.length;
      if (bytesRead - bytesReported >= PROGRESS_BYTES) reportProgress();
    }
    await all.end();
    pieces.end();
    reportProgress();
    return reading.end(bytesRead);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    // A thread may be reading an earlier part of the file that has another fault.
    const first = await all.end().then(
      () => error,
      (earlier: unknown) => earlier,
    );
    throw first instanceof ParseError ? reading.fault(first.message, pieces.markBytes) : first;
  } finally {
    await all.stop();
  }
}

/** Reports progress after this many bytes, about 160 times for a national release. */
const PROGRESS_BYTES = 4 * 1024 * 1024;
