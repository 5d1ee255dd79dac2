/** Which changes a feed with criteria shows. */
import { type FieldEntry, matches, type ResourceCriterion } from '../search/criterion.ts';

/** What decides whether a change matches: the index entries of its version, and of the one before. */
export interface ChangeFacts {
  /** Absent: the version has no content, because it deletes the resource or was erased. */
  readonly entries?: readonly FieldEntry[];
  /** Absent: there was no content before. */
  readonly before?: {
    readonly entries: readonly FieldEntry[];
    /** The content was erased, so that only `_id` is known. */
    readonly isErased: boolean;
  };
}

/**
 * Whether the version matches all criteria, or the one before it did: so a client that filters also
 * learns that a resource was deleted, or no longer matches. Nobody can tell whether erased content
 * matched. What follows it is shown, because the client may still have a copy.
 */
export function matchesChange(
  criteria: readonly ResourceCriterion[],
  { entries, before }: ChangeFacts,
): boolean {
  if (entries !== undefined && criteria.every((each) => matches(each, entries))) return true;
  return (
    before !== undefined &&
    criteria.every((each) => (before.isErased && !isId(each)) || matches(each, before.entries))
  );
}

/**
 * The criteria of which some of these changes may match. Most readers wait for a code that none of
 * the changes has: a look at the codes of all changes tells, without a look at each change.
 */
export function createSieve(
  changes: readonly ChangeFacts[],
): (criteria: readonly ResourceCriterion[]) => boolean {
  const codes = new Set<string>();
  for (const { entries = [], before } of changes) {
    if (before?.isErased) return () => true;
    for (const entry of [...entries, ...(before?.entries ?? [])]) {
      if ('code' in entry) codes.add(`${entry.field} ${entry.code}`);
    }
  }
  return (criteria) =>
    criteria.every((each) => {
      if (each.type !== 'token' || each.ignoreCase) return true;
      const { field, values } = each;
      return values.some(({ code }) => code === undefined || codes.has(`${field} ${code}`));
    });
}

/** The fields whose entries decide whether the criteria match. */
export function criteriaFields(criteria: readonly ResourceCriterion[]): string[] {
  return criteria.map((each) => (each.type === 'not' ? each.criterion : each).field);
}

function isId(criterion: ResourceCriterion): boolean {
  return criteriaFields([criterion]).includes('_id');
}
