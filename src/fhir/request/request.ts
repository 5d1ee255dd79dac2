/** A request and its answer, as the core and the HTTP listener exchange them: plain data. */
import type { FhirError } from './fhir-error.ts';

export interface FhirRequest {
  /** Upper case, as on the wire. */
  readonly method: string;
  /** The path as sent: percent-encoded, from `/`, without the query. */
  readonly path: string;
  /** The text after the first `?`, percent-encoded; empty if there is none. */
  readonly query: string;
  /** By lower-case name. Headers that were sent more than once are joined as HTTP defines it. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The request id: in a header of the answer, in log lines and in the outcome of a fault. */
  readonly id: string;
  /** The address of the client. Behind a known proxy it is the address that the proxy names. */
  readonly addressOf?: () => string;
  /**
   * Call it before the answer waits for something, such as a change. `client` names who waits;
   * absent: the address. Throws a FhirError if too many requests wait. Absent: no answer may wait.
   */
  readonly beginWait?: (client: string | undefined) => RequestWait;
  /**
   * A signal for long work: it aborts when the client ends the connection before the answer, with a
   * FhirError as its reason.
   */
  readonly leftSignal?: () => AbortSignal;
  /** Why the listener refuses the request. The core then answers with this error. */
  readonly refusal?: FhirError;
  /**
   * Reads the body; absent for methods without a body. Call it once, after every check that
   * does not need the body: until then no byte of it is kept in memory, and the server sends
   * no `100 Continue`. Rejects with a FhirError if the body is too large; never settles if
   * the client disconnects.
   */
  readonly readBody?: (kind: BodyKind) => Promise<Uint8Array>;
}

export interface RequestWait {
  /** Aborts when the client disconnects or the server stops. The answer must then come at once. */
  readonly signal: AbortSignal;
  /** Call it when the wait is over. */
  end(): void;
}

/** Called with each fault. The client sees only an internal error with the request id. */
export type OnFault = (error: unknown, request: FhirRequest) => void;

/** The kind of the body. Each kind has its own limit. */
export type BodyKind = 'resource' | 'form';

export interface FhirResponse {
  readonly status: number;
  /** Each name is followed by its value. Without Content-Length, Date and X-Request-Id. */
  readonly headers: readonly string[];
  /** Absent if the status has no body. */
  readonly body?: Uint8Array | string;
  /** Called at most once for the bytes of the body, or of each piece, when they have been sent. */
  readonly release?: ((body: Uint8Array) => void) | undefined;
  /** Called once, when the answer has been sent or the client has disconnected. */
  readonly onClosed?: () => void;
  /** A body that is made while it is sent, in place of `body`. */
  readonly pieces?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** The `meta.lastUpdated` of the stored version, since Last-Modified has whole seconds. */
  readonly lastUpdated?: string | undefined;
  /** How long the answer waited for a change, which is not the time that the server needed. */
  readonly waitedMs?: number | undefined;
  /** The labels in metrics: FHIR's code of the interaction, `preflight` or `download`. */
  readonly interaction?: string | undefined;
  readonly format?: 'json' | 'xml';
  /**
   * Neither a service nor a download has the path, or it is the base of a service, so that a page
   * may answer instead.
   */
  readonly isUnhandled?: boolean;
  /** What the client may have meant by a path that nothing has. */
  readonly nearestPath?: string | undefined;
}
