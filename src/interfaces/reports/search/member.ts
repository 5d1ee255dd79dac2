/** A member of the JSON objects in answers: a row of a table, from which answers and documents come. */

import { firstDay, lastDay } from '../../../directory/record/day.ts';
import { periodOn, type Timed } from '../../../directory/record/in-force.ts';
import type { PeriodKind } from '../../../directory/record/record.ts';
import type { SearchView } from './view.ts';

/** A member without a value is left out. */
export type Member<Facts> = readonly [
  name: string,
  kind: MemberKind,
  meaning: string,
  read: (facts: Facts) => MemberValue,
];

/** `null` in a list: the value of this place is not known. */
type MemberValue = string | number | boolean | readonly (string | null)[] | undefined;

export type MemberKind = keyof typeof MEMBER_SCHEMAS;

/** The JSON schema of each kind. */
const MEMBER_SCHEMAS = {
  text: { type: 'string' },
  number: { type: 'integer' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  'list of texts': { type: 'array', items: { type: ['string', 'null'] } },
  'list of dates': { type: 'array', items: { type: ['string', 'null'], format: 'date' } },
} as const;

/** The starts and ends of the period of each kind that decides on the day. */
export function periodMembers<Facts extends { readonly view: Pick<SearchView, 'day'> }>(
  what: string,
  timedOf: (facts: Facts) => Timed,
): readonly Member<Facts>[] {
  return PERIODS.map(([name, wanted, end]) => [
    name,
    'date',
    `The ${end} of the ${wanted.toLowerCase()} period of the ${what}.`,
    (facts) => {
      const period = periodOn(timedOf(facts), facts.view.day, wanted);
      return end === 'start' ? firstDay(period?.start) : lastDay(period?.end);
    },
  ]);
}

const PERIODS: readonly (readonly [name: string, kind: PeriodKind, end: 'start' | 'end'])[] = [
  ['opStartDate', 'Operational', 'start'],
  ['opEndDate', 'Operational', 'end'],
  ['legStartDate', 'Legal', 'start'],
  ['legEndDate', 'Legal', 'end'],
];

/**
 * The JSON text of an object. Names need no escapes. Most of the sixty members of an organisation have
 * no value: an object with them all takes twice as long to make.
 */
export function objectText<Facts>(members: readonly Member<Facts>[], facts: Facts): string {
  let text = '';
  for (const [name, , , read] of members) {
    const value = read(facts);
    if (value === undefined) continue;
    text += `${text === '' ? '{' : ','}"${name}":${JSON.stringify(value)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** The JSON schema of an object. */
export function objectSchema<Facts>(members: readonly Member<Facts>[]): object {
  const properties = members.map(([name, kind, description]) => [
    name,
    { ...MEMBER_SCHEMAS[kind], description },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}
