/**
 * Search parameters of type reference: the address of another resource.
 * https://hl7.org/fhir/DSTU2/search.html#reference
 */
import { type FhirValue, isObject } from '../format/resource.ts';
import { type Alternative, type Parsed, refused } from './parsed.ts';

/**
 * One reference of a resource, as an index holds it: `Order/7`, `https://a.test/Order/7`, `#order`
 * or `urn:uuid:…`. Prefix and id together are the reference without its version.
 */
export interface ReferenceEntry {
  /** What follows the last slash or hash. */
  readonly id: string;
  /** What precedes the id: `Order/`, `https://a.test/Order/` or `#`. */
  readonly prefix: string;
}

/** One reference to search for: the id after one of the prefixes. */
export interface ReferenceValue {
  readonly id: string;
  readonly prefixes: readonly string[];
}

/** Matches a resource if one entry of its field matches one of the values. */
export interface ReferenceCriterion<Field extends string = string> {
  readonly type: 'reference';
  readonly field: Field;
  readonly values: readonly ReferenceValue[];
}

/** The entry of a Reference; none if it has only a display. */
export function referenceEntries(element: FhirValue | undefined): ReferenceEntry[] {
  const reference = isObject(element) ? element.reference : undefined;
  return typeof reference === 'string' && reference !== '' ? [splitReference(reference)] : [];
}

export function matchesReference(entry: ReferenceEntry, { id, prefixes }: ReferenceValue): boolean {
  return entry.id === id && prefixes.includes(entry.prefix);
}

/** The type that the reference names, if it names one: `Order` of `https://a.test/Order/7`. */
export function referencedType({ prefix }: ReferenceEntry): string | undefined {
  return /(?:^|\/)([A-Z][A-Za-z]+)\/$/.exec(prefix)?.[1];
}

/**
 * `Order/7`, `https://a.test/Order/7`, `#order`, or an id alone, which stands for a resource of
 * one of the types on this server. An address below the base of this server and its relative
 * form match each other.
 */
export function parseReference(
  parts: Alternative,
  { types, baseUrl }: { readonly types: readonly string[]; readonly baseUrl: string },
): Parsed<ReferenceValue> {
  const text = parts.join('|');
  if (text === '') return refused('invalid-value', 'The reference is empty. Send its address.');
  if (ID.test(text)) {
    const prefixes = types.flatMap((type) => [`${type}/`, `${baseUrl}/${type}/`]);
    return { value: { id: text, prefixes } };
  }
  const { id, prefix } = splitReference(text);
  if (RELATIVE.test(prefix)) return { value: { id, prefixes: [prefix, `${baseUrl}/${prefix}`] } };
  const here = `${baseUrl}/`;
  const relative = prefix.startsWith(here) ? prefix.slice(here.length) : '';
  return { value: { id, prefixes: RELATIVE.test(relative) ? [relative, prefix] : [prefix] } };
}

/** https://hl7.org/fhir/DSTU2/datatypes.html#id */
const ID = /^[A-Za-z0-9\-.]{1,64}$/;
const RELATIVE = /^[A-Z][A-Za-z]+\/$/;

function splitReference(reference: string): ReferenceEntry {
  const unversioned = reference.replace(/\/_history\/[^/]*$/, '');
  const end = Math.max(unversioned.lastIndexOf('/'), unversioned.lastIndexOf('#')) + 1;
  return { id: unversioned.slice(end), prefix: unversioned.slice(0, end) };
}
