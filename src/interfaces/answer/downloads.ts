/** The gzip form of a whole edition, which is kept. */
import { gzipPieces, keepPieces } from '../../fhir/http/gzip.ts';

/** The gzip form of a download: made for the first reader, and kept with the object it was made from. */
export function keepGzip<T extends object>(
  piecesOf: (from: T) => Iterable<Uint8Array>,
): (from: T) => AsyncIterable<Uint8Array> {
  const kept = new WeakMap<T, () => AsyncIterable<Uint8Array>>();
  return (from) => {
    const known = kept.get(from) ?? keepPieces(() => gzipPieces(piecesOf(from)));
    kept.set(from, known);
    return known();
  };
}
