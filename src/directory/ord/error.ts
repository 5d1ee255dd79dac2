/** Errors of the ORD interface: `{"errorCode": 406, "errorText": "…"}`, always in JSON. */
import { headersOf } from '../../fhir/service/answer.ts';
import { fhirErrorOf, printableText } from '../../fhir/service/failure.ts';
import { ERROR_ROWS, type ErrorKind, FhirError } from '../../fhir/service/fhir-error.ts';
import type { AnswerOptions } from '../../fhir/service/interaction.ts';
import type { FhirRequest, FhirResponse, OnFault } from '../../fhir/service/request.ts';
import { ORD_CONTENT_TYPES } from './form.ts';

/** How ORD answers. `helpUrl`: the address of a page that explains its parameters. */
export interface OrdAnswers extends AnswerOptions {
  readonly helpUrl?: string | undefined;
}

/**
 * The answer has only the first problem. It is JSON even for XML, as in the national service. A
 * link leads to the parameters, because the national texts do not name them.
 */
export function ordFailure(
  request: FhirRequest,
  service: OrdAnswers,
  error: unknown,
  onFault: OnFault,
  interaction: string | undefined,
): FhirResponse {
  const { issues, headers } = fhirErrorOf(error, { request, onFault });
  const [{ kind, diagnostics }] = issues;
  const status = ordStatusOf(kind);
  const { helpUrl } = service;
  const link = helpUrl === undefined || status !== 406 ? [] : ['Link', `<${helpUrl}>; rel="help"`];
  const own = ['Content-Type', ORD_CONTENT_TYPES.json, ...headersOf(service, request)];
  return {
    status,
    headers: [...own, ...link, ...headers],
    body: JSON.stringify({ errorCode: status, errorText: printableText(diagnostics) }),
    interaction,
    format: 'json',
  };
}

/** The national service answered 406 for every parameter that it could not accept. */
function ordStatusOf(kind: ErrorKind): number {
  return kind === 'invalid-parameter' || kind === 'invalid-value' ? 406 : ERROR_ROWS[kind].status;
}

export const ORD_NOT_FOUND = new FhirError([{ kind: 'no-record', diagnostics: 'Not found' }]);

export function invalidParameter(diagnostics: string): FhirError {
  return new FhirError([{ kind: 'invalid-parameter', diagnostics }]);
}
