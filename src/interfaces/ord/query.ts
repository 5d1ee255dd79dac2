/** What the parameters of a request make together: the criteria of a search, and its page. */

import { hasRelationship } from '../../directory/index/columns/related-column.ts';
import type { DirectoryCriterion } from '../../directory/index/organization-index.ts';
import type { Pair } from '../../fhir/http/query-string.ts';
import { refuse } from '../json/json-parameters.ts';

/** What a parameter sets. */
export interface OrdValue extends Partial<PageValues> {
  readonly criterion?: DirectoryCriterion;
  /** What a relationship of the organisation must have. All of them belong to one relationship. */
  readonly relationship?: Parameters<typeof hasRelationship>[0];
}

interface PageValues {
  /** The most rows of an answer. */
  readonly limit: number;
  /** The number of rows to skip. */
  readonly offset: number;
  /** The number of the edition that the links of a search belong to. */
  readonly edition: number | undefined;
}

export interface OrdQuery extends PageValues {
  readonly criteria: readonly DirectoryCriterion[];
  /** Whether the search is about relationships. */
  readonly needsLinks: boolean;
  /** The pairs of the parameters that select organisations, in the order of the request. */
  readonly pairs: readonly Pair[];
}

/**
 * The query that the values make. Throws a FhirError if none of them selects organisations.
 * `pairs`: the parameters as the client sent them.
 */
export function ordQueryOf(
  values: Readonly<Record<string, OrdValue | undefined>>,
  pairs: readonly Pair[],
): OrdQuery {
  const criteria: DirectoryCriterion[] = [];
  const selecting = new Set<string>();
  let wanted: OrdValue['relationship'];
  let page: PageValues = { limit: LIMIT_DEFAULT, offset: 0, edition: undefined };
  for (const [name, value] of Object.entries(values)) {
    const { criterion, relationship, ...rest } = value ?? {};
    if (criterion !== undefined) criteria.push(criterion);
    if (relationship !== undefined) wanted = { ...wanted, ...relationship };
    if (criterion !== undefined || relationship !== undefined) selecting.add(name);
    page = { ...page, ...rest };
  }
  if (selecting.size === 0) throw refuse('Supplied query must include some query parameters');
  if (wanted !== undefined) criteria.push(hasRelationship(wanted));
  return {
    ...page,
    criteria,
    needsLinks: wanted !== undefined,
    pairs: pairs.filter(({ name }) => selecting.has(name)),
  };
}

export const LIMIT_DEFAULT = 20;
