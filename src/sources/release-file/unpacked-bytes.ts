/** Counts what unpacking yields, so that a small file cannot become an endless one. */
import { SourceError } from '../../directory/import/source.ts';

/** How much may still be unpacked; shared by everything that comes out of one file. */
export interface UnpackedBytes {
  left: number;
  readonly max: number;
}

/** The same chunks, counted; throws a SourceError before the first one that is too many. */
export async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  bytes: UnpackedBytes,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    bytes.left -= chunk.length;
    if (bytes.left < 0) throw tooLarge(bytes, name);
    yield chunk;
  }
}

/** What is said of a file that unpacks to more than is allowed. */
export function tooLarge(bytes: UnpackedBytes, name: string): SourceError {
  return new SourceError(
    `${name} unpacks to more than the ${bytes.max} bytes allowed: is it the release? ` +
      'If so, raise the limit (import.unpackedMax).',
  );
}
