/** Reads the dates of an Organization: its last change and its active periods. */

import type { PeriodRecord } from '../../directory/record/record.ts';
import { type FhirObject, isObject } from '../../fhir/format/resource.ts';
import { printable } from '../release-file/source-text.ts';
import { type Notes, noteOthers, objectsOf, stringIn } from './organization-parts.ts';
import type { UnderstoodUris } from './understood-uris.ts';

/**
 * An instant in the form of records: midnight in UTC, in any notation, becomes a date, and any
 * other instant keeps its time. Undefined if the text is not an instant after the year 0.
 */
export function lastChangeOf(instant: string | undefined): string | undefined {
  if (instant === undefined || !/^\d/.test(instant) || Number.isNaN(Date.parse(instant))) {
    return undefined;
  }
  return instant.replace(MIDNIGHT, '');
}

const MIDNIGHT = /T00:00:00(?:\.0+)?(?:Z|[+-]00:00)$/;

/** An active period as it was read. */
export interface PeriodPart {
  readonly kind: string | undefined;
  readonly start: string | undefined;
  readonly end: string | undefined;
}

/** The period of an ActivePeriod extension; its kind is an extension of the Period. */
export function periodPart(extension: FhirObject, uris: UnderstoodUris, notes: Notes): PeriodPart {
  const { valuePeriod } = extension;
  if (!isObject(valuePeriod)) return { kind: undefined, start: undefined, end: undefined };
  noteOthers(valuePeriod, PERIOD, 'activePeriod.', notes);
  let kind: string | undefined;
  for (const part of objectsOf(valuePeriod.extension)) {
    const url = stringIn(part.url) ?? '';
    if (uris.dateType.has(url)) kind = notes.text(part.valueString);
    else notes.leftOut(`extension ${printable(url)} of a period`);
  }
  return { kind, start: stringIn(valuePeriod.start), end: stringIn(valuePeriod.end) };
}

const PERIOD = new Set(['extension', 'start', 'end']);

/** Operational first, then Legal, each in the order of the resource. */
export function periodsOf(parts: readonly PeriodPart[], notes: Notes): readonly PeriodRecord[] {
  const operational: PeriodRecord[] = [];
  const legal: PeriodRecord[] = [];
  for (const part of parts) {
    const period = periodOf(part, notes);
    if (period !== undefined) (period.kind === 'Operational' ? operational : legal).push(period);
  }
  return [...operational, ...legal];
}

function periodOf(part: PeriodPart, notes: Notes): PeriodRecord | undefined {
  const { kind } = part;
  if (kind !== 'Operational' && kind !== 'Legal') {
    notes.leftOut(`a period of type ${printable(kind ?? '(none)')}`);
    return undefined;
  }
  const start = dateOf(part.start, `${kind} start`, notes);
  const end = dateOf(part.end, `${kind} end`, notes);
  if (start === undefined) {
    notes.warn('period-without-start', kind);
    return undefined;
  }
  if (end === undefined) return { kind, start };
  // Compares the parts that both dates have: a period may start on a day and end in the same year
  // (FHIR's per-1).
  const length = Math.min(start.length, end.length);
  if (end.slice(0, length) >= start.slice(0, length)) return { kind, start, end };
  notes.warn('invalid-date', `${kind} end ${end} before its start ${start}`);
  return { kind, start };
}

/** The date of a dateTime, which may be a year or a month. */
function dateOf(dateTime: string | undefined, place: string, notes: Notes): string | undefined {
  if (dateTime === undefined) return undefined;
  const [date = '', time] = dateTime.split('T');
  if (!/^\d{4}(?:-\d\d){0,2}$/.test(date)) {
    notes.warn('invalid-date', `${place} ${printable(dateTime)}`);
    return undefined;
  }
  if (time !== undefined) notes.leftOut('the time of day of a period');
  return date;
}
