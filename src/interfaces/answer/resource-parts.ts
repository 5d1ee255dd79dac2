/** Resources as the mappings of all faces make them, and parts of them. */
import { displaysOf } from '../../directory/record/concepts.ts';
import type { Concept, OrganizationRecord, TelecomRecord } from '../../directory/record/record.ts';

/** A resource in FHIR JSON form, its properties in the order of the definition. */
export type ResourceObject = { readonly resourceType: string; readonly [element: string]: unknown };

/** https://hl7.org/fhir/R4/datatypes.html#Coding */
export interface CodingElement {
  readonly system: string;
  readonly code: string;
  readonly display?: string;
}

/** A Coding whose display is absent if it is undefined. */
export function coding(system: string, code: string, display: string | undefined): CodingElement {
  return { system, code, ...(display !== undefined && { display }) };
}

/** Makes the Codings of a system, in which each code begins with `prefix`, such as `RO`. */
export function codings(
  system: string,
  prefix: string,
  concepts: readonly Concept[],
): (code: string) => CodingElement {
  const displays = displaysOf(concepts);
  return (code: string) => coding(system, prefix + code, displays.get(code));
}

/** The last elements of an Organization. */
export interface ContactElements {
  readonly name?: string;
  readonly telecom?: readonly TelecomRecord[];
  readonly address?: readonly object[];
}

/** They are the same in STU3 and R4 except for the UPRN. */
export function contactElements(
  { name, telecoms, address }: OrganizationRecord,
  uprnExtension: (uprn: string) => object,
): ContactElements {
  const { lines = [], city, district, postalCode, country, uprn } = address ?? {};
  const element = {
    ...(uprn !== undefined && { extension: [uprnExtension(uprn)] }),
    ...(lines.length > 0 && { line: lines }),
    ...(city !== undefined && { city }),
    ...(district !== undefined && { district }),
    ...(postalCode !== undefined && { postalCode }),
    ...(country !== undefined && { country }),
  };
  return {
    ...(name !== undefined && { name }),
    ...(telecoms.length > 0 && { telecom: telecoms }),
    ...(address !== undefined && { address: [element] }),
  };
}
