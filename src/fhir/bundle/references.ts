/**
 * Replaces references between the entries of a transaction by the addresses that the entries get.
 * https://hl7.org/fhir/DSTU2/http.html#2.1.0.16.2
 */
import { type FhirObject, type FhirValue, isObject } from '../format/resource.ts';

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

function resolveValue(
  value: FhirValue | undefined,
  addressOf: (reference: string) => string | undefined,
): FhirValue | undefined {
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, addressOf));
  return isObject(value) ? resolveReferences(value, addressOf) : value;
}
