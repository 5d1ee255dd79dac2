/** A FHIR service as a value: routes, capability statement and documentation come from it. */
import type { Identity } from './access.ts';
import type { Issue } from './fhir-error.ts';
import type { FhirVersion } from './fhir-version.ts';
import type { AnyResource } from './format/resource.ts';
import type { Form, Format } from './negotiate.ts';
import type { VersionedType } from './repository.ts';

/** Something that can be answered: its validators, and its body once it is needed. */
export interface Representation {
  /** Whole, as the header has it: `W/"…"`. */
  readonly etag: string;
  /** An HTTP date. */
  readonly lastModified?: string;
  /** The date may be that of another state too, so that only the tag says which one a client has. */
  readonly isDateAmbiguous?: boolean;
  /** Where it is, when that is not the address of the request. */
  readonly contentLocation?: string;
  /** `handling=lenient`, when that preference made a difference. */
  readonly preferenceApplied?: string;
  readonly body: () => Uint8Array | string;
  /** To be told, once at the most, of bytes that `body` gave when nobody looks at them any more. */
  readonly release?: (body: Uint8Array) => void;
  /** The same body in gzip, where that is kept. */
  readonly gzipped?: () => Uint8Array;
}

/** Something with an address of its own outside of FHIR's, in one media type. */
export interface Document {
  /** Absolute. */
  readonly url: string;
  /** As metrics and the OpenAPI description call it: `currentEdition`. */
  readonly name: string;
  readonly documentation: string;
  readonly contentType: string;
  /** The type of the resources in it: whoever may read those may have it. Absent: everyone may. */
  readonly type?: string;
  /** Throws a FhirError where there is nothing to be had. */
  readonly open: () => OpenDocument;
}

export interface OpenDocument {
  readonly etag: string;
  /** An HTTP date. */
  readonly lastModified?: string;
  /**
   * The bytes or their gzip, produced while they are read. May throw a FhirError. The reader
   * must read to the end, or call `return`.
   */
  readonly pieces: (isGzip: boolean) => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

export interface SearchParameter {
  readonly name: string;
  /** FHIR's search parameter types. */
  readonly type: 'number' | 'date' | 'string' | 'token';
  readonly modifiers: readonly string[];
  readonly documentation: string;
  /** The url of its own SearchParameter, where it is not one of FHIR's. */
  readonly definition?: string;
  /** Whether it may be given more than once, all of them to hold. */
  readonly isRepeatable: boolean;
  /** Whether it says which resources match; the others shape the answer. */
  readonly isCriterion: boolean;
}

export interface SearchRequest {
  /** The parameters as a query string, percent-encoded. */
  readonly query: string;
  /** Unknown parameters are to be left out (`Prefer: handling=lenient`). */
  readonly isLenient: boolean;
  readonly form: Form;
  /** The first thing wrong with `_format` or `_pretty`, to be listed with the other failures. */
  readonly formIssue: Issue | undefined;
}

/** A resource type and what clients can do with it; what is absent is not offered. */
export interface ServedType {
  readonly name: string;
  readonly profile?: string;
  readonly documentation: string;
  /** The resource with this id, or nothing. */
  readonly read?: (id: string, form: Form) => Representation | undefined;
  /** In place of `read`, for a type that clients write. */
  readonly versions?: VersionedType;
  /** A valid resource to create, as the example in the API description. */
  readonly example?: AnyResource;
  /** All ids, where they are few and known. */
  readonly ids?: readonly string[];
  readonly notFound: string;
  /** By GET, and by POST to `_search`. */
  readonly search?: (request: SearchRequest) => Representation;
  readonly searchParameters: readonly SearchParameter[];
  /** Pairs of parameters that belong together: the first only with the second. */
  readonly searchCombinations: readonly (readonly [required: string, optional: string])[];
}

/** What somebody has to be allowed: `system/OrderResponse.write`. */
export interface Need {
  readonly type: string;
  readonly action: 'read' | 'write';
}

/**
 * Throws, or rejects with, a FhirError where access is denied. `address` is the address of the
 * client, for which the number of requests to an issuer is limited.
 */
export type Authorize = (
  authorization: string | undefined,
  need: Need,
  address: string,
) => Identity | Promise<Identity>;

export interface Service {
  readonly name: string;
  readonly description: string;
  readonly version: FhirVersion;
  /** The public address of the server, without a slash at the end. */
  readonly serverUrl: string;
  /** Its base: absolute, without a slash at the end. */
  readonly baseUrl: string;
  readonly defaultFormat: Format;
  readonly types: readonly ServedType[];
  /** The JSON of an outcome, where the service has one of its own. */
  readonly outcomeJson?: (outcome: { resourceType: string }) => object;
  /** Who may; absent where everyone may. What the service offers may always be asked. */
  readonly authorize?: Authorize | undefined;
  /** Headers of every answer, names and values in turn. */
  readonly headers: readonly string[];
  /** The origins whose pages may read answers, where not `headers` let all of them. */
  readonly corsOrigins?: readonly string[];
  /** The Cache-Control of what is answered to GET and HEAD with 200 or 304. */
  readonly cacheControl?: string | undefined;
  /** From this size on bodies are sent in gzip to clients that take it; 0: never. */
  readonly gzipMinBytes: number;
  readonly documents: readonly Document[];
}

/** The path of the service's base on this server: `/STU3`. */
export function pathOf(service: Service): string {
  const { pathname } = new URL(service.baseUrl);
  return pathname === '/' ? '' : pathname;
}
