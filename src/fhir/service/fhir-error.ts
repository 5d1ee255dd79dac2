/** The error that a request can end in. `failure.ts` turns it into an OperationOutcome. */
/**
 * What went wrong. `failure.ts` has the HTTP status and the FHIR issue code of each kind. Each
 * service has its own code for it.
 */
export type ErrorKind =
  | 'no-record'
  | 'unknown-path'
  | 'method-not-allowed'
  | 'unauthorized'
  | 'forbidden'
  | 'not-acceptable'
  | 'unsupported-media-type'
  | 'unknown-transfer-coding'
  | 'body-too-large'
  | 'gone'
  | 'invalid-code-system'
  | 'invalid-code-value'
  | 'invalid-identifier-system'
  | 'invalid-identifier-value'
  | 'invalid-parameter'
  | 'invalid-value'
  | 'invalid-request'
  | 'invalid-resource'
  | 'conflict'
  | 'precondition-failed'
  | 'rule-broken'
  | 'too-costly'
  | 'throttled'
  | 'unavailable'
  | 'fault';

export interface Issue {
  readonly kind: ErrorKind;
  /** Names the problem and the remedy. */
  readonly diagnostics: string;
  /** The remedy, if the diagnostics are the words of a national service and do not name it. */
  readonly hint?: string;
  /** The parameter, as FHIR's issue.location names it: `http.name:exact`. Or an XPath. */
  readonly location?: string;
  /** FHIR's issue type, if it is not that of the kind. */
  readonly code?: string;
}

/** Every problem found in a request, in its order. The first one selects the status. */
export class FhirError extends Error {
  override readonly name = 'FhirError';
  readonly issues: readonly [Issue, ...Issue[]];
  /** Headers of the answer, such as Allow: each name is followed by its value. */
  readonly headers: readonly string[];

  constructor(issues: readonly [Issue, ...Issue[]], headers: readonly string[] = []) {
    // No stack: capturing it would take longer than the rest of the answer.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(issues[0].diagnostics);
    Error.stackTraceLimit = stackTraceLimit;
    this.issues = issues;
    this.headers = headers;
  }
}

/** An error that can end in a moment: the request then runs again. */
export class RepeatableError extends FhirError {
  /** Resolves when the request can run again. It then ends in this error, or succeeds. */
  readonly ready: Promise<void>;

  constructor({ issues, headers }: FhirError, ready: Promise<void>) {
    super(issues, headers);
    this.ready = ready;
  }
}
