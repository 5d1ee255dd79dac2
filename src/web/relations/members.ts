/** The organisations that belong to others: their criterion, and their counts by type. */
import type { Edition } from '../../directory/edition.ts';
import { hasRelationship } from '../../directory/index/related-column.ts';
import type { DirectoryCriterion } from '../../directory/query.ts';
import { ACTIVE } from '../look-up/criteria.ts';
import { facetsOf } from '../look-up/facets.ts';
import { byRelationType } from './relation-words.ts';

/** Active organisations with the same type of relationship and the same main role. */
export interface MemberGroup {
  /** The type of the relationship without `RE`. */
  readonly type: string;
  /** The code of the main role without `RO`. */
  readonly role: string;
  readonly count: number;
}

/** A current relationship to one of the codes; `type` without `RE`. */
export function isMemberOf(targets: readonly string[], type?: string): DirectoryCriterion {
  const types = type === undefined ? {} : { types: [type] };
  return hasRelationship({ targets, isActive: true, ...types });
}

/** The active members of an organisation, in the order of the types, the largest group first. */
export function memberGroups(edition: Edition, code: string): MemberGroup[] {
  const { index, relations, codeSystems } = edition;
  if (relations.incoming(code).length === 0) return [];
  const facets = facetsOf(edition);
  return codeSystems.relationships
    .map((concept) => concept.code)
    .toSorted(byRelationType)
    .flatMap((type) => {
      const criteria = [isMemberOf([code], type), ACTIVE];
      const { rows } = index.search({ criteria }, 0, index.count);
      if (rows.length === 0) return [];
      return facets
        .primaryRoles(facets.count(rows))
        .map(({ code: role, active }) => ({ type, role, count: active }));
    });
}

/**
 * The codes, and the codes of those of their members that have members too. Organisations with a
 * relationship to one of them belong to the codes directly or through one other organisation: a
 * practice belongs to an integrated care board through a part of it.
 */
export function withMembers({ index, relations }: Edition, codes: readonly string[]): string[] {
  const { rows } = index.search({ criteria: [isMemberOf(codes)] }, 0, index.count);
  const members = rows.filter(relations.hasIncoming).map(index.codeOf);
  return [...new Set([...codes, ...members])];
}
