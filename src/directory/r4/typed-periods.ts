/** Dates as extensions that say which kind of date each one is. */

import { present } from '../answer/resource-parts.ts';
import type { PeriodRecord } from '../record/record.ts';
import { R4_EXTENSIONS, R4_SYSTEMS } from './systems.ts';

/** The periods of a role or relationship: Legal first, then Operational. */
export function typedPeriods(periods: readonly PeriodRecord[]): readonly object[] {
  return periods.toSorted((a, b) => rank(a) - rank(b)).map(typedPeriod);
}

/** `type` is a Coding. */
export function typedDateTime(type: object, dateTime: string) {
  return {
    url: R4_EXTENSIONS.typedDateTime,
    extension: [
      { url: 'type', valueCoding: type },
      { url: 'dateTime', valueDateTime: dateTime },
    ],
  };
}

export function periodElement({ start, end }: PeriodRecord) {
  return { start, ...present('end', end) };
}

function rank({ kind }: PeriodRecord): number {
  return kind === 'Legal' ? 0 : 1;
}

function typedPeriod(period: PeriodRecord) {
  const { kind } = period;
  const dateType = { system: R4_SYSTEMS.periodType, code: kind, display: kind };
  return {
    url: R4_EXTENSIONS.typedPeriod,
    extension: [
      { url: 'dateType', valueCoding: dateType },
      { url: 'period', valuePeriod: periodElement(period) },
    ],
  };
}
