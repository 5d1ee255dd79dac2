/** _lastUpdated: https://hl7.org/fhir/STU3/search.html#date */

import type { Alternative } from '../../../fhir/search/alternatives.ts';
import { type Parsed, parseEach, refused } from '../../../fhir/search/parsed.ts';
import type { Criterion } from '../../query.ts';

/** Each `gt` date becomes the end of the day, month, year or moment that it names. */
export function parseLastUpdated(alternatives: readonly Alternative[]): Parsed<Criterion> {
  return parseEach(
    alternatives,
    (parts) => {
      const text = parts.join('|');
      const isPrefixed = text.startsWith('gt');
      const end = isPrefixed ? endOf(text.slice(2)) : undefined;
      if (end !== undefined) return { value: end };
      return isPrefixed || text.trim() === ''
        ? refused('invalid-value', 'Supplied date is invalid')
        : refused('invalid-value', 'Supplied date prefix is invalid, must be gt');
    },
    (values) => ({ kind: 'changed', values }),
  );
}

/** A raw `+` before a zone has become a space in the query string. */
const DATE =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?(Z|[+\- ]\d{2}:\d{2})?)?)?)?$/;

/** The first millisecond (or part of one) after what the date names; nothing for no date. */
function endOf(text: string): number | undefined {
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const [, year = '', month, day, hour, minute = '', second, fraction, zone] = match;
  if (!isDay(Number(year), Number(month ?? 1), Number(day ?? 1))) return undefined;
  if (month === undefined) return utc(Number(year) + 1, 1, 1);
  if (day === undefined) return utc(Number(year), Number(month) + 1, 1);
  const midnight = utc(Number(year), Number(month), Number(day));
  if (hour === undefined) return midnight + DAY_MS;
  const offsetMs = zoneMs(zone);
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second ?? 0) < 60;
  if (!isTime || offsetMs === undefined) return undefined;
  const start = midnight + (Number(hour) * 60 + Number(minute)) * 60_000 - offsetMs;
  if (second === undefined) return start + 60_000;
  if (fraction === undefined) return start + Number(second) * 1000 + 1000;
  const precisionMs = 1000 / 10 ** (fraction.length - 1);
  return start + Number(second) * 1000 + Number(`0${fraction}`) * 1000 + precisionMs;
}

const DAY_MS = 86_400_000;

function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  return new Date(utc(year, month, day)).getUTCDate() === day;
}

/** Months beyond December are the next year's; years below 100 are themselves. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

/** The offset of a zone east of UTC; none is UTC; beyond 14 hours is no zone. */
function zoneMs(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  if (Number(zone.slice(4)) > 59 || minutes > 14 * 60) return undefined;
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}
