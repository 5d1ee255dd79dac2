/** A service that is not FHIR. It answers beside the FHIR services of a server. */
import type { MaybePromise } from './interaction.ts';
import type { FhirRequest, FhirResponse, OnFault } from './request.ts';

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
  /** The operation for GET of each path below the base, in the OpenAPI description. */
  readonly operations: Readonly<Record<string, PlainOperation>>;
  /** Never throws or rejects. `onFault` is called with each fault. */
  handle(request: FhirRequest, onFault: OnFault): MaybePromise<FhirResponse>;
}

/** An operation in the OpenAPI description. */
export interface PlainOperation {
  /** Without it, clients need neither a token nor a key. */
  readonly security?: readonly object[];
  readonly [field: string]: unknown;
}
