/** What replaced a closed organisation, where that has closed too. */

import { resolveCode, successorsOf } from '../../directory/ask/successors.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { recordAt } from '../../directory/edition/edition-records.ts';
import { namedCode } from '../../directory/edition/source-record.ts';
import { inTime } from '../../directory/record/in-force.ts';
import type { NamedCode } from '../../directory/record/named-code.ts';
import { formatDate, formatList } from './display.ts';

export interface ClosedSuccessors {
  readonly successors: readonly NamedCode[];
  /** What follows their names: `, which closed on 1 April 2025. Nothing that replaced it is open.` */
  readonly words: string;
}

/** Undefined if nothing replaced the code until the day, or what did, or what replaced that, is open. */
export function closedSuccessors(
  edition: Edition,
  code: string,
  day: string,
): ClosedSuccessors | undefined {
  const codes = successorsOf(edition, code)
    .filter(({ day: start = '' }) => start <= day)
    .map(({ to }) => to);
  if (codes.length === 0 || resolveCode(edition, code, day).outcome !== 'closed') return undefined;
  const ends = codes.flatMap((successor) => lastDayOf(edition, successor, day) ?? []);
  const dates = [...new Set(ends)].map(formatDate);
  const closed = dates.length === 0 ? 'closed' : `closed on ${formatList(dates)}`;
  return {
    successors: codes.map((successor) => namedCode(edition, successor)),
    words: `, which ${closed}. Nothing that replaced it is open.`,
  };
}

function lastDayOf(edition: Edition, code: string, day: string): string | undefined {
  const row = edition.links.rowOf(code);
  if (row === undefined) return undefined;
  const { phase, period } = inTime(recordAt(edition, row), day);
  return phase === 'past' ? period?.end : undefined;
}
