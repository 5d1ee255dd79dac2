/** The search of an export: parameters as in a URL, but none that shape an answer. */

import { FhirError, type Issue } from '../../fhir/fhir-error.ts';
import { STU3 } from '../../fhir/fhir-version.ts';
import { parseQueryString } from '../../fhir/query-string.ts';
import type { Query } from '../query.ts';
import type { DirectorySettings } from '../settings.ts';
import { parseSearch, SEARCH_PARAMETERS } from '../stu3/parameters.ts';
import { roleSystemsOf } from '../stu3/role-systems.ts';

/**
 * `text` is percent-encoded as in a URL, parameters joined by `&`; the empty one finds everything.
 * Throws a FhirError with all that is wrong.
 */
export function parseExportQuery(
  text: string,
  settings: DirectorySettings,
  serverUrl: string | undefined,
): Query {
  const issues = parseQueryString(text).flatMap(({ name }) => controlIssue(name));
  const [first, ...others] = issues;
  if (first !== undefined) throw new FhirError([first, ...others]);
  const baseUrl = serverUrl === undefined ? undefined : `${serverUrl}/STU3`;
  const roleSystems = roleSystemsOf(settings, baseUrl);
  const { json } = STU3.mediaTypes;
  const form = { format: 'json', contentType: json, isPretty: false } as const;
  const request = { query: text, isLenient: false, form, formIssue: undefined };
  return parseSearch(request, { settings, roleSystems }).query;
}

function controlIssue(name: string): readonly Issue[] {
  const parameter = SEARCH_PARAMETERS.find((candidate) => candidate.name === name);
  if (parameter === undefined || parameter.isCriterion) return [];
  const diagnostics =
    name === '_edition'
      ? 'An export takes the edition as --edition, not as _edition.'
      : `An export holds all that is found in the form of --format: it takes no ${name}.`;
  return [{ kind: 'invalid-parameter', diagnostics, location: `http.${name}` }];
}
