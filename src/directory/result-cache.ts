/** The answers of searches that are asked again, in one edition: they have the same bytes. */
import { gzip } from '../fhir/gzip.ts';
import type { Representation } from '../fhir/service.ts';

export interface ResultCache {
  get(key: string): Representation | undefined;
  /**
   * Notes that a search was asked. It is kept when that is the second time, so that a search that
   * is asked once costs nothing more.
   */
  note(key: string, representation: Representation): void;
}

/** For one thread, and of bounded size. */
export function createResultCache(): ResultCache {
  const kept = new Map<string, Representation>();
  const seen = new Set<string>();
  let bytes = 0;

  return {
    get: (key) => kept.get(key),
    note: (key, representation) => {
      if (key.length > KEY_LENGTH_MAX) return;
      if (!seen.has(key)) {
        if (seen.size >= SEEN_MAX) seen.clear();
        seen.add(key);
        return;
      }
      // A copy: the body may be a small part of a large piece of memory.
      const body = Buffer.from(representation.body());
      const size = body.length + 2 * key.length + ENTRY_BYTES;
      if (bytes + size > BYTES_MAX) {
        kept.clear();
        bytes = 0;
      }
      let compressed: Uint8Array | undefined;
      const gzipped = () => {
        if (compressed === undefined) {
          compressed = gzip(body);
          bytes += compressed.length;
        }
        return compressed;
      };
      kept.set(key, { ...representation, body: () => body, gzipped });
      bytes += size;
    },
  };
}

/** Some 400 full pages. */
const BYTES_MAX = 16 * 1024 * 1024;

/** About what a kept answer takes besides its body and key. */
const ENTRY_BYTES = 1024;

const SEEN_MAX = 4096;
const KEY_LENGTH_MAX = 512;
