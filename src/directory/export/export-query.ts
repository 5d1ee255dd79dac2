/** The search of an export: the search parameters of a face, except those that shape an answer. */

import { parseQueryString } from '../../fhir/http/query-string.ts';
import { FhirError, type Issue } from '../../fhir/service/fhir-error.ts';
import type { DirectoryFace } from '../face.ts';
import type { DirectoryQuery } from '../query.ts';
import type { DirectorySettings } from '../settings.ts';

/**
 * `text` is percent-encoded as in a URL, parameters joined by `&`; the empty text finds every
 * organisation. Throws a FhirError with every problem found.
 */
export function parseExportQuery(
  text: string,
  face: DirectoryFace,
  settings: DirectorySettings,
  baseUrl: string | undefined,
): DirectoryQuery {
  const issues = parseQueryString(text).flatMap(({ name }) => controlIssue(name, face));
  const [first, ...others] = issues;
  if (first !== undefined) throw new FhirError([first, ...others]);
  const { json } = face.version.mediaTypes;
  const form = { format: 'json', contentType: json, isPretty: false } as const;
  const parseSearch = face.createSearchParser(settings, baseUrl);
  return parseSearch({ query: text, isLenient: false, form, formIssue: undefined }).query;
}

function controlIssue(name: string, { searchParameters }: DirectoryFace): readonly Issue[] {
  const parameter = searchParameters.find((candidate) => candidate.name === name);
  if (parameter === undefined || parameter.isCriterion) return [];
  const diagnostics =
    name === '_edition'
      ? 'The parameter _edition is not supported in an export. Use the flag --edition.'
      : `The parameter ${name} is not supported in an export, which contains every match. Leave it out.`;
  return [{ kind: 'invalid-parameter', diagnostics, location: `http.${name}` }];
}
