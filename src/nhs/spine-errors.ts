/** The error codes of NHS services, and the profile of their OperationOutcomes in STU3. */
import type { ErrorKind } from '../fhir/request/fhir-error.ts';
import type { ErrorCoding } from '../fhir/service/interaction.ts';

/** https://fhir.nhs.uk/STU3/CodeSystem/Spine-ErrorOrWarningCode-1 */
const SYSTEM = 'https://fhir.nhs.uk/STU3/CodeSystem/Spine-ErrorOrWarningCode-1';

export const SPINE_OUTCOME_PROFILE =
  'https://fhir.nhs.uk/STU3/StructureDefinition/Spine-OperationOutcome-1';

export const SPINE_ERRORS = errorCodings(SYSTEM);

/** Without a system: the code system is one of STU3, and DSTU2 has none of them. */
export const SPINE_CODES = errorCodings(undefined);

function errorCodings(system: string | undefined): Readonly<Record<ErrorKind, ErrorCoding>> {
  const coding = (code: string, display: string): ErrorCoding => ({
    ...(system !== undefined && { system }),
    code,
    display,
  });
  const ACCESS_DENIED = coding('ACCESS DENIED', 'Access denied');
  const BAD_REQUEST = coding('BAD_REQUEST', 'Bad request');
  const INTERNAL_ERROR = coding('INTERNAL_SERVER_ERROR', 'Internal server error');
  const NO_RECORD = coding('NO_RECORD_FOUND', 'No record found');
  const NOT_IMPLEMENTED = coding('NOT_IMPLEMENTED', 'Not implemented');
  const UNSUPPORTED_MEDIA_TYPE = coding('UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type');
  return {
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
    'invalid-code-system': coding('INVALID_CODE_SYSTEM', 'Invalid code system'),
    'invalid-code-value': coding('INVALID_CODE_VALUE', 'Invalid code value'),
    'invalid-identifier-system': coding('INVALID_IDENTIFIER_SYSTEM', 'Invalid identifier system'),
    'invalid-identifier-value': coding('INVALID_IDENTIFIER_VALUE', 'Invalid identifier value'),
    'invalid-parameter': coding('INVALID_PARAMETER', 'Invalid parameter'),
    'invalid-value': coding('INVALID_VALUE', 'An input field has an invalid value for its type'),
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
}
