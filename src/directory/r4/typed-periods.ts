/** The periods of a role or relationship as extensions that say which kind of date each one has. */
import type { PeriodRecord } from '../record.ts';
import { present } from '../resource-parts.ts';
import { R4_EXTENSIONS, R4_SYSTEMS } from './systems.ts';

/** Legal first, then Operational. */
export function typedPeriods(periods: readonly PeriodRecord[]): readonly object[] {
  return periods.toSorted((a, b) => rank(a) - rank(b)).map(typedPeriod);
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
