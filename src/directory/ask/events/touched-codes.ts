/** The codes that editions added, changed or removed after an earlier one. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Edition } from '../../edition/edition.ts';
import {
  CHANGE_KINDS,
  type EditionHistory,
  type EditionInfo,
} from '../../edition/edition-store.ts';
import { linesOf } from './code-changes.ts';
import { listedEditions } from './kept-editions.ts';

export interface Touched {
  /** Ascending: all that may differ between the two editions. */
  readonly codes: readonly string[];
  /** The editions after the base that changed the code, the newest first. */
  readonly editionsOf: ReadonlyMap<string, readonly EditionInfo[]>;
}

/**
 * The codes that the editions after the base added, changed or removed. Kept for a few bases, because
 * each page of an answer asks again.
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
  found.catch(() => bases.delete(base.number));
  return found;
}

const TOUCHED = new WeakMap<Edition, Map<number, Promise<Touched>>>();

const BASES_MAX = 4;

async function findTouched(
  { number: newest }: Edition,
  base: EditionInfo,
  history: EditionHistory,
): Promise<Touched> {
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
      for (const code of linesOf(await history.codes(info.number, kind))) codes.add(code);
      await nextTurn();
    }
    listed.push({ info, comparedTo, codes });
  }
  const editionsOf = new Map<string, EditionInfo[]>();
  for (const one of listed) {
    for (const code of touchedBy(one, listed)) {
      const known = editionsOf.get(code) ?? [];
      if (one.info.number > base.number) known.push(one.info);
      editionsOf.set(code, known);
    }
    await nextTurn();
  }
  return { codes: [...editionsOf.keys()].sort(), editionsOf };
}

interface Listed {
  readonly info: EditionInfo;
  readonly comparedTo: number;
  readonly codes: ReadonlySet<string>;
}

/** After damage, an edition can also undo what those say that it was not compared with. */
function touchedBy({ info, comparedTo, codes }: Listed, all: readonly Listed[]): Iterable<string> {
  const between = all.filter(
    (other) => other.info.number > comparedTo && other.info.number < info.number,
  );
  if (between.length === 0) return codes;
  return new Set([...codes, ...between.flatMap((other) => [...other.codes])]);
}
