/** The organisations that an organisation belongs to: the current ones, and the past ones. */
import type { Edition } from '../../directory/edition.ts';
import type { PeriodRecord } from '../../directory/record.ts';
import type { Relationship } from '../../directory/relations.ts';
import type { Addresses } from '../addresses.ts';
import { type RelatedOrganization, relatedOrganization } from './related-organization.ts';
import { byRelationType, relationWords } from './relation-words.ts';

export interface BelongsTo {
  readonly current: readonly Belonging[];
  readonly past: readonly Belonging[];
  /** How many relationships the page leaves out. */
  readonly leftOut: number;
}

export interface Belonging extends RelatedOrganization {
  /** `Commissioned by`. */
  readonly words: string;
  readonly periods: readonly PeriodRecord[];
}

/** The national file has at most about 60 for a record. */
const SHOWN_MAX = 500;

export function belongsTo(edition: Edition, row: number, addresses: Addresses): BelongsTo {
  const { relations } = edition;
  const { first, end } = relations.ofRow(row);
  const count = Math.min(end - first, SHOWN_MAX);
  const all = Array.from({ length: count }, (_, i) => relations.at(first + i));
  const shown = (isActive: boolean) =>
    all
      .filter((relationship) => relationship.isActive === isActive)
      .toSorted((a, b) => byRelationType(a.type, b.type) || latestFirst(a, b))
      .map((relationship) => ({
        ...relatedOrganization(edition, relationship.target, addresses),
        words: relationWords(edition, relationship.type),
        periods: relationship.periods,
      }));
  return { current: shown(true), past: shown(false), leftOut: end - first - count };
}

function latestFirst(a: Relationship, b: Relationship): number {
  return startOf(b).localeCompare(startOf(a));
}

function startOf({ periods }: Relationship): string {
  return periods[0]?.start ?? '';
}
