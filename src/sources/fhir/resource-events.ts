/** The events that the readers of JSON and XML report, in the order of the file. */
import type { Definitions } from '../../fhir/definitions/definitions.ts';
import type { FhirObject, Resource } from '../../fhir/format/resource.ts';
import type { Finding } from '../../fhir/request/finding.ts';

export interface ResourceEvents {
  /** A Bundle begins. `lastUpdated` is its `meta.lastUpdated`, if that comes before its entries. */
  bundle(lastUpdated: string | undefined): void;
  /** A resource, as far as it could be read, and its findings. */
  resource(resource: Resource | undefined, findings: readonly Finding[], place: string): void;
  /** A part of the file without a readable resource. */
  leftOut(place: string, detail: string): void;
}

/** Which resources a file has. */
export interface ResourceKind {
  /** Those of its FHIR version. */
  readonly definitions: Definitions;
  /** The types that are read. */
  readonly types: readonly string[];
  /** Changes a JSON object before it is validated. */
  readonly prepare?: (value: FhirObject) => void;
}

/** A larger resource is not an organisation of a directory. */
export const RESOURCE_BYTES_MAX = 1024 * 1024;

/** Levels of elements in one resource: as with the bodies of requests. */
export const DEPTH_MAX = 64;

/** Elements in one resource: an organisation with a thousand roles has a quarter of these. */
export const ELEMENTS_MAX = 50_000;
