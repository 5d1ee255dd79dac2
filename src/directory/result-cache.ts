/** Answers that are asked for again, in one edition: they have the same bytes. */
import { gzip } from '../fhir/gzip.ts';
import type { Representation } from '../fhir/service.ts';

export interface ResultCache {
  get(key: string): Representation | undefined;
  /**
   * Notes that it was asked for, and answers with it. It is kept when that is the second time, so
   * that what is asked once costs nothing more.
   */
  note(key: string, representation: Representation): Representation;
}

/** For one thread, and of bounded size. */
export function createResultCache(): ResultCache {
  let newer = createGeneration();
  /** What was kept before that; it goes when the newer ones are as many, but for those asked for. */
  let older = createGeneration();
  const seen = new Set<string>();

  const keep = (key: string, answer: KeptAnswer): void => {
    if (newer.bytes + answer.bytes > GENERATION_BYTES_MAX) {
      older = newer;
      newer = createGeneration();
    }
    newer.answers.set(key, answer);
    newer.bytes += answer.bytes;
  };

  return {
    get: (key) => {
      const answer = newer.answers.get(key);
      if (answer !== undefined) return answer;
      const old = older.answers.get(key);
      if (old === undefined) return undefined;
      older.answers.delete(key);
      keep(key, old);
      return old;
    },
    note: (key, representation) => {
      if (key.length > KEY_LENGTH_MAX) return representation;
      if (!seen.has(key)) {
        if (seen.size >= SEEN_MAX) seen.clear();
        seen.add(key);
        return representation;
      }
      const answer = keptAnswer(key, representation);
      keep(key, answer);
      return answer;
    },
  };
}

interface Generation {
  readonly answers: Map<string, KeptAnswer>;
  bytes: number;
}

interface KeptAnswer extends Representation {
  readonly bytes: number;
}

function createGeneration(): Generation {
  return { answers: new Map(), bytes: 0 };
}

function keptAnswer(key: string, { release, ...representation }: Representation): KeptAnswer {
  const written = representation.body();
  // A copy: the body may be a small part of a large piece of memory.
  const body = Buffer.from(written);
  if (typeof written !== 'string') release?.(written);
  let compressed: Uint8Array | undefined;
  return {
    ...representation,
    body: () => body,
    gzipped: () => {
      compressed ??= gzip(body);
      return compressed;
    },
    // With room for the same in gzip.
    bytes: body.length * GZIP_ROOM + 2 * key.length + ENTRY_BYTES,
  };
}

/** Together some 300 full pages, or 4,000 organisations. */
const GENERATION_BYTES_MAX = 8 * 1024 * 1024;

/** What a kept answer takes with its body in gzip, for each byte of its body. */
const GZIP_ROOM = 1.25;

/** About what a kept answer takes besides its body and key. */
const ENTRY_BYTES = 1024;

const SEEN_MAX = 4096;
const KEY_LENGTH_MAX = 512;
