/** Checks whether a resource meets the condition of its own write. */
import { cut } from '../format/findings.ts';
import { parseQueryString } from '../http/query-string.ts';
import { FhirError, type Issue } from '../request/fhir-error.ts';
import { type Condition, type FieldEntry, matches } from '../search/criterion.ts';
import { lastUpdatedEntries } from '../search/resource-parameter.ts';
import { FORMAT_NAMES } from '../search/result-parameters.ts';
import { criteriaFields } from '../stored/change-match.ts';
import { parseCondition } from './condition.ts';
import type { TypeContext } from './interaction.ts';

type Searched = Pick<TypeContext, 'service' | 'type'>;

/**
 * Throws a FhirError with each parameter of the condition that a resource with these entries would
 * not meet. If the client repeated the request, the condition would not find what the first one
 * stored, and the server would create one more resource. `locationOf`: the place of a parameter.
 */
export function requireMet(
  condition: Condition,
  entries: readonly FieldEntry[],
  context: Searched,
  locationOf: (parameter: string) => string,
): void {
  const written = [...entries, ...lastUpdatedEntries(new Date().toISOString())];
  // Parsing each parameter alone, which only the messages need, costs more than comparing them.
  if (condition.criteria.every((criterion) => matches(criterion, written))) return;
  const issues = unmetIssues(condition, written, context, locationOf);
  if (issues.length > 0) throw new FhirError(issues);
}

function unmetIssues(
  { parameters }: Condition,
  entries: readonly FieldEntry[],
  context: Searched,
  locationOf: (parameter: string) => string,
): readonly Issue[] {
  return parameters.split('&').flatMap((text): Issue[] => {
    const [{ name, value } = { name: '', value: '' }] = parseQueryString(text);
    if (FORMAT_NAMES.has(name)) return [];
    const { criteria } = parseCondition(text, context);
    const unmet = criteria.find((criterion) => !matches(criterion, entries));
    if (unmet === undefined) return [];
    const diagnostics =
      `The resource does not meet the condition ${name}=${cut(value)}: it has ` +
      `${valuesAt(criteriaFields([unmet])[0] ?? name, entries)}. A repeat of the request would ` +
      'store one more resource. Send a condition that the resource meets.';
    return [{ kind: 'invalid-request', diagnostics, location: locationOf(name) }];
  });
}

/** The values of the resource, such as `identifier https://ids.example|4711`. */
function valuesAt(field: string, entries: readonly FieldEntry[]): string {
  const own = entries.filter((entry) => entry.field === field);
  if (own.length === 0) return `no ${field}`;
  const shown = own.slice(0, VALUES_SHOWN_MAX).map((entry) => cut(textOf(entry)));
  return `${field} ${shown.join(', ')}`;
}

/** A message shows no more values of the resource. */
const VALUES_SHOWN_MAX = 5;

function textOf(entry: FieldEntry): string {
  if ('code' in entry)
    return entry.system === undefined ? entry.code : `${entry.system}|${entry.code}`;
  if ('prefix' in entry) return `${entry.prefix}${entry.id}`;
  if ('folded' in entry) return entry.exact ?? entry.folded;
  return new Date(entry.start).toISOString();
}

/** The id that a condition names, if it names one; undefined if it names none, or several. */
export function idIn({ criteria }: Condition): string | undefined {
  for (const criterion of criteria) {
    if (criterion.type !== 'token' || criterion.field !== '_id') continue;
    const [value, ...others] = criterion.values;
    if (others.length === 0) return value?.code;
  }
  return undefined;
}
