/** Errors as answers: status, issue code and OperationOutcome of each kind, in this one place. */
import type { ErrorKind, Issue } from './fhir-error.ts';
import type { FhirVersion } from './fhir-version.ts';
import { XHTML_NAMESPACE } from './format/narrative.ts';
import { escapeXmlText } from './format/xml-text.ts';

/** One row of the error table. */
interface ErrorRow {
  readonly status: number;
  /** FHIR's issue type: https://hl7.org/fhir/STU3/valueset-issue-type.html */
  readonly code: string;
  /** The code of the national error code system, and its display. */
  readonly detail: string;
  readonly display: string;
}

export const ERROR_ROWS: Readonly<Record<ErrorKind, ErrorRow>> = {
  'no-record': row(404, 'not-found', 'NO_RECORD_FOUND', 'No record found'),
  'unknown-path': row(404, 'not-found', 'NO_RECORD_FOUND', 'No record found'),
  'method-not-allowed': row(405, 'not-supported', 'NOT_IMPLEMENTED', 'Not implemented'),
  unauthorized: row(401, 'login', 'ACCESS DENIED', 'Access denied'),
  forbidden: row(403, 'forbidden', 'ACCESS DENIED', 'Access denied'),
  'not-acceptable': row(406, 'not-supported', 'UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type'),
  'unsupported-media-type': row(
    415,
    'not-supported',
    'UNSUPPORTED_MEDIA_TYPE',
    'Unsupported media type',
  ),
  'unknown-transfer-coding': row(501, 'not-supported', 'NOT_IMPLEMENTED', 'Not implemented'),
  'body-too-large': row(413, 'too-long', 'BAD_REQUEST', 'Bad request'),
  'edition-gone': row(410, 'processing', 'BAD_REQUEST', 'Bad request'),
  'invalid-code-system': row(400, 'code-invalid', 'INVALID_CODE_SYSTEM', 'Invalid code system'),
  'invalid-code-value': row(400, 'code-invalid', 'INVALID_CODE_VALUE', 'Invalid code value'),
  'invalid-identifier-system': row(
    400,
    'code-invalid',
    'INVALID_IDENTIFIER_SYSTEM',
    'Invalid identifier system',
  ),
  'invalid-identifier-value': row(
    400,
    'code-invalid',
    'INVALID_IDENTIFIER_VALUE',
    'Invalid identifier value',
  ),
  'invalid-parameter': row(400, 'invalid', 'INVALID_PARAMETER', 'Invalid parameter'),
  'invalid-value': row(
    400,
    'invalid',
    'INVALID_VALUE',
    'An input field has an invalid value for its type',
  ),
  'invalid-request': row(400, 'invalid', 'BAD_REQUEST', 'Bad request'),
  'invalid-resource': row(400, 'invalid', 'BAD_REQUEST', 'Bad request'),
  conflict: row(409, 'conflict', 'BAD_REQUEST', 'Bad request'),
  'precondition-failed': row(412, 'conflict', 'BAD_REQUEST', 'Bad request'),
  'rule-broken': row(422, 'business-rule', 'BAD_REQUEST', 'Bad request'),
  throttled: row(429, 'throttled', 'BAD_REQUEST', 'Bad request'),
  unavailable: row(503, 'transient', 'INTERNAL_SERVER_ERROR', 'Internal server error'),
  fault: row(500, 'exception', 'INTERNAL_SERVER_ERROR', 'Internal server error'),
};

/** The OperationOutcome of a request's failures, in the FHIR version of its service. */
export function operationOutcome(
  issues: readonly Issue[],
  version: FhirVersion,
  id: string,
): { resourceType: string; [element: string]: unknown } {
  return {
    resourceType: 'OperationOutcome',
    id,
    ...(version.name === 'STU3' ? { meta: { profile: [OUTCOME_PROFILE] } } : {}),
    issue: issues.map(({ kind, code, diagnostics, location }) => {
      const { code: usual, detail, display } = ERROR_ROWS[kind];
      return {
        severity: 'error',
        code: code ?? usual,
        details: { coding: [{ system: ERROR_SYSTEM, code: detail, display }] },
        diagnostics: printable(diagnostics),
        ...(location === undefined ? {} : { location: [printable(location)] }),
      };
    }),
  };
}

/**
 * The outcome of a success: what was done, and what is worth knowing besides. Its narrative is a
 * table, one row for each issue.
 */
export function successOutcome(done: string, warnings: readonly string[]) {
  const issues = [
    { severity: 'information', code: 'informational', diagnostics: printable(done) },
    ...warnings.map((warning) => ({
      severity: 'warning',
      code: 'informational',
      diagnostics: printable(warning),
    })),
  ];
  const rows = issues.map(
    ({ severity, diagnostics }) =>
      `<tr><td style="font-weight: bold;">${severity}</td><td>[]</td>` +
      `<td><pre>${escapeXmlText(diagnostics)}</pre></td></tr>`,
  );
  const table = `<table border="0">${rows.join('')}</table>`;
  return {
    resourceType: 'OperationOutcome',
    text: {
      status: 'generated',
      div: `<div xmlns="${XHTML_NAMESPACE}"><h1>Operation Outcome</h1>${table}</div>`,
    },
    issue: issues,
  };
}

/** Requests are quoted, and may hold characters that neither XML nor a FHIR string can. */
function printable(text: string): string {
  const whole = text.toWellFormed().replace(NOT_XML, '\u{FFFD}');
  return whole.length > QUOTED_MAX ? `${whole.slice(0, QUOTED_MAX)} …` : whole;
}

/** Enough to recognise what is quoted; requests may be much longer. */
const QUOTED_MAX = 1000;

/** https://www.w3.org/TR/xml/#charsets */
const NOT_XML = /[^\t\n\r\u{20}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const OUTCOME_PROFILE = 'https://fhir.nhs.uk/STU3/StructureDefinition/Spine-OperationOutcome-1';
const ERROR_SYSTEM = 'https://fhir.nhs.uk/STU3/CodeSystem/Spine-ErrorOrWarningCode-1';

function row(status: number, code: string, detail: string, display: string): ErrorRow {
  return { status, code, detail, display };
}
