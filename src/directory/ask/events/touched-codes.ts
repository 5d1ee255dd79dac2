/** The codes that editions added, changed or removed after an earlier one. */

import { createPauses } from '../../../threads/pauses.ts';
import type { Edition } from '../../edition/edition.ts';
import {
  CHANGE_KINDS,
  type EditionHistory,
  type EditionInfo,
} from '../../edition/edition-store.ts';
import { codesIn, sortedCodes } from './code-lines.ts';
import { listedEditions } from './kept-editions.ts';

export interface Touched {
  /** Ascending: all that may differ between the two editions. */
  readonly codes: readonly string[];
  /** The editions after the base that changed the code, the newest first. */
  readonly editionsOf: ReadonlyMap<string, readonly EditionInfo[]>;
}

/**
 * The codes that the editions after the base added, changed or removed. Kept for a few bases, because
 * each page of an answer asks again. Other requests are answered meanwhile.
 */
export function touchedSince(
  edition: Edition,
  base: EditionInfo,
  history: EditionHistory,
): Promise<Touched> {
  const bases = TOUCHED.get(edition) ?? new Map<number, Promise<Touched>>();
  TOUCHED.set(edition, bases);
  const known = bases.get(base.number);
  if (known !== undefined) return known;
  if (bases.size >= BASES_MAX) bases.clear();
  const found = findTouched(edition, base, history);
  bases.set(base.number, found);
  found.then(
    ({ codes }) => {
      if (codes.length <= CODES_KEPT_MAX) return;
      for (const other of bases.keys()) if (other !== base.number) bases.delete(other);
    },
    () => bases.delete(base.number),
  );
  return found;
}

const TOUCHED = new WeakMap<Edition, Map<number, Promise<Touched>>>();

const BASES_MAX = 4;

/** About 6 MB. Of longer lists, only the one that was asked for last is kept. */
const CODES_KEPT_MAX = 100_000;

async function findTouched(
  { number: newest }: Edition,
  base: EditionInfo,
  history: EditionHistory,
): Promise<Touched> {
  const pause = createPauses();
  const listed: Listed[] = [];
  const infos = (await listedEditions(history)).filter(({ number }) => number <= newest);
  let from = base.number;
  for (const info of infos.toReversed()) {
    if (info.number <= from) break;
    // An edition that was compared with one before the base says nothing of what came between.
    const { comparedTo = 0 } = (await history.differenceCounts(info.number)) ?? {};
    from = Math.min(from, comparedTo);
    const codes = new Set<string>();
    for (const kind of CHANGE_KINDS) {
      for (const code of codesIn(await history.codes(info.number, kind))) {
        codes.add(code);
        const turn = pause();
        if (turn !== undefined) await turn;
      }
    }
    listed.push({ info, comparedTo, codes });
  }
  const editionsOf = new Map<string, readonly EditionInfo[]>();
  for (const one of listed) {
    // Most codes share this list: few are changed twice.
    const own = one.info.number > base.number ? [one.info] : [];
    for (const code of touchedBy(one, listed)) {
      const known = editionsOf.get(code);
      editionsOf.set(code, known === undefined ? own : known.concat(own));
      const turn = pause();
      if (turn !== undefined) await turn;
    }
  }
  return { codes: await sortedCodes(editionsOf.keys()), editionsOf };
}

interface Listed {
  readonly info: EditionInfo;
  readonly comparedTo: number;
  readonly codes: ReadonlySet<string>;
}

/**
 * Each code once. After damage, an edition can also undo what those say that it was not compared
 * with.
 */
function* touchedBy(
  { info, comparedTo, codes }: Listed,
  all: readonly Listed[],
): Generator<string, void, undefined> {
  yield* codes;
  const further = new Set<string>();
  for (const other of all) {
    if (other.info.number <= comparedTo || other.info.number >= info.number) continue;
    for (const code of other.codes) {
      if (codes.has(code) || further.has(code)) continue;
      further.add(code);
      yield code;
    }
  }
}
