/**
 * What can go wrong: the HTTP status, and FHIR's issue type
 * (https://hl7.org/fhir/STU3/valueset-issue-type.html). Each service has its own code for it.
 */
export const ERROR_ROWS = {
  'no-record': { status: 404, code: 'not-found' },
  'unknown-path': { status: 404, code: 'not-found' },
  'method-not-allowed': { status: 405, code: 'not-supported' },
  unauthorized: { status: 401, code: 'login' },
  forbidden: { status: 403, code: 'forbidden' },
  'not-acceptable': { status: 406, code: 'not-supported' },
  'unsupported-media-type': { status: 415, code: 'not-supported' },
  'unknown-transfer-coding': { status: 501, code: 'not-supported' },
  'body-too-large': { status: 413, code: 'too-long' },
  gone: { status: 410, code: 'processing' },
  'invalid-code-system': { status: 400, code: 'code-invalid' },
  'invalid-code-value': { status: 400, code: 'code-invalid' },
  'invalid-identifier-system': { status: 400, code: 'code-invalid' },
  'invalid-identifier-value': { status: 400, code: 'code-invalid' },
  'invalid-parameter': { status: 400, code: 'invalid' },
  'invalid-value': { status: 400, code: 'invalid' },
  'invalid-request': { status: 400, code: 'invalid' },
  'invalid-resource': { status: 400, code: 'invalid' },
  conflict: { status: 409, code: 'conflict' },
  'precondition-failed': { status: 412, code: 'conflict' },
  'rule-broken': { status: 422, code: 'business-rule' },
  'too-costly': { status: 400, code: 'too-costly' },
  throttled: { status: 429, code: 'throttled' },
  unavailable: { status: 503, code: 'transient' },
  fault: { status: 500, code: 'exception' },
} as const satisfies Readonly<Record<string, ErrorRow>>;

interface ErrorRow {
  readonly status: number;
  readonly code: string;
}

export type ErrorKind = keyof typeof ERROR_ROWS;

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

  constructor(issues: readonly Issue[], headers: readonly string[] = []) {
    const [first, ...others] = issues;
    if (first === undefined) throw new Error('an error needs an issue');
    // No stack: capturing it would take longer than the rest of the answer.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(first.diagnostics);
    Error.stackTraceLimit = stackTraceLimit;
    this.issues = [first, ...others];
    this.headers = headers;
  }

  /** An error with one issue. */
  static of(
    kind: ErrorKind,
    diagnostics: string,
    {
      location,
      headers,
    }: { readonly location?: string; readonly headers?: readonly string[] } = {},
  ): FhirError {
    return new FhirError([{ kind, diagnostics, ...(location && { location }) }], headers);
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
