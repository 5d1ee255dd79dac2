/** What is wrong at one place of a resource, a request body or a source file. */
export interface Finding {
  /**
   * Simple XPath with the `f:` prefix, as DSTU2 and STU3 have it in OperationOutcome.issue.location:
   * `/f:OrderResponse/f:contained[2]/f:Patient/f:gender`; positions from 1, only on repeating
   * elements. The same for JSON and XML.
   */
  readonly path: string;
  /** An issue-type code of FHIR; with `business-rule` it breaks no rule of FHIR's, but one of ours. */
  readonly code: FindingCode;
  /** A sentence that names the thing and the remedy. */
  readonly text: string;
  /** Where it stands in an XML body, from 1. */
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
  | 'business-rule';
