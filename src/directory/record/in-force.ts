/** Decides which parts of a record are in force on a day. The day is a date `YYYY-MM-DD`. */
import { lastDay } from './day.ts';
import type { PeriodKind, PeriodRecord } from './record.ts';

/** A part of a record that holds for some time: a relationship or a role. */
export interface Timed {
  readonly isActive: boolean;
  readonly periods: readonly PeriodRecord[];
}

export type Phase = 'past' | 'now' | 'later';

export interface InTime {
  readonly phase: Phase;
  /** The period that decides. Absent if the part has no periods. */
  readonly period: PeriodRecord | undefined;
}

/** The day in England, where the dates of records are from. */
export function dayOf(date: Date): string {
  const minute = Math.floor(date.getTime() / MINUTE_MS);
  if (minute !== last.minute) {
    last = { minute, day: DAY_IN_ENGLAND.format(date).split('/').reverse().join('-') };
  }
  return last.day;
}

const MINUTE_MS = 60_000;

/** To format a date takes 3 µs, and each request asks for the day. A day begins with a minute. */
let last = { minute: Number.NaN, day: '' };

/** `31/12/2026`. */
const DAY_IN_ENGLAND = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/**
 * Whether a part of a record was, is or will be in force on the day. Its periods of the `kind` decide,
 * or the others if it has none of it: the one that includes the day, else the next one, else the last
 * one. Changes are announced weeks ahead with the status Active, so the status decides only if
 * the part has no period, or the period has no end.
 */
export function inTime(
  { isActive, periods }: Timed,
  day: string,
  kind: PeriodKind = 'Operational',
): InTime {
  const hasKind = periods.some((period) => period.kind === kind);
  let best: InTime | undefined;
  for (const period of periods) {
    if (hasKind && period.kind !== kind) continue;
    const phase = phaseOf(period, isActive, day);
    if (best === undefined || isBetter(phase, period, best)) best = { phase, period };
  }
  return best ?? { phase: isActive ? 'now' : 'past', period: undefined };
}

/** The period of this kind that decides on the day, as in `inTime`. Undefined if it has none of it. */
export function periodOn(part: Timed, day: string, kind: PeriodKind): PeriodRecord | undefined {
  if (!part.periods.some((period) => period.kind === kind)) return undefined;
  return inTime(part, day, kind).period;
}

/** A period without a start includes every day until its end. */
function phaseOf({ start = '', end }: PeriodRecord, isActive: boolean, day: string): Phase {
  if (day < start) return 'later';
  if (end === undefined) return isActive ? 'now' : 'past';
  // The end is included. An end without a day or a month includes its whole month or year.
  return day.slice(0, end.length) > end ? 'past' : 'now';
}

const RANKS: Readonly<Record<Phase, number>> = { now: 2, later: 1, past: 0 };

function isBetter(phase: Phase, { start = '' }: PeriodRecord, best: InTime): boolean {
  if (phase !== best.phase) return RANKS[phase] > RANKS[best.phase];
  const other = best.period?.start ?? '';
  return phase === 'later' ? start < other : start > other;
}

/** The last day of what has ended. Undefined if a period has no end. */
export function lastDayOf({ periods }: Pick<Timed, 'periods'>): string | undefined {
  const operational = periods.filter(({ kind }) => kind === 'Operational');
  const deciding = operational.length > 0 ? operational : periods;
  if (deciding.some(({ end }) => end === undefined)) return undefined;
  return deciding
    .map(({ end = '' }) => lastDay(end))
    .sort()
    .at(-1);
}

/** The relationships that begin after the day, the next one first. */
export function nextAfter<Part extends Timed>(parts: readonly Part[], day: string): Part[] {
  return parts
    .map((part) => ({ part, ...inTime(part, day) }))
    .filter(({ phase }) => phase === 'later')
    .toSorted((a, b) => (a.period?.start ?? '').localeCompare(b.period?.start ?? ''))
    .map(({ part }) => part);
}

/** Those in force on the day, else those that have ended. The latest first. */
export function latestOn<Part extends Timed>(parts: readonly Part[], day: string): Part[] {
  const placed = parts
    .map((part) => ({ part, ...inTime(part, day) }))
    .toSorted((a, b) => (b.period?.start ?? '').localeCompare(a.period?.start ?? ''));
  const current = placed.filter(({ phase }) => phase === 'now');
  const found = current.length > 0 ? current : placed.filter(({ phase }) => phase === 'past');
  return found.map(({ part }) => part);
}
