/** The organisations that belong to others: their criterion, and their counts by type. */
import type { Edition } from '../../directory/edition.ts';
import type { DirectoryCriterion } from '../../directory/query.ts';
import { hasCode } from '../look-up/criteria.ts';
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

/** Current relationships to one of the codes; `type` without `RE`. */
export function isMemberOf(
  edition: Edition,
  codes: readonly string[],
  type?: string,
): DirectoryCriterion {
  const rows = new Set<number>();
  for (const code of codes) {
    for (const [each, members] of membersByType(edition, code)) {
      if (type === undefined || each === type) for (const row of members) rows.add(row);
    }
  }
  return hasCode('code', Array.from(rows, edition.index.codeOf));
}

/** The active members of an organisation, in the order of the types, the largest group first. */
export function memberGroups(edition: Edition, code: string): MemberGroup[] {
  const facets = facetsOf(edition);
  return [...membersByType(edition, code)]
    .toSorted(([a], [b]) => byRelationType(a, b))
    .flatMap(([type, rows]) =>
      facets
        .primaryRoles(facets.count([...rows]))
        .filter(({ active }) => active > 0)
        .map(({ code: role, active }) => ({ type, role, count: active })),
    );
}

/**
 * The codes, and the codes of those of their members that have members too. Organisations with a
 * relationship to one of them belong to the codes directly or through one other organisation: a
 * practice belongs to an integrated care board through a part of it.
 */
export function withMembers(edition: Edition, codes: readonly string[]): string[] {
  const { index, relations } = edition;
  const members = codes
    .flatMap((code) => [...membersByType(edition, code).values()].flatMap((rows) => [...rows]))
    .map(index.codeOf)
    .filter((code) => relations.incoming(code).length > 0);
  return [...new Set([...codes, ...members])];
}

/** The rows of the full records with a current relationship to the code, by its type. */
function membersByType({ relations, index }: Edition, code: string): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  for (const ordinal of relations.incoming(code)) {
    const { isActive, type, sourceRow } = relations.at(ordinal);
    if (!isActive || sourceRow >= index.count) continue;
    const rows = found.get(type);
    if (rows === undefined) found.set(type, new Set([sourceRow]));
    else rows.add(sourceRow);
  }
  return found;
}
