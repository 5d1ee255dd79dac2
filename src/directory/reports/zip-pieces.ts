/** A zip of several files, made while it is read. */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { inTurns } from '../../fhir/http/gzip.ts';

export interface ZippedFile {
  readonly name: string;
  pieces(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** Makes one file after the other, and only as fast as the caller reads the result. */
export async function* zipPieces(
  files: readonly ZippedFile[],
  mtime: Date,
): AsyncGenerator<Uint8Array, void, undefined> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  for (const { name, pieces } of files) {
    zip.addReadStreamLazy(name, { mtime }, (take) =>
      take(null, Readable.from(inTurns(pieces()), { objectMode: false })),
    );
  }
  zip.end();
  for await (const piece of output) yield piece;
}
