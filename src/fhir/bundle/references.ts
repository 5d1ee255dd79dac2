/**
 * Replaces references between the entries of a transaction by the addresses that the entries get.
 * https://hl7.org/fhir/DSTU2/http.html#2.1.0.16.2
 */

import { type FhirObject, type FhirValue, isObject } from '../format/resource.ts';
import { FhirError } from '../service/fhir-error.ts';

/** The resource with its references replaced. `addressOf` returns undefined for other references. */
export function resolveReferences(
  resource: FhirObject,
  addressOf: (reference: string) => string | undefined,
): FhirObject {
  return Object.fromEntries(
    Object.entries(resource).map(([name, value]) => {
      const address =
        name === 'reference' && typeof value === 'string' ? addressOf(value) : undefined;
      return [name, address ?? resolveValue(value, addressOf)];
    }),
  );
}

/** Throws a FhirError if a reference would lead nowhere once the resource is stored. */
export function requireResolved(resource: FhirObject): void {
  resolveReferences(resource, (reference) => {
    if (!ENTRY_ADDRESS.test(reference)) return undefined;
    const diagnostics =
      `The reference ${reference} leads to no resource. In a transaction, it must be the fullUrl ` +
      'of an entry with POST or PUT. Entries of a batch cannot refer to each other.';
    throw new FhirError([{ kind: 'invalid-resource', code: 'not-found', diagnostics }]);
  });
}

/** Such an address has a meaning only in the Bundle. https://hl7.org/fhir/DSTU2/bundle.html#references */
const ENTRY_ADDRESS = /^urn:(uuid|oid):/i;

function resolveValue(
  value: FhirValue | undefined,
  addressOf: (reference: string) => string | undefined,
): FhirValue | undefined {
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, addressOf));
  return isObject(value) ? resolveReferences(value, addressOf) : value;
}
