/**
 * The value set that a client sends with `$expand`: organisations by the date of their last change.
 * https://hl7.org/fhir/R4/valueset.html#compositions
 */

import type { Edition } from '../../../directory/edition/edition.ts';
import type { DirectoryCriterion } from '../../../directory/index/organization-index.ts';
import { type FhirObject, type FhirValue, isObject } from '../../../fhir/format/resource.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import { type DatePrefix, dateDiagnostics, parseDate } from '../../../fhir/search/date.ts';
import { requireVersion } from './code-systems.ts';

/** The filters of the value set, which all apply. Throws a FhirError for any other value set. */
export function criteriaOf(
  { compose }: FhirObject,
  system: string,
  edition: Edition,
): DirectoryCriterion[] {
  const include = isObject(compose) ? onlyObject(compose.include) : undefined;
  const hasOthers = !hasOnly(compose, ['include']) || !hasOnly(include, INCLUDE_ELEMENTS);
  const { version, filter } = include ?? {};
  const filters = Array.isArray(filter) ? filter.filter(isObject) : [];
  if (hasOthers || include?.system !== system || filters.length === 0) throw refusal(system);
  requireVersion('code system', system, typeof version === 'string' ? version : undefined, edition);
  return filters.map(({ property, op, value }) => {
    if (property !== PROPERTY || op !== '=' || typeof value !== 'string') throw refusal(system);
    const parsed = parseDate([value], PREFIXES, DIAGNOSTICS);
    if ('issues' in parsed) throw FhirError.of('invalid-value', DIAGNOSTICS);
    return { type: 'date', field: 'lastUpdated', values: [parsed.value] };
  });
}

const INCLUDE_ELEMENTS = ['system', 'version', 'filter'];
const PROPERTY = 'lastChangeDate';
/** As the search parameter of the same name. */
const PREFIXES: readonly DatePrefix[] = ['eq', 'gt', 'ge', 'lt', 'le'];
const DIAGNOSTICS = dateDiagnostics(`The value of the filter ${PROPERTY}`, PREFIXES);

function refusal(system: string) {
  return FhirError.of(
    'invalid-value',
    'This valueSet cannot be expanded. It needs a compose with one include and nothing else: the ' +
      `system ${system}, and filters with the property ${PROPERTY}, the op "=" and a date.`,
  );
}

function onlyObject(list: FhirValue | undefined): FhirObject | undefined {
  const [first] = Array.isArray(list) && list.length === 1 ? list : [];
  return isObject(first) ? first : undefined;
}

function hasOnly(object: FhirValue | undefined, names: readonly string[]): boolean {
  return isObject(object) && Object.keys(object).every((name) => names.includes(name));
}
