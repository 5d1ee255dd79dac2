/** The error table of the reference: each kind of error, and when the server answers it. */

import { ERROR_ROWS, type ErrorKind } from '../src/fhir/request/fhir-error.ts';
import { SPINE_ERRORS } from '../src/nhs/spine-errors.ts';

/** The cells of each row, by status: status, issue code, code, when. */
export function errorRows(): string[][] {
  return Object.keys(WHEN)
    .filter(isErrorKind)
    .map((kind) => ({ ...ERROR_ROWS[kind], coding: SPINE_ERRORS[kind], when: WHEN[kind] }))
    .sort((a, b) => a.status - b.status)
    .map(({ status, code, coding, when }) => [
      String(status),
      `\`${code}\``,
      `\`${coding.code}\``,
      when,
    ]);
}

function isErrorKind(kind: string): kind is ErrorKind {
  return Object.hasOwn(ERROR_ROWS, kind);
}

const WHEN: Readonly<Record<ErrorKind, string>> = {
  'no-record': 'There is no resource or version with this id.',
  'unknown-path': 'The server serves nothing at this path.',
  'method-not-allowed':
    'The path does not support the method (see `Allow`), or the order response to update does not exist.',
  unauthorized: 'The token is missing or not valid.',
  forbidden:
    'The token does not have the required scope, or `orders.updates` or `subscriptions.updates` is `creator` and another client created the resource.',
  'not-acceptable': '`Accept` names neither JSON nor XML.',
  'unsupported-media-type':
    'The body has an unsupported media type, charset or `Content-Encoding`.',
  'unknown-transfer-coding': '`Transfer-Encoding` names a coding other than `chunked`.',
  'body-too-large': 'The body is longer than `limits.bodyBytes` or `limits.formBytes`.',
  gone: 'The server does not have the edition of the link.',
  'invalid-code-system': 'The server does not know the system of a role.',
  'invalid-code-value': 'The code of a role is not a number.',
  'invalid-identifier-system': 'The system of an identifier is empty or unknown.',
  'invalid-identifier-value':
    'The value of an identifier is empty, or has characters other than letters and digits.',
  'invalid-parameter':
    'A parameter or modifier is unknown or repeated, lacks another parameter, or there are too many.',
  'invalid-value': 'The value of a parameter is not valid.',
  'invalid-request':
    'A header is missing or not valid (`Host`, `Authorization`, `Content-Type`, `If-Match`, `If-None-Exist`), or was sent twice although it has only one value (also `If-Modified-Since`, `If-Unmodified-Since`, `Origin`, `apikey`).',
  'invalid-resource':
    'The body is not a valid resource. The issue code may also be `structure`, `required`, `value`, `invariant` or another.',
  conflict: '`If-Match` does not name the current version.',
  'precondition-failed':
    'A precondition is false or matches several resources; `If-Match` is required, or is for a resource that does not exist; or the token does not allow the client to see why.',
  'rule-broken': 'The body is valid FHIR, but violates a rule of the service.',
  'too-costly':
    'Too many resources match each parameter of a search or a condition, a search of R4 has too many short texts, or it would include too many affiliations.',
  throttled:
    'One client sends more than `limits.requestsPerSecond`, or too many of its tokens wait for the issuer. See `Retry-After`.',
  unavailable:
    'The server has no edition yet, is overloaded, cannot reach the issuer of tokens, or cannot write to the disk. See `Retry-After`.',
  fault: 'The server failed. The diagnostics have the request id, and the log has the details.',
};
