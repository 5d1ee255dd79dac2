/** A resource in memory: an object in FHIR's JSON form, properties in the definitions' order. */
import type { Finding } from '../finding.ts';

/**
 * What a decoder makes, and what a resource literal looks like. `resourceType` comes first; only
 * names that the definitions know ever become properties.
 */
export interface Resource extends FhirObject {
  readonly resourceType: string;
}

export interface FhirObject {
  readonly [name: string]: FhirValue | undefined;
}

/**
 * Numbers whose text JavaScript would write the same (`12`, `2.5`) are numbers; others (`2.50`)
 * keep their text in a RawJson, which JSON.stringify writes as it is. Null stands only in the
 * paired arrays of repeating primitives.
 */
export type FhirValue =
  | string
  | number
  | boolean
  | null
  | RawJson
  | FhirObject
  | readonly (FhirValue | undefined)[];

/** What JSON.rawJSON makes. */
export interface RawJson {
  readonly rawJSON: string;
}

export interface Decoded {
  /** As far as it could be read; undefined when not even its type is known. */
  readonly resource?: Resource;
  /** The first ones, in the order of the body; none means that the resource is valid. */
  readonly findings: readonly Finding[];
  /** How many there are in all. */
  readonly findingsTotal: number;
  /**
   * Whether the resource has every element that was sent under a name of FHIR's. Otherwise rules
   * between elements would find faults that are none, at positions that were not sent.
   */
  readonly isWhole: boolean;
  /** For XML: where the element at the path of a finding begins, or the nearest one around it. */
  readonly positionOf?: (path: string) => Position;
}

/** In a body, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What the encoders take: any resource, also one typed by `@types/fhir`. */
export type AnyResource = Resource | { readonly resourceType: string };

/** TypeScript's libraries do not have these yet. */
interface RawJsonFunctions {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
}
const { rawJSON, isRawJSON } = JSON as unknown as RawJsonFunctions;

export { isRawJSON };

/** A JSON number that keeps its text. */
export function numberOf(text: string): number | RawJson {
  const value = Number(text);
  return String(value) === text ? value : rawJSON(text);
}

/** An object of JSON, not an array, not null, not a number that keeps its text. */
export function isObject(value: unknown): value is FhirObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON(value);
}

/** The text of a primitive value, as XML writes it. */
export function textOf(value: unknown): string {
  return isRawJSON(value) ? value.rawJSON : String(value);
}
