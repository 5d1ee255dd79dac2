/**
 * A FHIR service as values: its types, and the interactions that each type offers. The server
 * derives from them the routes, the header Allow, the capability statement, the OpenAPI
 * description, the labels of metrics, the scopes and the audit entries.
 */
import type { Identity } from '../audit/audit.ts';
import type { FhirVersion } from '../definitions/fhir-version.ts';
import type { Resource } from '../format/resource.ts';
import type { Form, Format, Negotiated } from '../http/negotiate.ts';
import type { ErrorKind } from '../request/fhir-error.ts';
import type { InteractionCode } from '../request/interaction-code.ts';
import type { BodyKind, FhirRequest, FhirResponse, OnFault } from '../request/request.ts';
import type { SearchParameter, SearchRequest } from '../search/parameter.ts';
import type { StoredType } from '../stored/stored-type.ts';
import type { RequestExamples } from './open-api-examples.ts';
import type { OpenPieces, Representation } from './representation.ts';

export type MaybePromise<T> = T | Promise<T>;

/** What all interactions have in common. */
interface AnyInteraction {
  readonly code: InteractionCode;
  /** The server answers HEAD wherever it answers GET. */
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  /**
   * The scope that a client needs; `either`: one of the two, and the interaction checks the rest.
   * Undefined: every client may use the interaction.
   */
  readonly needs: RequiredScope['action'] | 'either' | undefined;
  /** The body that it reads. The server reads the body after it has checked everything else. */
  readonly body?: BodyKind;
}

/** An interaction with the whole service. Its scope is needed for one of the types that clients write. */
export interface SystemInteraction extends AnyInteraction {
  /** Below the base of the service; empty for the base itself. */
  readonly path: 'metadata' | '_history' | '';
  readonly describe: (service: Service) => Operation;
  run(context: TypeContext): MaybePromise<FhirResponse>;
}

/** An interaction with a type, or with one resource of a type. */
export interface Interaction extends AnyInteraction {
  /** Below the base of the service, as FHIR's specification writes it: `[type]/[id]`. */
  readonly path: `[type]${string}`;
  /** The properties that it sets in the type's part of the capability statement. */
  readonly capabilities?: Partial<TypeCapabilities>;
  /** Only of an operation: the URL of its OperationDefinition. The path ends with its name. */
  readonly definition?: string;
  /** Only of an operation: its parameters. */
  readonly parameters?: readonly { readonly name: string; readonly documentation: string }[];
  /** The operation in the OpenAPI description, without the parameters in the path. */
  readonly describe: (service: Service, type: ServedType) => Operation;
  run(context: TypeContext): MaybePromise<FhirResponse>;
}

/** https://hl7.org/fhir/STU3/capabilitystatement-definitions.html#CapabilityStatement.rest.resource */
export interface TypeCapabilities {
  readonly versioning: 'no-version' | 'versioned' | 'versioned-update';
  readonly readHistory: boolean;
  readonly updateCreate: boolean;
  readonly conditionalCreate: boolean;
  readonly conditionalRead: 'not-supported' | 'full-support';
  readonly conditionalUpdate: boolean;
  readonly conditionalDelete: 'not-supported' | 'single' | 'multiple';
}

/** What the OpenAPI description says about an interaction; `open-api.ts` makes the operation of it. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly object[];
  /** The operation whose example the resource in the body has. Absent: this one. */
  readonly exampleOf?: string;
  /** In place of a resource. */
  readonly requestBody?: object;
  /** The type of the resource in the answer; or the statuses of a write, and what they mean. */
  readonly returns: string | Readonly<Record<number, string>>;
  readonly errors: readonly ErrorKind[];
}

/** A request, and what the server knows of it when the interaction runs. */
export interface RequestContext {
  /** The query of a search by form includes the parameters in the body. */
  readonly request: FhirRequest;
  readonly service: Service;
  readonly software: Software;
  readonly interaction: AnyInteraction;
  readonly negotiated: Negotiated;
  /** When the server began to process the request, as `performance.now()` has it. */
  readonly startMs: number;
  readonly onFault: OnFault;
}

export interface TypeContext extends RequestContext {
  readonly type: ServedType;
  /** Empty if the path has no id. */
  readonly id: string;
  /** Empty if the path has no version. */
  readonly version: string;
  /** Undefined if the service asks for no token. */
  readonly identity: Identity | undefined;
  /** The resource in the body; empty if the interaction reads none. */
  readonly body: Uint8Array;
  /** In place of the body: the resource, if it was decoded and found valid as a part of another one. */
  readonly decoded?: Resource;
  /** Whether the repository records the access from now on; see `handOver`. */
  isHandedOver: boolean;
}

/** The program, as the capability statement names it. */
export interface Software {
  readonly name: string;
  readonly version: string;
  /** `YYYY-MM-DD`. It is the date of the statement too, which so stays the same after a restart. */
  readonly releaseDate: string;
}

/** A resource type, and what clients can do with it. */
export interface ServedType {
  readonly name: string;
  readonly profile?: string;
  readonly documentation: string;
  readonly interactions: readonly Interaction[];
  /** The resource with the id, and the version if the path has one; undefined if it does not exist. */
  readonly read?: (context: TypeContext, form: Form) => MaybePromise<Representation | undefined>;
  /** The diagnostics if the resource does not exist. */
  readonly notFound: string;
  /** All ids, if they are few and known. */
  readonly ids?: readonly string[];
  /** The URLs of the code systems whose codes its operations know. */
  readonly codeSystems?: readonly string[];
  readonly search?: TypeSearch;
  /**
   * The repository of the type, and the rules if clients write it. The audit log has an entry of
   * every interaction with such a type; see `refused-access.ts`.
   */
  readonly stored?: StoredType;
}

/** The search of a type. */
export interface TypeSearch {
  readonly parameters: readonly SearchParameter[];
  /** Pairs of parameters: the second can only be used with the first. */
  readonly combinations: readonly (readonly [required: string, optional: string])[];
  /** The values of `_include` and `_revinclude`. */
  readonly includes?: readonly string[];
  readonly reverseIncludes?: readonly string[];
  /** The Bundle of matches. Throws a FhirError with every problem of the parameters. */
  run(request: SearchRequest, context: TypeContext): MaybePromise<Representation>;
}

/** The scope that a client needs: `system/OrderResponse.write`. */
export interface RequiredScope {
  readonly type: string;
  readonly action: 'read' | 'write';
}

/**
 * Throws, or rejects with, a FhirError if the client lacks the scope. `address` is the address of
 * the client, for which the number of requests to an issuer is limited.
 */
export type Authorize = (
  authorization: string | undefined,
  scope: RequiredScope,
  address: string,
) => MaybePromise<Identity>;

/** https://hl7.org/fhir/STU3/datatypes.html#ErrorCoding */
export interface ErrorCoding {
  readonly system?: string;
  readonly code: string;
  readonly display: string;
}

/** How a service answers over HTTP, independent of its paths and errors. */
export interface AnswerOptions {
  /** Checks the header `apikey`; throws a FhirError. Absent: the service asks for no API key. */
  readonly checkApiKey?: ((key: string | undefined) => void) | undefined;
  /** Checks the token of a request. Absent: the service asks for no token. */
  readonly authorize?: Authorize | undefined;
  /** Headers of every answer: each name is followed by its value. */
  readonly headers: readonly string[];
  /** The origins whose pages may read answers, unless `headers` allow all origins. */
  readonly corsOrigins?: readonly string[];
  /** Request headers that these pages may send, besides those of every service. */
  readonly corsRequestHeaders?: readonly string[];
  /** The header Cache-Control of answers to GET and HEAD with 200 or 304. */
  readonly cacheControl?: string | undefined;
  /** Bodies of at least this size are compressed for clients that accept gzip; 0: never. */
  readonly gzipMinBytes: number;
}

export interface Service extends AnswerOptions {
  readonly name: string;
  /** The name for people: `FHIR STU3`. */
  readonly title: string;
  readonly description: string;
  readonly version: FhirVersion;
  /** The canonical URLs of the capability statements that the service implements. */
  readonly instantiates?: readonly string[];
  /** The public address of the server, without a slash at the end. */
  readonly serverUrl: string;
  /** The base of the service: absolute, without a slash at the end. */
  readonly baseUrl: string;
  readonly defaultFormat: Format;
  readonly interactions: readonly SystemInteraction[];
  readonly types: readonly ServedType[];
  /** Requests of the OpenAPI description that clients can send as they are. */
  readonly examples?: RequestExamples;
  /** The code in `issue.details` for each kind of error. Absent: issues have no details. */
  readonly errorDetails?: Readonly<Record<ErrorKind, ErrorCoding>>;
  /** The profile of the OperationOutcomes. */
  readonly outcomeProfile?: string;
  /** Changes the JSON form of an outcome. */
  readonly outcomeJson?: (outcome: { readonly resourceType: string }) => {
    readonly resourceType: string;
  };
  readonly downloads: readonly Download[];
  /** Who issues the tokens. Absent: an operator makes them. */
  readonly tokenIssuer?: TokenIssuer;
}

/** The issuer of tokens, as clients find it. */
export interface TokenIssuer {
  /** The claim `iss` of its tokens. */
  readonly issuer: string;
  /** Where clients get tokens. */
  readonly tokenUrl?: string | undefined;
  readonly jwksUrl?: string | undefined;
}

export interface Download {
  /** Absolute. */
  readonly url: string;
  /** The id of the operation in the OpenAPI description: `currentEdition`. */
  readonly name: string;
  readonly documentation: string;
  /** The only media type. The header Accept does not matter. */
  readonly contentType: string;
  /** Whether gzip would not make it smaller. */
  readonly isCompressed?: boolean;
  /** The type of the resources in it: a client needs the scope to read them. Absent: no scope. */
  readonly type?: string;
  /** Throws a FhirError if there is nothing to download. */
  readonly open: () => OpenDownload;
}

export interface OpenDownload {
  readonly etag: string;
  /** An HTTP date. */
  readonly lastModified?: string;
  /** More headers of the answer: each name is followed by its value. */
  readonly headers?: readonly string[];
  readonly pieces: OpenPieces;
  /** As of `FhirResponse`. */
  readonly release?: (piece: Uint8Array) => void;
}

/** It answers every request below its base in its own way, errors too. */
export interface PlainService {
  readonly name: string;
  /** The name for people: `ORD 2-0-0`. */
  readonly title: string;
  readonly description: string;
  /** Absolute, below the public address of the server, without a slash at the end. */
  readonly baseUrl: string;
  /** The segments of its paths below the base, and the names of its parameters, for the log. */
  readonly words: readonly string[];
  /** The operations of each path below the base, in the OpenAPI description. */
  readonly operations: Readonly<Record<string, PlainOperations>>;
  /** Never throws or rejects. `onFault` is called with each fault. */
  handle(request: FhirRequest, onFault: OnFault): MaybePromise<FhirResponse>;
}

/** The operations of a path, by method. */
export type PlainOperations = Readonly<Partial<Record<'get' | 'post', PlainOperation>>>;

/** An operation in the OpenAPI description. */
export interface PlainOperation {
  /** Without it, clients need neither a token nor a key. */
  readonly security?: readonly object[];
  readonly [field: string]: unknown;
}
