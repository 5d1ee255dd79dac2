/** The one error that a request can end in: values that `outcome.ts` turns into an answer. */

/**
 * What went wrong. `outcome.ts` alone knows each kind's HTTP status, FHIR issue code and the code
 * of the service's own code system.
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
  | 'edition-gone'
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
  | 'throttled'
  | 'unavailable'
  | 'fault';

export interface Issue {
  readonly kind: ErrorKind;
  /** Names the thing and the remedy. */
  readonly diagnostics: string;
  /** The parameter at fault, as FHIR names it in issue.location: `http.name:exact`; or an XPath. */
  readonly location?: string;
  /** FHIR's issue type, where it is another than the kind's. */
  readonly code?: string;
}

/** All failures found in a request, in its order; the first decides the status. */
export class FhirError extends Error {
  override readonly name = 'FhirError';
  readonly issues: readonly [Issue, ...Issue[]];
  /** Headers of the answer, names and values in turn: Allow, Retry-After. */
  readonly headers: readonly string[];

  constructor(issues: readonly [Issue, ...Issue[]], headers: readonly string[] = []) {
    super(issues[0].diagnostics);
    this.issues = issues;
    this.headers = headers;
  }
}
