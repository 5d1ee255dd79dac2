/** The organisations that belong to others: their criterion, and their counts by type. */
import type { Edition } from '../../directory/edition/edition.ts';
import { hasRelationship } from '../../directory/index/columns/related-column.ts';
import type { DirectoryCriterion } from '../../directory/index/organization-index.ts';
import { inTime } from '../../directory/record/in-force.ts';
import { byRelationshipType } from '../parts/code-names.ts';
import { ACTIVE, hasCode } from './criteria.ts';
import { facetsOf } from './facets.ts';

/** Active organisations with the same type of relationship and the same main role. */
export interface MemberGroup {
  /** The type of the relationship without `RE`. */
  readonly type: string;
  /** The code of the main role without `RO`. */
  readonly role: string;
  readonly count: number;
}

/** A relationship to one of the codes that is in force on the day; `type` without `RE`. */
export function isMemberOf(
  { links, index }: Edition,
  targets: readonly string[],
  day: string,
  type?: string,
): DirectoryCriterion {
  const relationshipAt = links.scan();
  const ordinals = targets.flatMap((code) => [...links.incoming(code)]).sort((a, b) => a - b);
  const members = new Set<number>();
  let isStatusRight = true;
  for (const ordinal of ordinals) {
    const relationship = relationshipAt(ordinal);
    if (type !== undefined && relationship.type !== type) continue;
    const isInForce = inTime(relationship, day).phase === 'now';
    if (isInForce !== relationship.isActive) isStatusRight = false;
    // Reference-only records have no page.
    if (isInForce && relationship.sourceRow < index.count) members.add(relationship.sourceRow);
  }
  // The index has the statuses. It is faster than a list of codes.
  if (!isStatusRight) return hasCode('code', [...members].map(index.codeOf));
  const types = type !== undefined && { types: [type] };
  return hasRelationship({ targets, isActive: true, ...types });
}

/** The active members of an organisation, in the order of the types, the largest group first. */
export function memberGroups(edition: Edition, code: string, day: string): MemberGroup[] {
  const { index, links, codeSystems } = edition;
  const ordinals = [...links.incoming(code)].sort((a, b) => a - b);
  if (ordinals.length === 0) return [];
  const relationshipAt = links.scan();
  const types = new Set(ordinals.map((ordinal) => relationshipAt(ordinal).type));
  const facets = facetsOf(edition);
  return codeSystems.relationships
    .map((concept) => concept.code)
    .filter((type) => types.has(type))
    .toSorted(byRelationshipType)
    .flatMap((type) => {
      const criteria = [isMemberOf(edition, [code], day, type), ACTIVE];
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
export function withMembers(edition: Edition, codes: readonly string[], day: string): string[] {
  const { index, links } = edition;
  const { rows } = index.search({ criteria: [isMemberOf(edition, codes, day)] }, 0, index.count);
  const members = rows.filter(links.hasIncoming).map(index.codeOf);
  return [...new Set([...codes, ...members])];
}
