/**
 * The value set that a client sends with `$expand`: all codes of one code system, those that filters
 * choose, or a list of codes. https://hl7.org/fhir/R4/valueset.html#compositions
 */

import type { Edition } from '../../../directory/edition/edition.ts';
import { type FhirObject, type FhirValue, isObject } from '../../../fhir/format/resource.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import { unknownValue } from '../../../fhir/request/unknown-name.ts';
import { codeSystemOf } from './code-systems.ts';
import type { R4CodeSystem } from './systems/code-system.ts';
import type { CodeFilter } from './systems/code-system-row.ts';

/** The codes that a value set contains. */
export interface Composition {
  readonly system: R4CodeSystem;
  readonly filters: readonly CodeFilter[];
  /** The codes that the value set lists. Absent: all codes that match the filters. */
  readonly codes?: readonly string[];
  readonly isActiveOnly: boolean;
}

/** Throws a FhirError if the server cannot expand the value set. */
export function compositionOf(
  { compose }: FhirObject,
  systems: readonly R4CodeSystem[],
  edition: Edition,
): Composition {
  const include = isObject(compose) ? onlyObject(compose.include) : undefined;
  const { system: url, version, filter, concept } = include ?? {};
  const hasOthers =
    !hasOnly(compose, ['include', 'inactive']) || !hasOnly(include, INCLUDE_ELEMENTS);
  const hasBoth = filter !== undefined && concept !== undefined;
  if (hasOthers || hasBoth || typeof url !== 'string') throw REFUSAL;
  const system = codeSystemOf(
    systems,
    url,
    typeof version === 'string' ? version : undefined,
    edition,
  );
  const codes = Array.isArray(concept) ? concept.filter(isObject).map(codeOf) : undefined;
  return {
    system,
    filters: Array.isArray(filter) ? filter.filter(isObject).map(filterFor(system, edition)) : [],
    ...(codes !== undefined && { codes }),
    isActiveOnly: isObject(compose) && compose.inactive === false,
  };
}

const INCLUDE_ELEMENTS = ['system', 'version', 'filter', 'concept'];

const REFUSAL = FhirError.of(
  'invalid-value',
  'This valueSet cannot be expanded. It needs a compose with one include and nothing else but ' +
    'inactive; the include needs a system, and can have filters or a list of concepts.',
);

function codeOf({ code }: FhirObject): string {
  if (typeof code === 'string') return code;
  throw FhirError.of('invalid-value', 'A concept of the valueSet has no code. Send its code.');
}

function filterFor(system: R4CodeSystem, edition: Edition) {
  const properties = system.propertiesOf(edition);
  const known = system.filters ?? properties.map(({ code }) => code);
  const booleans = properties.filter(({ type }) => type === 'boolean').map(({ code }) => code);
  return ({ property, op, value }: FhirObject): CodeFilter => {
    const isKnown = typeof property === 'string' && known.includes(property);
    if (isKnown && op === '=' && typeof value === 'string') {
      if (booleans.includes(property) && !BOOLEANS.includes(value)) {
        throw FhirError.of(
          'invalid-value',
          unknownValue(`the filter ${property}`, value, BOOLEANS),
        );
      }
      return { property, value };
    }
    throw FhirError.of(
      'invalid-value',
      known.length === 0
        ? `Codes of ${system.url} cannot be filtered. Send the valueSet without filters.`
        : `A filter of ${system.url} must have the op "=", a value, and one of the properties ` +
            `${known.join(', ')}.`,
    );
  };
}

const BOOLEANS: readonly string[] = ['true', 'false'];

function onlyObject(list: FhirValue | undefined): FhirObject | undefined {
  const [first] = Array.isArray(list) && list.length === 1 ? list : [];
  return isObject(first) ? first : undefined;
}

function hasOnly(object: FhirValue | undefined, names: readonly string[]): boolean {
  return isObject(object) && Object.keys(object).every((name) => names.includes(name));
}
