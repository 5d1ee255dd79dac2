/** The criteria of a subscription: a search of one type, as `OrderResponse?identifier=…`. */

import type { ResourceCriterion } from '../fhir/search/criterion.ts';
import { parseSearchQuery } from '../fhir/search/parse-search-query.ts';
import { conditionDefinition, type ResourceSearch } from '../fhir/search/resource-search.ts';

export interface Criteria {
  readonly type: string;
  readonly criteria: readonly ResourceCriterion[];
}

export interface CriteriaOptions {
  /** The types that can be subscribed to. */
  readonly searches: ReadonlyMap<string, ResourceSearch>;
  /** The base of the service, without a slash at the end. */
  readonly baseUrl: string;
}

/**
 * Undefined if the text does not begin with a type that can be subscribed to. Throws a FhirError
 * with every problem of the parameters. Without parameters, every resource matches.
 */
export function parseCriteria(
  text: string,
  { searches, baseUrl }: CriteriaOptions,
): Criteria | undefined {
  const [, type = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(text.trim()) ?? [];
  const search = searches.get(type);
  if (search === undefined) return undefined;
  const form = { format: 'json', isPretty: false, contentType: '' } as const;
  const request = { query, isLenient: false, form, formIssue: undefined };
  // Without the parameters of answers, such as _format: there is no answer.
  const definition = { ...conditionDefinition(search), parameters: search.parameters };
  const parsed = parseSearchQuery(request, definition, { baseUrl });
  return { type, criteria: parsed.query.criteria };
}
