/**
 * Search parameters of type date: periods of time, from a year to a fraction of a second.
 * https://hl7.org/fhir/STU3/search.html#date
 */

import { type CriterionParameter, criterionParameter } from './parameter.ts';
import { type Alternative, type Parsed, parseEach, refused } from './parsed.ts';

/** From `start` until before `end`, in whole milliseconds since 1970 UTC. */
export interface DatePeriod {
  readonly start: number;
  readonly end: number;
}

/** The period that a date or time of a resource stands for, as an index holds it. */
export type DateEntry = DatePeriod;

export const DATE_PREFIXES = ['eq', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb', 'ap'] as const;
export type DatePrefix = (typeof DATE_PREFIXES)[number];

/** How an entry must compare with a period. For `ap` the period is wider than the one sent. */
export interface DateValue extends DatePeriod {
  readonly prefix: DatePrefix;
}

/** Matches a resource if one entry of its field matches one of the values. */
export interface DateCriterion<Field extends string = string> {
  readonly type: 'date';
  readonly field: Field;
  readonly values: readonly DateValue[];
}

/** The entry of a date, dateTime or instant; none for a text that is not a valid date. */
export function dateEntries(text: string | undefined): DateEntry[] {
  const period = text === undefined ? undefined : parsePeriod(text);
  return period === undefined ? [] : [period];
}

/** https://hl7.org/fhir/STU3/search.html#prefix */
export function matchesDate(entry: DateEntry, { prefix, start, end }: DateValue): boolean {
  const isEqual = entry.start >= start && entry.end <= end;
  switch (prefix) {
    case 'eq':
      return isEqual;
    case 'ne':
      return !isEqual;
    case 'gt':
      return entry.end > end;
    case 'lt':
      return entry.start < start;
    case 'ge':
      return entry.end > end || isEqual;
    case 'le':
      return entry.start < start || isEqual;
    case 'sa':
      return entry.start >= end;
    case 'eb':
      return entry.end <= start;
    case 'ap':
      return entry.start < end && entry.end > start;
  }
}

export function dateParameter<Field extends string>({
  name,
  field,
  documentation,
  prefixes = DATE_PREFIXES,
  diagnostics = dateDiagnostics(name, prefixes),
  hint,
}: {
  readonly name: string;
  readonly field: Field;
  readonly documentation: string;
  /** The prefixes that a value may have. A value without a prefix has `eq`. */
  readonly prefixes?: readonly DatePrefix[];
  /** The diagnostics of a value that is not valid. */
  readonly diagnostics?: string;
  readonly hint?: string;
}): CriterionParameter<DateCriterion<Field>> {
  return criterionParameter({ name, type: 'date', documentation }, (alternatives) =>
    parseEach(
      alternatives,
      (parts) => {
        const parsed = parseDate(parts, prefixes, diagnostics);
        if (hint === undefined || !('issues' in parsed)) return parsed;
        return { issues: parsed.issues.map((issue) => ({ ...issue, hint })) };
      },
      (values) => ({ type: 'date', field, values }),
    ),
  );
}

export function dateDiagnostics(name: string, prefixes: readonly DatePrefix[]): string {
  return (
    `${name} must be a date, such as 2026-03-31, alone or after one of the prefixes ` +
    `${prefixes.join(', ')}.`
  );
}

export function parseDate(
  parts: Alternative,
  prefixes: readonly DatePrefix[],
  diagnostics: string,
): Parsed<DateValue> {
  const text = parts.join('|');
  const written = prefixes.find((prefix) => text.startsWith(prefix));
  const prefix = written ?? prefixes.find((implied) => implied === 'eq');
  if (prefix === undefined && text.trim() !== '') {
    const missing = `Supplied date prefix is invalid, must be ${prefixes.join(', ')}`;
    return refused('invalid-value', missing);
  }
  const period = parsePeriod(written === undefined ? text : text.slice(written.length));
  if (prefix === undefined || period === undefined) {
    return refused('invalid-value', diagnostics);
  }
  return { value: { prefix, ...(prefix === 'ap' ? widened(period, Date.now()) : period) } };
}

/** Adds a tenth of the time between the period and now at both ends, as FHIR recommends. */
function widened({ start, end }: DatePeriod, nowMs: number): DatePeriod {
  const margin = Math.round(Math.abs(nowMs - (start + end) / 2) / 10);
  return { start: start - margin, end: end + margin };
}

/** In a query string, a `+` that is not percent-encoded arrives as a space. */
const DATE =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?(Z|[+\- ]\d{2}:\d{2})?)?)?)?$/;

/** The text with a `+` in each zone where a query string had a space in its place. */
export function withPlusOfZones(text: string): string {
  return text.replaceAll(/(T[\d:.]{5,}) (?=\d{2}:\d{2}(?:,|$))/g, '$1+');
}

/** The period that a text names. A time without a zone is UTC. */
function parsePeriod(text: string): DatePeriod | undefined {
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const [, yearText = '', month, day, hour, minute = '', second, fraction, zone] = match;
  const year = Number(yearText);
  if (!isDay(year, Number(month ?? 1), Number(day ?? 1))) return undefined;
  if (month === undefined) return { start: utc(year, 1, 1), end: utc(year + 1, 1, 1) };
  const first = utc(year, Number(month), 1);
  if (day === undefined) return { start: first, end: utc(year, Number(month) + 1, 1) };
  const midnight = utc(year, Number(month), Number(day));
  if (hour === undefined) return { start: midnight, end: midnight + DAY_MS };
  const offsetMs = zoneMs(zone);
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second ?? 0) < 60;
  if (!isTime || offsetMs === undefined) return undefined;
  const start = midnight + (Number(hour) * 60 + Number(minute)) * 60_000 - offsetMs;
  if (second === undefined) return { start, end: start + 60_000 };
  return secondPeriod(start + Number(second) * 1000, fraction);
}

/** A fraction is rounded to the milliseconds that it touches. */
function secondPeriod(second: number, fraction: string | undefined): DatePeriod {
  if (fraction === undefined) return { start: second, end: second + 1000 };
  const digits = fraction.slice(1);
  const start = second + Number(digits.slice(0, 3).padEnd(3, '0'));
  return { start, end: start + 10 ** Math.max(0, 3 - digits.length) };
}

const DAY_MS = 86_400_000;

function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  return day <= 28 || new Date(utc(year, month, day)).getUTCDate() === day;
}

/** Month 13 is January of the next year. Date.UTC takes years below 100 for those since 1900. */
function utc(year: number, month: number, day: number): number {
  if (year >= 100) return Date.UTC(year, month - 1, day);
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

/** The offset of a zone east of UTC. A zone is at most 14 hours away. */
function zoneMs(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  if (Number(zone.slice(4)) > 59 || minutes > 14 * 60) return undefined;
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}
