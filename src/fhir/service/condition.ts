/**
 * The search of a conditional write, which decides whether a resource exists already.
 * https://hl7.org/fhir/DSTU2/http.html#ccreate
 */

import { defaultForm } from '../http/negotiate.ts';
import { parseQueryString } from '../http/query-string.ts';
import { FhirError, type Issue } from '../request/fhir-error.ts';
import type { Condition, ResourceCriterion } from '../search/criterion.ts';
import { parseSearchQuery } from '../search/parse-search-query.ts';
import { conditionDefinition } from '../search/resource-search.ts';
import type { TypeContext } from './interaction.ts';
import { isOwnAddress } from './own-address.ts';
import { authorize, isForbidden } from './run-interaction.ts';
import { storedTypeOf } from './stored-resource.ts';

/**
 * Throws a FhirError if the query is not a search, or has no criteria. Parameters are never
 * ignored, because the server would create a duplicate resource.
 */
export function parseCondition(
  query: string,
  { service, type }: Pick<TypeContext, 'service' | 'type'>,
): Condition {
  if (parseQueryString(query).some(({ value }) => !ESCAPED.test(value))) throw BACKSLASH;
  const request = { query, isLenient: false, form: defaultForm(service), formIssue: undefined };
  const definition = conditionDefinition(storedTypeOf(type).search);
  const { query: parsed, pairs } = parseSearchQuery(request, definition, service);
  const { criteria } = parsed;
  if (criteria.length === 0) throw EMPTY;
  return { criteria, parameters: pairs.map(({ text }) => text).join('&') };
}

/**
 * Throws if the client may not ask for the condition. The answer to a write shows whether something
 * matches. A client without the scope to read can only ask for identifiers that it knows.
 */
export async function authorizeCondition(
  { criteria }: Condition,
  { request, service, type }: TypeContext,
): Promise<void> {
  if (criteria.every(isIdentifier)) return;
  try {
    await authorize(request, service, [type.name], 'read');
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const [{ kind, diagnostics }] = error.issues;
    const remedy = 'Without it, the condition can only be identifier={system}|{value}.';
    throw FhirError.of(kind, `${diagnostics} ${remedy}`, { headers: error.headers });
  }
}

function isIdentifier(criterion: ResourceCriterion): boolean {
  if (criterion.type !== 'token' || criterion.field !== 'identifier') return false;
  const [value, other] = criterion.values;
  return other === undefined && !!value?.system && !!value.code;
}

/** Why a conditional write is refused, for a client that may not read what matches. */
export const CONDITION_FAILED = FhirError.of(
  'precondition-failed',
  'The resources that match do not allow this write. Nothing was stored. ' +
    'A token with the scope to read shows the reason.',
);

/** The error for a condition that would have to look at too many resources. */
export function costlyCondition(): FhirError {
  return FhirError.of(
    'too-costly',
    'Too many resources match each parameter of the condition. Nothing was stored. ' +
      'Add a parameter that few resources match, such as identifier.',
  );
}

/**
 * Whether each backslash escapes a character. A value with any other backslash would match
 * nothing. https://hl7.org/fhir/DSTU2/search.html#escaping
 */
const ESCAPED = /^(?:[^\\]|\\[\\,$|])*$/;

const BACKSLASH = FhirError.of(
  'invalid-value',
  'A value has a backslash that escapes no character. Write a backslash before each backslash, comma, pipe and dollar sign in a value.',
);

const EMPTY = FhirError.of(
  'invalid-parameter',
  'The condition has no parameters. Send identifier={system}|{value}, percent-encoded.',
);

/** Throws if the header If-None-Exist is not a search of this type. */
export function parseIfNoneExist(sent: string, context: TypeContext): Condition {
  const header = sent.trim();
  if (context.type.search === undefined) throw NO_SEARCH;
  const { address, query } = splitSearch(header);
  // An empty address is that of the type.
  if (address !== '' && !isOwnAddress(address, `/${context.type.name}`, context)) {
    throw searchOfOtherType(header, context);
  }
  try {
    return parseCondition(query, context);
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    throw new FhirError(error.issues.map(({ diagnostics }) => issueOf(header, diagnostics)));
  }
}

const NO_SEARCH = FhirError.of(
  'invalid-request',
  'This server offers no searches, so it cannot check If-None-Exist. Leave it out.',
  { location: 'http.If-None-Exist' },
);

/** A search without an address may have question marks in its value, but only after a `=`. */
function splitSearch(header: string): { readonly address: string; readonly query: string } {
  const [, address = '', query = header] = /^([^=?]*)\?(.*)$/.exec(header) ?? [];
  return { address, query };
}

function searchOfOtherType(header: string, { service, type }: TypeContext): FhirError {
  const here = `${service.baseUrl}/${type.name}`;
  const diagnostics =
    `It is not a search of ${here}. ` +
    `Send ${here}?identifier={system}|{value}, or identifier={system}|{value} alone.`;
  return new FhirError([issueOf(header, diagnostics)]);
}

function issueOf(header: string, diagnostics: string): Issue {
  return {
    kind: 'invalid-request',
    diagnostics: `If-None-Exist "${header}": ${diagnostics}`,
    location: 'http.If-None-Exist',
  };
}
