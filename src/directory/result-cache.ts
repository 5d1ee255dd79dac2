/** Keeps the answers that clients request more than once from one edition. */
import { gzip } from '../fhir/gzip.ts';
import type { Representation } from '../fhir/representation.ts';

export interface ResultCache {
  get(key: string): Representation | undefined;
  /**
   * Notes a request for this answer and returns it. The cache keeps the answer at its second
   * request, so that answers requested once cost no memory.
   */
  note(key: string, representation: Representation): Representation;
}

/** For one thread, and of bounded size. */
export function createResultCache(bytesMax = BYTES_MAX): ResultCache {
  let newer = createGeneration();
  /** Older answers. They are dropped when the newer ones fill their half; a request moves one there. */
  let older = createGeneration();
  const seen = new Set<string>();

  const makeRoom = (bytes: number): void => {
    if (newer.bytes + bytes > bytesMax / 2) {
      older = newer;
      newer = createGeneration();
    }
    newer.bytes += bytes;
  };
  const keep = (key: string, answer: KeptAnswer): KeptAnswer => {
    makeRoom(answer.bytes);
    newer.answers.set(key, answer);
    return answer;
  };

  return {
    get: (key) => {
      const answer = newer.answers.get(key);
      if (answer !== undefined) return answer;
      const old = older.answers.get(key);
      if (old === undefined) return undefined;
      older.answers.delete(key);
      return keep(key, old);
    },
    note: (key, representation) => {
      if (key.length > KEY_LENGTH_MAX) return representation;
      if (!seen.has(key)) {
        if (seen.size >= SEEN_MAX) seen.clear();
        seen.add(key);
        return representation;
      }
      return keep(key, keptAnswer(key, representation, makeRoom));
    },
  };
}

interface Generation {
  readonly answers: Map<string, KeptAnswer>;
  bytes: number;
}

interface KeptAnswer extends Representation {
  /** The approximate memory of the answer. */
  bytes: number;
}

function createGeneration(): Generation {
  return { answers: new Map(), bytes: 0 };
}

function keptAnswer(
  key: string,
  { release, ...representation }: Representation,
  makeRoom: (bytes: number) => void,
): KeptAnswer {
  const written = representation.body();
  const body = copyOf(written);
  if (typeof written !== 'string') release?.(written);
  let compressed: Uint8Array | undefined;
  const answer: KeptAnswer = {
    ...representation,
    body: () => body,
    gzipped: () => {
      if (compressed === undefined) {
        compressed = copyOf(gzip(body));
        answer.bytes += compressed.length;
        makeRoom(compressed.length);
      }
      return compressed;
    },
    bytes: body.length + 2 * key.length + ENTRY_BYTES,
  };
  return answer;
}

/** A copy, because the answer may be a part of a large slab. */
function copyOf(written: Uint8Array | string): Buffer {
  const copy = Buffer.allocUnsafeSlow(
    typeof written === 'string' ? Buffer.byteLength(written) : written.length,
  );
  if (typeof written === 'string') copy.write(written);
  else copy.set(written);
  return copy;
}

/** About 150 full pages, or 2,500 organisations. */
const BYTES_MAX = 8 * 1024 * 1024;

/** The approximate memory of a kept answer besides its body and key. */
const ENTRY_BYTES = 1024;

const SEEN_MAX = 4096;
const KEY_LENGTH_MAX = 512;
