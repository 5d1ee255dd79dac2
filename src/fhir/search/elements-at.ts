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
    const next: FhirValue[] = [];
    for (const element of found) {
      if (isType(step)) addTarget(next, resource, element, step);
      else addItems(next, isObject(element) ? element[step] : undefined);
    }
    if (next.length === 0) return next;
    found = next;
  }
  return found;
}

/** The contained resource that a reference names; undefined if it names none. */
export function containedOf(resource: FhirObject, reference: FhirValue): FhirObject | undefined {
  const text = isObject(reference) ? reference.reference : undefined;
  const { contained } = resource;
  if (typeof text !== 'string' || !text.startsWith('#') || !Array.isArray(contained)) {
    return undefined;
  }
  const wanted = text.slice(1);
  return contained.find((target) => isObject(target) && target.id === wanted);
}

/** Types begin with a capital, and elements do not. */
export function isType(step: string): boolean {
  return step.charCodeAt(0) < LOWER_A;
}

const LOWER_A = 'a'.charCodeAt(0);

function addTarget(found: FhirValue[], resource: Resource, reference: FhirValue, type: string) {
  const target = containedOf(resource, reference);
  if (target?.resourceType === type) found.push(target);
}

function addItems(found: FhirValue[], value: FhirValue | undefined): void {
  if (!isList(value)) {
    if (value !== undefined && value !== null) found.push(value);
    return;
  }
  for (const item of value) {
    if (item !== undefined && item !== null) found.push(item);
  }
}

export function isList(value: FhirValue | undefined): value is readonly (FhirValue | undefined)[] {
  return Array.isArray(value);
}
