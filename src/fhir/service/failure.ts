/** Answers a request that failed: turns the error into an OperationOutcome. */
import { randomUUID } from 'node:crypto';
import type { Form, Negotiate, Negotiated } from '../http/negotiate.ts';
import { preferencesOf } from '../http/preferences.ts';
import { RepositoryError } from '../stored/repository.ts';
import { headersOf } from './answer.ts';
import { encodeBody } from './encode-body.ts';
import { FhirError, type Issue } from './fhir-error.ts';
import type { Service } from './interaction.ts';
import { ERROR_ROWS, operationOutcome } from './outcome.ts';
import type { FhirRequest, FhirResponse, OnFault } from './request.ts';

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
    return new FhirError([{ kind: 'unavailable', diagnostics: error.message }], RETRY_SOON);
  }
  onFault(error, request);
  return new FhirError([faultIssue(request)]);
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
