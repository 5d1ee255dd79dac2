/**
 * The search of a conditional write, which decides whether a resource exists already.
 * https://hl7.org/fhir/DSTU2/http.html#ccreate
 */
import { FhirError } from './fhir-error.ts';
import type { TypeContext } from './interaction.ts';
import { defaultForm } from './negotiate.ts';
import { parseQueryString } from './query-string.ts';
import type { ResourceCriterion } from './search/criterion.ts';
import { parseSearchQuery } from './search/parse-search-query.ts';
import { conditionDefinition } from './search/resource-search.ts';
import { storedTypeOf } from './stored-resource.ts';

/**
 * Throws a FhirError if the query is not a search, or has no criteria. Parameters are never
 * ignored, because the server would create a duplicate resource.
 */
export function parseCondition(
  query: string,
  { service, type }: Pick<TypeContext, 'service' | 'type'>,
): readonly ResourceCriterion[] {
  if (parseQueryString(query).some(({ value }) => !ESCAPED.test(value))) throw BACKSLASH;
  const request = { query, isLenient: false, form: defaultForm(service), formIssue: undefined };
  const definition = conditionDefinition(storedTypeOf(type).search);
  const { criteria } = parseSearchQuery(request, definition, service).query;
  if (criteria.length === 0) throw EMPTY;
  return criteria;
}

/** The error for a condition that would have to look at too many resources. */
export function costlyCondition(): FhirError {
  return new FhirError([
    {
      kind: 'too-costly',
      diagnostics:
        'Too many resources match each parameter of the condition. Nothing was stored. ' +
        'Add a parameter that few resources match, such as identifier.',
    },
  ]);
}

/**
 * Whether each backslash escapes a character. A value with any other backslash would match
 * nothing. https://hl7.org/fhir/DSTU2/search.html#escaping
 */
const ESCAPED = /^(?:[^\\]|\\[\\,$|])*$/;

const BACKSLASH = new FhirError([
  {
    kind: 'invalid-value',
    diagnostics:
      'A value has a backslash that escapes no character. Write a backslash before each backslash, comma, pipe and dollar sign in a value.',
  },
]);

const EMPTY = new FhirError([
  {
    kind: 'invalid-parameter',
    diagnostics:
      'The condition has no parameters. Send identifier={system}|{value}, percent-encoded.',
  },
]);
