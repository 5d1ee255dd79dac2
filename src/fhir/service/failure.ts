/** Answers a request that failed: turns the error into an OperationOutcome. */
import { randomUUID } from 'node:crypto';
import { XHTML_NAMESPACE } from '../format/narrative.ts';
import type { AnyResource } from '../format/resource.ts';
import { asXmlText, escapeXmlText } from '../format/xml-text.ts';
import { type Form, type Negotiate, type Negotiated, preferencesOf } from '../http/negotiate.ts';
import { ERROR_ROWS, FhirError, type Issue } from '../request/fhir-error.ts';
import type { FhirRequest, FhirResponse, OnFault } from '../request/request.ts';
import { withBase } from '../request/unknown-name.ts';
import { RepositoryError } from '../stored/repository-error.ts';
import { encodeBody, headersOf } from './answer.ts';
import type { Service } from './interaction.ts';

/** A request, and what an answer to its failure needs. */
export interface Received {
  readonly request: FhirRequest;
  readonly service: Service;
  readonly negotiate: Negotiate;
  /** The form of the service by default, until the server has negotiated another. */
  readonly unnegotiated: Negotiated;
  /** See `FhirResponse`. */
  readonly isUnhandled: boolean;
  readonly onFault: OnFault;
}

/** `interaction` is the label in metrics. */
export function answerFailure(
  received: Received,
  error: unknown,
  interaction?: string,
): FhirResponse {
  const { request, service, isUnhandled } = received;
  const { issues, headers } = fhirErrorOf(error, received);
  const form = formOf(received);
  const outcome = operationOutcome(issues, service, randomUUID());
  const shown = form.format === 'json' ? (service.outcomeJson?.(outcome) ?? outcome) : outcome;
  return {
    status: ERROR_ROWS[issues[0].kind].status,
    headers: ['Content-Type', form.contentType, ...headersOf(service, request), ...headers],
    body: encodeBody(shown, form, service.version.definitions),
    interaction,
    format: form.format,
    isUnhandled,
  };
}

/** The error that the client sees. `onFault` is called if the error is a fault. */
export function fhirErrorOf(
  error: unknown,
  { request, onFault }: Pick<Received, 'request' | 'onFault'>,
): FhirError {
  if (error instanceof FhirError) return error;
  if (error instanceof RepositoryError) {
    const message = isRead(request) ? error.messageOfRead : error.message;
    return FhirError.of('unavailable', message, { headers: RETRY_SOON });
  }
  onFault(error, request);
  return new FhirError([faultIssue(request)]);
}

function isRead({ method, path }: FhirRequest): boolean {
  return method === 'GET' || method === 'HEAD' || path.endsWith('/_search');
}

/** The repository restarts within seconds, or reports its problem again. */
const RETRY_SOON = ['Retry-After', '5'];

function faultIssue({ id }: FhirRequest): Issue {
  return {
    kind: 'fault',
    diagnostics: `An internal error happened. The server's log has the details under request id ${id}.`,
  };
}

/** The form that the client prefers; the service's default if the client accepts none. */
function formOf({ request, negotiate, unnegotiated }: Received): Form {
  try {
    return negotiate(preferencesOf(request)).form;
  } catch {
    return unnegotiated.form;
  }
}

/** The OperationOutcome of a request's errors, with the codes and the profile of the service. */
export function operationOutcome(
  issues: readonly Issue[],
  {
    baseUrl,
    errorDetails,
    outcomeProfile,
  }: Pick<Service, 'baseUrl' | 'errorDetails' | 'outcomeProfile'>,
  id: string,
): { resourceType: string; [element: string]: unknown } {
  return {
    resourceType: 'OperationOutcome',
    id,
    ...(outcomeProfile !== undefined && { meta: { profile: [outcomeProfile] } }),
    issue: issues.map(({ kind, code, diagnostics, hint, location }) => {
      // Without the words of a national service, one sentence follows the other.
      const hasDetails = errorDetails !== undefined;
      const text = hint === undefined || hasDetails ? diagnostics : `${diagnostics} ${hint}`;
      return {
        severity: 'error',
        code: code ?? ERROR_ROWS[kind].code,
        ...(hasDetails && detailsOf(errorDetails[kind], hint && withBase(hint, baseUrl))),
        diagnostics: printableText(withBase(text, baseUrl)),
        ...(location !== undefined && { location: [printableText(location)] }),
      };
    }),
  };
}

function detailsOf(coding: object, hint: string | undefined) {
  return { details: { coding: [coding], ...(hint && { text: hint }) } };
}

/**
 * The OperationOutcome of a success: a sentence that says what the server did, and warnings. Its
 * narrative is a table with one row for each issue.
 */
export function successOutcome(done: string, warnings: readonly string[]): AnyResource {
  const issues = [
    { severity: 'information', code: 'informational', diagnostics: printableText(done) },
    ...warnings.map((warning) => ({
      severity: 'warning',
      code: 'informational',
      diagnostics: printableText(warning),
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

/** Diagnostics quote requests, which may contain characters that XML does not allow. */
export function printableText(text: string): string {
  const whole = asXmlText(text);
  return whole.length > QUOTED_MAX ? `${whole.slice(0, QUOTED_MAX)} …` : whole;
}

/** A request may be much longer. The start of a quotation is enough to recognise it. */
const QUOTED_MAX = 1000;
