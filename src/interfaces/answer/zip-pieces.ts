/** A zip of several files, made while it is read. */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { inTurns } from '../../fhir/http/gzip.ts';
import type { Pieces } from './kept-answers.ts';

export interface ZippedFile {
  readonly name: string;
  pieces(): Pieces;
}

/**
 * Makes one file after the other, and only as fast as the caller reads the result. One piece of the zip
 * can need many pieces of the files. The caller cannot end the loop in between, but `left` can.
 */
export async function* zipPieces(
  files: readonly ZippedFile[],
  mtime: Date,
  left?: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const fail = (error: Error) => output.destroy(error);
  zip.on('error', fail);
  let source: Readable | undefined;
  for (const { name, pieces } of files) {
    zip.addReadStreamLazy(name, { mtime }, (take) => {
      source = Readable.from(inTurns(left?.aborted ? [] : pieces(), left), { objectMode: false });
      // The zip does not listen to the errors of what it reads.
      take(null, source.once('error', fail));
    });
  }
  zip.end();
  try {
    for await (const piece of output) yield piece;
  } finally {
    // A reader that stops early leaves a file of the operator open.
    source?.destroy();
  }
}
