/** A resource in memory: an object in FHIR's JSON form, properties in the definitions' order. */
import type { Finding } from '../request/finding.ts';

/**
 * The result of a decoder, and the type of resource literals. `resourceType` comes first. All other
 * properties have names of the definitions.
 */
export interface Resource extends FhirObject {
  readonly resourceType: string;
}

export interface FhirObject {
  readonly [name: string]: FhirValue | undefined;
}

/**
 * A number whose text JavaScript writes in the same way (`12`, `2.5`) is a number. Others (`2.50`)
 * keep their text in a RawJson, which JSON.stringify writes unchanged. Only the paired arrays of
 * repeating primitives have null.
 */
export type FhirValue =
  | string
  | number
  | boolean
  | null
  | RawJson
  | FhirObject
  | readonly (FhirValue | undefined)[];

/** The result of JSON.rawJSON. */
export interface RawJson {
  readonly rawJSON: string;
}

export interface Decoded {
  /** The readable part of the resource; undefined if its type is not known. */
  readonly resource?: Resource;
  /** The first findings in the order of the body. Without findings, the resource is valid. */
  readonly findings: readonly Finding[];
  /** The number of all findings. */
  readonly findingsTotal: number;
  /**
   * Whether the resource has every element of the body with a name of FHIR. If not, rules between
   * elements would report faults that the body does not have.
   */
  readonly isWhole: boolean;
  /** For XML: the start of the element at a path, or of the nearest element around it. */
  readonly positionOf?: (path: string) => Position;
}

/** A position in a body. Line and column begin at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Any resource that the encoders accept, including those typed by `@types/fhir`. */
export type AnyResource = Resource | { readonly resourceType: string };

/** Functions that the libraries of TypeScript do not declare yet. */
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

/** Whether the value is an object of JSON, and not an array, null or a RawJson. */
export function isObject(value: unknown): value is FhirObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON(value);
}

export function isResource(value: FhirObject | undefined): value is Resource {
  return typeof value?.resourceType === 'string';
}

/** The text of a primitive value, as XML writes it. */
export function textOf(value: unknown): string {
  return isRawJSON(value) ? value.rawJSON : String(value);
}
