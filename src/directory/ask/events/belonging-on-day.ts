/** Whether the organisations of events belong to another one on the days of the events. */

import { createPauses } from '../../../threads/pauses.ts';
import { type Edition, perEdition } from '../../edition/edition.ts';
import { wordCount } from '../../index/sets/bits.ts';
import type { SourceRecord } from '../../record/record.ts';
import { climb } from '../belongs-to.ts';
import { openWaysUp, targetNumberOf, UPWARD, type WaysUp, waysOfRecord } from '../ways-up.ts';

/** Asks about one organisation: the one that others belong to, directly or through others. */
export interface BelongingOnDay {
  /** `row` is numbered as in `links`. */
  ofRow(row: number, day: string): boolean;
  /** The same of a record that the edition does not have. */
  ofRecord(record: SourceRecord, day: string): boolean;
}

/** `code`: the organisation that others belong to. */
export function openBelonging(edition: Edition, code: string): BelongingOnDay {
  const { links } = edition;
  const wanted = targetNumberOf(links, code);
  const days = new Map<string, WaysUp>();
  const waysUpOn = (day: string): WaysUp => {
    const known = days.get(day);
    if (known !== undefined) return known;
    if (days.size >= DAYS_MAX) days.clear();
    const waysUp = openWaysUp(edition, day);
    days.set(day, waysUp);
    return waysUp;
  };
  return {
    ofRow: (row, day) => climb(waysUpOn(day), row).some(({ to }) => to === wanted),
    ofRecord: (record, day) => {
      const { ways, toOf } = waysOfRecord(edition, record, day);
      const own = toOf(record.code);
      const waysUp: WaysUp = (at) => {
        if (at === own) return ways;
        return at < 0 ? [] : waysUpOn(day)(at);
      };
      return climb(waysUp, own).some(({ to }) => to === toOf(code));
    },
  };
}

/** Events come by day, or in the order of codes. */
const DAYS_MAX = 32;

/**
 * The rows that may belong to an organisation on some day, or have a relationship of any type to it,
 * as bits. Other requests are answered meanwhile. The last ones are kept.
 */
export async function rowsEverBelow(edition: Edition, code: string): Promise<Uint32Array> {
  const kept = keptBelow(edition);
  const found = kept.get(code) ?? findBelow(edition, code);
  kept.delete(code);
  kept.set(code, found);
  for (const [oldest] of kept) if (kept.size > KEPT_MAX) kept.delete(oldest);
  return await found;
}

const keptBelow = perEdition(() => new Map<string, Promise<Uint32Array>>());

/** Of 350,000 rows, each takes 44 KB. */
const KEPT_MAX = 50;

async function findBelow({ links }: Edition, code: string): Promise<Uint32Array> {
  const words = new Uint32Array(wordCount(links.rowCount));
  const relationshipAt = links.scan();
  const pause = createPauses();
  const waiting = [code];
  for (const [at, above] of waiting.entries()) {
    for (const ordinal of links.incoming(above)) {
      const turn = pause();
      if (turn !== undefined) await turn;
      const { sourceRow: row, type } = relationshipAt(ordinal);
      if (at > 0 && !UPWARD.includes(type)) continue;
      const bit = 1 << row;
      if ((words[row >>> 5]! & bit) !== 0) continue;
      words[row >>> 5]! |= bit;
      if (links.hasIncoming(row)) waiting.push(links.codeOf(row));
    }
  }
  return words;
}
