/** The organisations that belong to others on a day: the inverse of `belongsTo`. */
import { createPauses } from '../../threads/pauses.ts';
import { type Edition, perEdition } from '../edition/edition.ts';
import { addRows, readRows, wordCount } from '../index/sets/bits.ts';
import { climb } from './belongs-to.ts';
import { numberOf, PARTNER_TO, waysUpOn } from './ways-up.ts';

/**
 * Exactly the rows whose `belongsTo` has one of the codes, ascending, also those of closed
 * organisations. They are numbered as in `links`. Other requests are answered meanwhile. The answers
 * about the last codes are kept.
 */
export async function membersOf(
  edition: Edition,
  codes: readonly string[],
  day: string,
): Promise<Uint32Array> {
  const [first = NO_ROWS, ...others] = await Promise.all(
    codes.map((code) => keptMembers(edition, code, day)),
  );
  if (others.length === 0) return first;
  const words = new Uint32Array(wordCount(edition.links.rowCount));
  let total = 0;
  for (const rows of [first, ...others]) total += addRows(words, rows, 0, rows.length);
  return Uint32Array.from(readRows(words, total, 0, total));
}

const NO_ROWS = new Uint32Array(0);

interface Kept {
  readonly answer: Promise<Uint32Array>;
  /** 0 until the answer is there. */
  rows: number;
}

/** By day and code. The one that was used last is the last. */
const keptOf = perEdition(() => new Map<string, Kept>());

/** The rows of all answers that are kept: 4 MB. */
const KEPT_ROWS_MAX = 1 << 20;
const KEPT_MAX = 500;

function keptMembers(edition: Edition, code: string, day: string): Promise<Uint32Array> {
  const kept = keptOf(edition);
  const key = `${day} ${code}`;
  const known = kept.get(key);
  if (known !== undefined) {
    kept.delete(key);
    kept.set(key, known);
    return known.answer;
  }
  const found: Kept = { answer: findMembers(edition, code, day), rows: 0 };
  kept.set(key, found);
  return found.answer.then(
    (answer) => {
      found.rows = answer.length;
      forgetOldest(kept);
      return answer;
    },
    (error: unknown) => {
      kept.delete(key);
      throw error;
    },
  );
}

/** The newest answer stays, however large it is. */
function forgetOldest(kept: Map<string, Kept>): void {
  let rows = kept.values().reduce((sum, each) => sum + each.rows, 0);
  for (const [key, each] of kept) {
    if (kept.size === 1 || (rows <= KEPT_ROWS_MAX && kept.size <= KEPT_MAX)) return;
    kept.delete(key);
    rows -= each.rows;
  }
}

/** Walks down the ways that lead up, and asks each organisation that it meets. */
async function findMembers(edition: Edition, code: string, day: string): Promise<Uint32Array> {
  const { links } = edition;
  const waysUp = waysUpOn(edition, day);
  const pause = createPauses();
  const met = new Set<number>();
  const members: number[] = [];
  const wanted = numberOf(links, code);
  const waiting = [code];
  for (const each of waiting) {
    const target = numberOf(links, each);
    for (const ordinal of links.incoming(each)) {
      const turn = pause();
      if (turn !== undefined) await turn;
      const row = links.sourceRowOf(ordinal);
      if (met.has(row)) continue;
      // Who belongs to a network belongs to nothing that the network belongs to.
      const leads = waysUp(row).some(
        ({ type, to }) => to === target && (type !== PARTNER_TO || target === wanted),
      );
      if (!leads) continue;
      met.add(row);
      if (climb(waysUp, row).some(({ to }) => to === wanted)) members.push(row);
      if (links.hasIncoming(row)) waiting.push(links.codeOf(row));
    }
  }
  return Uint32Array.from(members).sort();
}
