/** Counts unpacked bytes, so that a small file cannot unpack to an endless one. */
import { SourceError } from '../../directory/import/source.ts';

/** The bytes that may still be unpacked. All parts of one file share them. */
export interface UnpackedBytes {
  left: number;
  readonly max: number;
}

/** Yields the same chunks and counts them. Throws a SourceError before the first chunk over the limit. */
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

/** The error for a file that unpacks to more bytes than the limit. */
export function tooLarge(bytes: UnpackedBytes, name: string): SourceError {
  return new SourceError(
    `${name} unpacks to more than the ${bytes.max} bytes allowed: is it the release? ` +
      'If so, raise the limit (import.unpackedMax).',
  );
}
