/** The organisations that an organisation belongs to now, later, and before. */
import type { Edition } from '../../directory/edition/edition.ts';
import type { PeriodRecord } from '../../directory/record/record.ts';
import { inTime, type Phase } from '../../directory/time/in-force.ts';
import type { Addresses } from '../addresses.ts';
import { type RelatedOrganization, relatedOrganization } from './related-organization.ts';
import { byRelationType, relationWords } from './relation-words.ts';

export interface BelongsTo {
  readonly current: readonly Belonging[];
  /** Announced, the next one first. */
  readonly later: readonly Belonging[];
  readonly past: readonly Belonging[];
  /** How many relationships the page leaves out. */
  readonly leftOut: number;
}

export interface Belonging extends RelatedOrganization {
  /** `Commissioned by`. */
  readonly words: string;
  /** The period that decides whether it is current. */
  readonly period: PeriodRecord | undefined;
}

/** The national file has at most about 60 for a record. */
const SHOWN_MAX = 500;

export function belongsTo(
  edition: Edition,
  row: number,
  addresses: Addresses,
  today: string,
): BelongsTo {
  const { relations } = edition;
  const { first, end } = relations.ofRow(row);
  const count = Math.min(end - first, SHOWN_MAX);
  const all = Array.from({ length: count }, (_, i) => {
    const relationship = relations.at(first + i);
    return { relationship, ...inTime(relationship, today) };
  });
  const shown = (wanted: Phase): Belonging[] =>
    all
      .filter(({ phase }) => phase === wanted)
      .toSorted(
        (a, b) =>
          byRelationType(a.relationship.type, b.relationship.type) ||
          startOf(b.period).localeCompare(startOf(a.period)),
      )
      .map(({ relationship: { target, type }, period }) => ({
        ...relatedOrganization(edition, target, addresses),
        words: relationWords(edition, type),
        period,
      }));
  return {
    current: shown('now'),
    later: shown('later').toSorted((a, b) => startOf(a.period).localeCompare(startOf(b.period))),
    past: shown('past'),
    leftOut: end - first - count,
  };
}

function startOf(period: PeriodRecord | undefined): string {
  return period?.start ?? '';
}
