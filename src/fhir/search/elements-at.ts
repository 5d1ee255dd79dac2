/** Finds the elements of a resource that a search parameter is about. */
import { type FhirObject, type FhirValue, isObject, type Resource } from '../format/resource.ts';

/**
 * The steps to an element: its names, and types of contained resources. A type stands after the
 * name of a reference, and leads to the contained resource of this type that the reference names:
 * `['request', 'Order', 'subject']`.
 */
export type ElementPath = readonly string[];

/** Every element at the end of the path; elements that repeat are listed one by one. */
export function elementsAt(resource: Resource, path: ElementPath): FhirValue[] {
  let found: FhirValue[] = [resource];
  for (const step of path) {
    found = TYPE.test(step)
      ? found.flatMap((reference) => containedAt(resource, reference, step))
      : found.flatMap((element) => (isObject(element) ? itemsOf(element[step]) : []));
  }
  return found;
}

/** The contained resource that a reference names; undefined if it names none. */
export function containedOf(resource: FhirObject, reference: FhirValue): FhirObject | undefined {
  const text = isObject(reference) ? reference.reference : undefined;
  if (typeof text !== 'string' || !text.startsWith('#')) return undefined;
  return itemsOf(resource.contained)
    .filter(isObject)
    .find(({ id }) => id === text.slice(1));
}

const TYPE = /^[A-Z]/;

function containedAt(resource: Resource, reference: FhirValue, type: string): FhirObject[] {
  const target = containedOf(resource, reference);
  return target?.resourceType === type ? [target] : [];
}

function itemsOf(value: FhirValue | undefined): FhirValue[] {
  if (value === undefined || value === null) return [];
  return isList(value) ? value.filter((item) => item !== undefined && item !== null) : [value];
}

function isList(value: FhirValue): value is readonly (FhirValue | undefined)[] {
  return Array.isArray(value);
}
