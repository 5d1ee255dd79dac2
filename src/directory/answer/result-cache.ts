/** Keeps the answers that clients request more than once from one edition. */
import { gzip } from '../../fhir/http/gzip.ts';
import type { Representation } from '../../fhir/service/representation.ts';

export interface ResultCache {
  get(key: string): Representation | undefined;
  /**
   * Notes a request for this answer and returns it. The cache keeps the answer at its second
   * request, so that answers requested once cost no memory.
   */
  note(key: string, representation: Representation): Representation;
}

/**
 * A cache of answers for one thread, of bounded size. When it is full, it drops the oldest answers,
 * except answers that were requested since they were last the oldest. A request only sets a mark:
 * the exact order of requests would take longer to keep than the rest of the look-up.
 */
export function createResultCache(bytesMax = BYTES_MAX): ResultCache {
  /** The oldest answer is first. */
  const answers = new Map<string, KeptAnswer>();
  let bytes = 0;
  const seen = new Set<string>();

  const keep = (key: string, answer: KeptAnswer): void => {
    answers.set(key, answer);
    bytes += answer.bytes;
    for (const [oldest, candidate] of answers) {
      if (bytes <= bytesMax) return;
      if (candidate.isRequested) renew(oldest, candidate);
      else remove(oldest);
    }
  };
  /** Moves an answer to the end, without its mark. */
  const renew = (key: string, answer: KeptAnswer): void => {
    answer.isRequested = false;
    answers.delete(key);
    answers.set(key, answer);
  };
  const remove = (key: string): void => {
    bytes -= answers.get(key)?.bytes ?? 0;
    answers.delete(key);
  };

  return {
    get: (key) => {
      const answer = answers.get(key);
      if (answer !== undefined) answer.isRequested = true;
      return answer;
    },
    note: (key, representation) => {
      if (key.length > KEY_LENGTH_MAX) return representation;
      if (!seen.has(key)) {
        if (seen.size >= SEEN_MAX) seen.clear();
        seen.add(key);
        return representation;
      }
      const answer = keptAnswer(key, representation, () => {
        if (answers.get(key) !== answer) return;
        remove(key);
        answer.bytes += answer.gzipped().length;
        keep(key, answer);
      });
      remove(key);
      keep(key, answer);
      return answer;
    },
  };
}

interface KeptAnswer extends Representation {
  gzipped(): Uint8Array;
  /** The approximate memory of the answer. */
  bytes: number;
  isRequested: boolean;
}

/** `onGzip` is called after the answer was compressed for the first time. */
function keptAnswer(
  key: string,
  { release, ...representation }: Representation,
  onGzip: () => void,
): KeptAnswer {
  const written = representation.body();
  const body = copyOf(written);
  if (typeof written !== 'string') release?.(written);
  let compressed: Uint8Array | undefined;
  return {
    ...representation,
    body: () => body,
    gzipped: () => {
      if (compressed === undefined) {
        compressed = copyOf(gzip(body));
        onGzip();
      }
      return compressed;
    },
    bytes: body.length + 2 * key.length + ENTRY_BYTES,
    isRequested: false,
  };
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
