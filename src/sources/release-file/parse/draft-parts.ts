/** Values that organisations, roles, relationships and successions have in common. */

import type { PeriodRecord } from '../../../directory/record/record.ts';
import type { Warning } from '../../../directory/record/source.ts';
import { cleanText, isDate, printable, quoted } from '../../text/source-text.ts';
import type { DateDraft } from './draft.ts';

/** Reads a boolean of XML Schema. Any other value is false, with a warning. */
export function isTrue(
  value: string | undefined,
  name: () => string,
  warnings: Warning[],
): boolean {
  // Real files have no other values.
  if (value === undefined || value === 'true') return value !== undefined;
  const word = value.trim();
  if (word === 'true' || word === '1') return true;
  if (word !== 'false' && word !== '0') {
    warnings.push({ kind: 'unknown-value', detail: `${name()} ${quoted(value)}` });
  }
  return false;
}

/**
 * Whether a Status is Active; undefined, with a warning, where it is neither Active nor
 * Inactive.
 */
export function statusOf(
  value: string | undefined,
  name: () => string,
  warnings: Warning[],
): boolean | undefined {
  if (value === 'Active') return true;
  if (value === 'Inactive') return false;
  const word = (value ?? '').trim();
  if (/^active$/i.test(word)) return true;
  if (/^inactive$/i.test(word)) return false;
  if (word !== '') warnings.push({ kind: 'unknown-value', detail: `${name()} ${quoted(word)}` });
  return undefined;
}

/** The Operational periods, then the Legal ones, each in the order of the file. */
export function draftPeriods(
  dates: readonly DateDraft[],
  warnings: Warning[],
): readonly PeriodRecord[] {
  const operational: PeriodRecord[] = [];
  const legal: PeriodRecord[] = [];
  for (const date of dates) {
    const period = periodOf(date, warnings);
    if (period !== undefined) (period.kind === 'Operational' ? operational : legal).push(period);
  }
  return legal.length === 0 ? operational : [...operational, ...legal];
}

function periodOf(date: DateDraft, warnings: Warning[]): PeriodRecord | undefined {
  const kind = cleanText(date.type);
  if (kind !== 'Operational' && kind !== 'Legal') {
    warnings.push({
      kind: 'element-left-out',
      detail: `a Date of type ${printable(kind ?? '(none)')}`,
    });
    return undefined;
  }
  const start = dateOf(date.start, `${kind} Start`, warnings);
  const end = dateOf(date.end, `${kind} End`, warnings);
  if (start === undefined) {
    warnings.push({ kind: 'period-without-start', detail: kind });
    return end === undefined ? undefined : { kind, end };
  }
  if (end === undefined) return { kind, start };
  if (end >= start) return { kind, start, end };
  // FHIR's rule per-1: a period does not end before it starts.
  warnings.push({ kind: 'invalid-date', detail: `${kind} End ${end} before its Start ${start}` });
  return { kind, start };
}

/** The number that identifies a part: 1 or more, as FHIR's integers allow. */
export function uniqueIdOf(
  value: string | undefined,
  attribute: string,
  warnings: Warning[],
): number | undefined {
  const text = value?.trim() ?? '';
  if (text === '') return undefined;
  const number = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= UNIQUE_ID_MAX) return number;
  warnings.push({ kind: 'invalid-number', detail: `${attribute} ${quoted(text)}` });
  return undefined;
}

/** The largest integer in FHIR. Real numbers have up to seven digits. */
const UNIQUE_ID_MAX = 2 ** 31 - 1;

/** A date of the calendar. Any other value is absent, with a warning. */
export function dateOf(
  value: string | undefined,
  element: string,
  warnings: Warning[],
): string | undefined {
  const date = cleanText(value);
  if (date === undefined || isDate(date)) return date;
  warnings.push({ kind: 'invalid-date', detail: `${element} ${printable(date)}` });
  return undefined;
}
