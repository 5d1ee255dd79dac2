/** The organisations that belong to others on a day: the inverse of `belongsTo`, and its columns. */
import type { Pause } from '../../threads/pauses.ts';
import { type SharedWork, shareWork } from '../../threads/shared-work.ts';
import { type Edition, perEdition } from '../edition/edition.ts';
import { addRows, readRows, wordCount } from '../index/sets/bits.ts';
import { climb, LEVEL_NAMES, type LevelName, wayNamed } from './belongs-to.ts';
import { PARTNER_TO, targetNumberOf, waysUpOn } from './ways-up.ts';

/**
 * Exactly the rows whose `belongsTo` has one of the codes, ascending, also those of closed
 * organisations. They are numbered as in `links`. Other requests are answered meanwhile. The answers
 * about the last codes are kept. Rejects with the reason of the signal when it aborts.
 */
export async function membersOf(
  edition: Edition,
  codes: readonly string[],
  day: string,
  signal?: AbortSignal,
): Promise<Uint32Array> {
  const [first = NO_ROWS, ...others] = await Promise.all(
    codes.map((code) => keptMembers(edition, code, day, signal)),
  );
  if (others.length === 0) return first;
  const words = new Uint32Array(wordCount(edition.links.rowCount));
  let total = 0;
  for (const rows of [first, ...others]) total += addRows(words, rows, 0, rows.length);
  return Uint32Array.from(readRows(words, total, 0, total));
}

const NO_ROWS = new Uint32Array(0);

interface Kept {
  readonly answer: SharedWork<Uint32Array>;
  /** 0 until the answer is there. */
  rows: number;
}

/** By day and code. The one that was used last is the last. */
const keptOf = perEdition(() => new Map<string, Kept>());

/** The rows of all answers that are kept: 4 MB. */
const KEPT_ROWS_MAX = 1 << 20;
const KEPT_MAX = 500;

async function keptMembers(
  edition: Edition,
  code: string,
  day: string,
  signal: AbortSignal | undefined,
): Promise<Uint32Array> {
  const kept = keptOf(edition);
  const key = `${day} ${code}`;
  const known = kept.get(key);
  const isKnown = known !== undefined && !known.answer.isStopped;
  const found: Kept = isKnown
    ? known
    : { answer: shareWork((pause) => findMembers(edition, code, day, pause)), rows: 0 };
  kept.delete(key);
  kept.set(key, found);
  const answer = await found.answer.wait(signal);
  found.rows = answer.length;
  forgetOldest(kept);
  return answer;
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
async function findMembers(
  edition: Edition,
  code: string,
  day: string,
  pause: Pause,
): Promise<Uint32Array> {
  const { links } = edition;
  const waysUp = waysUpOn(edition, day);
  const met = new Set<number>();
  const members: number[] = [];
  const wanted = targetNumberOf(links, code);
  const waiting = [code];
  for (const each of waiting) {
    const target = targetNumberOf(links, each);
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

/**
 * For each row of the edition, the number of its organisation of the level as a target, or -1. All
 * rows are asked once, in pieces; what they say of the last days is kept. Rejects as `membersOf`.
 */
export async function levelColumn(
  edition: Edition,
  level: LevelName,
  day: string,
  signal?: AbortSignal,
): Promise<Int32Array> {
  const kept = keptColumns(edition);
  const known = kept.get(day);
  const isKnown = known !== undefined && !known.isStopped;
  const work = isKnown ? known : shareWork((pause) => readColumns(edition, day, pause));
  kept.delete(day);
  kept.set(day, work);
  for (const [oldest] of kept) if (kept.size > COLUMN_DAYS_MAX) kept.delete(oldest);
  const columns = await work.wait(signal);
  return columns[LEVEL_NAMES.indexOf(level)]!;
}

const keptColumns = perEdition(() => new Map<string, SharedWork<readonly Int32Array[]>>());

/** Those of 350,000 rows take 7 MB a day. */
const COLUMN_DAYS_MAX = 2;

async function readColumns(
  edition: Edition,
  day: string,
  pause: Pause,
): Promise<readonly Int32Array[]> {
  const { rowCount } = edition.links;
  const waysUp = waysUpOn(edition, day);
  const columns = LEVEL_NAMES.map(() => new Int32Array(rowCount).fill(-1));
  for (let row = 0; row < rowCount; row++) {
    const turn = pause();
    if (turn !== undefined) await turn;
    const ways = climb(waysUp, row);
    if (ways.length === 0) continue;
    for (const [at, name] of LEVEL_NAMES.entries()) {
      columns[at]![row] = wayNamed(ways, name)?.to ?? -1;
    }
  }
  return columns;
}
