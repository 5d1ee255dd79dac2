/** A request and its answer between the socket's side and the core: plain data, no sockets. */
import type { FhirError } from './fhir-error.ts';

export interface FhirRequest {
  /** Upper case, as on the wire. */
  readonly method: string;
  /** The path as on the wire, percent-encoded, from `/` and without the query. */
  readonly path: string;
  /** What follows the first `?`, percent-encoded; empty where there is none. */
  readonly query: string;
  /** By lower-case name; headers sent more than once are joined as HTTP has it. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The request id: on the answer, in every log line and in the outcome of a fault. */
  readonly id: string;
  /** The client's address: behind a known proxy, the one that the proxy names. */
  readonly addressOf?: () => string;
  /** What the socket's side refuses it for: the answer, whatever it asks. */
  readonly refusal?: FhirError;
  /**
   * Reads the body; absent for methods without a body. Call it once, after every check that
   * does not need the body: until then no byte of it is kept in memory, and the server sends
   * no `100 Continue`. Rejects with a FhirError where the body is too large; never settles if
   * the client disconnects.
   */
  readonly readBody?: (kind: BodyKind) => Promise<Uint8Array>;
}

/** The kind of the body. Each kind has its own limit. */
export type BodyKind = 'resource' | 'form';

export interface FhirResponse {
  readonly status: number;
  /** Names and values in turn, without Content-Length, Date and X-Request-Id. */
  readonly headers: readonly string[];
  /** Absent where the status has no body. */
  readonly body?: Uint8Array | string;
  /** To be told, once at the most, when the bytes of the body have been sent. */
  readonly release?: ((body: Uint8Array) => void) | undefined;
  /** In place of a body, one that is made while it is sent: as fast as the client takes it. */
  readonly pieces?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** What was asked for, and the format of the body: labels of metrics. */
  readonly interaction?: string | undefined;
  readonly format?: 'json' | 'xml';
  /** The path is no service's and no document's: somebody else may have a better answer. */
  readonly isElsewhere?: boolean;
}

/** A header that may be sent once; the first value where it was sent more often. */
export function headerOf(request: FhirRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
