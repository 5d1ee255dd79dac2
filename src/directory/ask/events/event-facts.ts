/** What an event says, as facts that are the same in two editions if the event is. */

import { daysAfter } from '../../record/day.ts';
import type { SourceRecord } from '../../record/record.ts';
import type { OrganizationEvent } from '../answers.ts';
import { changesOf, type DatedChange } from '../dated-events.ts';
import { successionDay } from '../successors.ts';

/** An event with codes in place of names. */
export type CodedEvent = Pick<DatedChange, 'kind' | 'day' | 'other' | 'from' | 'role' | 'by'> & {
  readonly code: string;
};

/**
 * Names do not count. A merger is the same fact as a succession, on whichever day it was. Who left one
 * organisation for another also left: these are two facts, which may become known one by one.
 */
export function factsOf({ kind, code, day, other, from, role, by }: CodedEvent): readonly string[] {
  if (kind === 'succeeded' || kind === 'merged') return [successionFact(code, other)];
  const left = from === undefined ? [] : [['left', daysAfter(day, -1), from, role, by].join(' ')];
  return [[kind, day, other, role, by].join(' '), ...left];
}

/** The facts that the record states about itself, and the successions that it states. */
function factsOfRecord(record: SourceRecord): ReadonlySet<string> {
  const { code, successions = [] } = record;
  return new Set([
    ...changesOf(record).flatMap((change) => factsOf({ ...change, code })),
    ...successions
      // Without a day, a succession is no event.
      .filter(({ periods }) => successionDay(periods) !== undefined)
      .map(({ kind, target }) =>
        kind === 'Successor'
          ? successionFact(code, target.code)
          : successionFact(target.code, code),
      ),
  ]);
}

function successionFact(from: string, to: string | undefined): string {
  return `succeeded ${from} ${to}`;
}

/**
 * Whether a state of a record has an event, or cannot tell, because its edition knows no
 * relationships. `undefined`: the edition does not have the record.
 */
export function createCheck(record: SourceRecord | undefined): (event: CodedEvent) => boolean {
  if (record === undefined) return () => false;
  const known = factsOfRecord(record);
  const knowsLinks = record.relationships !== undefined;
  return (event) =>
    (!knowsLinks && event.other !== undefined) || factsOf(event).every((fact) => known.has(fact));
}

export function coded({ other, from, ...event }: OrganizationEvent): CodedEvent {
  return {
    ...event,
    ...(other !== undefined && { other: other.code }),
    ...(from !== undefined && { from: from.code }),
  };
}
