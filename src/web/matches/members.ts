/** The organisations with a relationship to another one, counted by type for its page. */
import { directMembersByType } from '../../directory/ask/direct-members.ts';
import { rowsCriterion } from '../../directory/ask/row-criterion.ts';
import { type Edition, perEdition } from '../../directory/edition/edition.ts';
import { byRelationshipType } from '../parts/code-names.ts';
import { ACTIVE } from './criteria.ts';
import { facetsOf } from './facets.ts';

/** Active organisations with the same type of relationship and the same main role. */
export interface MemberGroup {
  /** The type of the relationship without `RE`. */
  readonly type: string;
  /** The code of the main role without `RO`. */
  readonly role: string;
  readonly count: number;
}

/**
 * The active organisations with a relationship to this one, in the order of the types, the largest
 * group first. The answers about the last codes are kept: some organisations have tens of thousands.
 */
export async function directMemberGroups(
  edition: Edition,
  code: string,
  day: string,
): Promise<readonly MemberGroup[]> {
  const kept = keptGroups(edition);
  const key = `${day} ${code}`;
  let groups = kept.get(key);
  if (groups === undefined) {
    groups = await findGroups(edition, code, day);
    if (kept.size >= GROUPS_MAX) kept.clear();
    kept.set(key, groups);
  }
  return groups;
}

/** By day and code. */
const keptGroups = perEdition(() => new Map<string, readonly MemberGroup[]>());

/** About ten groups each, so a megabyte. */
const GROUPS_MAX = 1000;

async function findGroups(
  edition: Edition,
  code: string,
  day: string,
): Promise<readonly MemberGroup[]> {
  const { index, codeSystems } = edition;
  const byType = await directMembersByType(edition, [code], day);
  if (byType.size === 0) return [];
  const facets = facetsOf(edition);
  return codeSystems.relationships
    .map((concept) => concept.code)
    .filter((type) => byType.has(type))
    .toSorted(byRelationshipType)
    .flatMap((type) => {
      const criteria = [rowsCriterion(edition, byType.get(type)!), ACTIVE];
      const { rows } = index.search({ criteria }, 0, index.count);
      if (rows.length === 0) return [];
      return facets
        .primaryRoles(facets.count(rows))
        .map(({ code: role, active }) => ({ type, role, count: active }));
    });
}
