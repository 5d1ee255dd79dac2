/** A problem at one place of a resource, a request body or a source file. */
export interface Finding {
  /**
   * A simple XPath, as OperationOutcome.issue.location has it in DSTU2 and STU3:
   * `/f:OrderResponse/f:contained[2]/f:Patient/f:gender`. Only repeating elements have positions,
   * which start at 1. JSON and XML have the same paths.
   */
  readonly path: string;
  /** An issue-type code of FHIR. With `business-rule` it breaks a rule of the service, not of FHIR. */
  readonly code: FindingCode;
  /** A sentence that names the problem and the remedy. */
  readonly text: string;
  /** The position in an XML body, from 1. */
  readonly line?: number;
  readonly column?: number;
}

export type FindingCode =
  | 'structure'
  | 'required'
  | 'value'
  | 'invariant'
  | 'invalid'
  | 'too-long'
  | 'code-invalid'
  | 'not-found'
  | 'business-rule';
