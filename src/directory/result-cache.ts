/**
 * Answers of searches that are asked again, for one thread and one edition at a time: the same
 * search in the same edition has the same bytes.
 */
import type { Representation } from '../fhir/service.ts';
import type { Edition } from './edition.ts';

export interface Found {
  readonly edition: Edition;
  readonly representation: Representation;
}

export interface ResultCache {
  /**
   * The answer that is kept for the newest edition, or the one that `find` makes. What it throws
   * is not kept, nor an answer from an older edition, which must end with its grace period.
   */
  answer(newest: Edition, key: string, find: () => Found): Representation;
}

/** A search is kept when it is asked a second time, so that one that is asked once costs nothing. */
export function createResultCache(): ResultCache {
  let cached: Edition | undefined;
  let bytes = 0;
  const kept = new Map<string, Representation>();
  const seen = new Set<string>();

  const keep = (key: string, representation: Representation): Representation => {
    // A copy: the body may be a small part of a large piece of memory.
    const body = Buffer.from(representation.body());
    if (bytes + body.length > BYTES_MAX) {
      kept.clear();
      bytes = 0;
    }
    const copy = { ...representation, body: () => body };
    kept.set(key, copy);
    bytes += body.length;
    return copy;
  };

  return {
    answer: (newest, key, find) => {
      if (newest !== cached) {
        kept.clear();
        seen.clear();
        bytes = 0;
        cached = newest;
      }
      const known = kept.get(key);
      if (known !== undefined) return known;
      const { edition, representation } = find();
      if (edition !== newest || key.length > KEY_LENGTH_MAX) return representation;
      if (seen.has(key)) return keep(key, representation);
      if (seen.size >= SEEN_MAX) seen.clear();
      seen.add(key);
      return representation;
    },
  };
}

/** Some 400 full pages. */
const BYTES_MAX = 16 * 1024 * 1024;
const SEEN_MAX = 4096;

/** Longer searches are made by programs that page through lists of codes, and not repeated. */
const KEY_LENGTH_MAX = 512;
