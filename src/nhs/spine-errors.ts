/** The error codes of NHS services, and the profile of their OperationOutcomes in STU3. */
import type { ErrorKind } from '../fhir/fhir-error.ts';
import type { ErrorCoding } from '../fhir/interaction.ts';

/** https://fhir.nhs.uk/STU3/CodeSystem/Spine-ErrorOrWarningCode-1 */
const SYSTEM = 'https://fhir.nhs.uk/STU3/CodeSystem/Spine-ErrorOrWarningCode-1';

export const SPINE_OUTCOME_PROFILE =
  'https://fhir.nhs.uk/STU3/StructureDefinition/Spine-OperationOutcome-1';

const ACCESS_DENIED = spineCoding('ACCESS DENIED', 'Access denied');
const BAD_REQUEST = spineCoding('BAD_REQUEST', 'Bad request');
const INTERNAL_ERROR = spineCoding('INTERNAL_SERVER_ERROR', 'Internal server error');
const NO_RECORD = spineCoding('NO_RECORD_FOUND', 'No record found');
const NOT_IMPLEMENTED = spineCoding('NOT_IMPLEMENTED', 'Not implemented');
const UNSUPPORTED_MEDIA_TYPE = spineCoding('UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type');

export const SPINE_ERRORS: Readonly<Record<ErrorKind, ErrorCoding>> = {
  'no-record': NO_RECORD,
  'unknown-path': NO_RECORD,
  'method-not-allowed': NOT_IMPLEMENTED,
  unauthorized: ACCESS_DENIED,
  forbidden: ACCESS_DENIED,
  'not-acceptable': UNSUPPORTED_MEDIA_TYPE,
  'unsupported-media-type': UNSUPPORTED_MEDIA_TYPE,
  'unknown-transfer-coding': NOT_IMPLEMENTED,
  'body-too-large': BAD_REQUEST,
  gone: BAD_REQUEST,
  'invalid-code-system': spineCoding('INVALID_CODE_SYSTEM', 'Invalid code system'),
  'invalid-code-value': spineCoding('INVALID_CODE_VALUE', 'Invalid code value'),
  'invalid-identifier-system': spineCoding(
    'INVALID_IDENTIFIER_SYSTEM',
    'Invalid identifier system',
  ),
  'invalid-identifier-value': spineCoding('INVALID_IDENTIFIER_VALUE', 'Invalid identifier value'),
  'invalid-parameter': spineCoding('INVALID_PARAMETER', 'Invalid parameter'),
  'invalid-value': spineCoding('INVALID_VALUE', 'An input field has an invalid value for its type'),
  'invalid-request': BAD_REQUEST,
  'invalid-resource': BAD_REQUEST,
  conflict: BAD_REQUEST,
  'precondition-failed': BAD_REQUEST,
  'rule-broken': BAD_REQUEST,
  'too-costly': BAD_REQUEST,
  throttled: BAD_REQUEST,
  unavailable: INTERNAL_ERROR,
  fault: INTERNAL_ERROR,
};

function spineCoding(code: string, display: string): ErrorCoding {
  return { system: SYSTEM, code, display };
}
