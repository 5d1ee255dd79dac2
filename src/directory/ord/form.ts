/**
 * The forms of answers of ORD: JSON and XML, and errors always as
 * `{"errorCode": 406, "errorText": "…"}`.
 */
import { escapeXmlText } from '../../fhir/format/xml-text.ts';
import {
  createNegotiate,
  type Form,
  type Format,
  preferencesOf,
  validForm,
} from '../../fhir/http/negotiate.ts';
import { headersOf } from '../../fhir/service/answer.ts';
import { fhirErrorOf, printableText } from '../../fhir/service/failure.ts';
import { ERROR_ROWS, type ErrorKind, FhirError } from '../../fhir/service/fhir-error.ts';
import type { AnswerOptions } from '../../fhir/service/interaction.ts';
import type { FhirRequest, FhirResponse, OnFault } from '../../fhir/service/request.ts';

const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json',
  xml: 'application/xml',
};

export const ORD_CONTENT_TYPES: Readonly<Record<Format, string>> = {
  json: `${MEDIA_TYPES.json}; charset=utf-8`,
  xml: `${MEDIA_TYPES.xml}; charset=utf-8`,
};

const negotiate = createNegotiate({
  version: { mediaTypes: MEDIA_TYPES },
  defaultFormat: 'json',
});

/** From `_format`, then from `Accept`. Throws if either names only other formats. */
export function ordFormOf(request: FhirRequest): Form {
  const { accept, format } = preferencesOf(request);
  const form = validForm(negotiate({ accept, format, pretty: undefined }));
  return { ...form, contentType: ORD_CONTENT_TYPES[form.format], isPretty: false };
}

/** The beginning of every XML document. */
export const XML_START = '<?xml version="1.0" encoding="UTF-8"?>';

/** The texts around the members of a list of organisations, and between them. */
export const LIST_FRAMES: Readonly<
  Record<Format, readonly [start: string, between: string, end: string]>
> = {
  json: ['{"Organisations":[', ',', ']}'],
  xml: [`${XML_START}<Organisations>`, '', '</Organisations>'],
};

/** An element whose children have texts. */
export function xmlOfTexts(name: string, texts: Readonly<Record<string, string>>): string {
  const children = Object.entries(texts).map(
    ([child, text]) => `<${child}>${escapeXmlText(text)}</${child}>`,
  );
  return `<${name}>${children.join('')}</${name}>`;
}

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
