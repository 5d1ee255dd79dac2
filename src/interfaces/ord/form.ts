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
import { ERROR_ROWS, type ErrorKind, FhirError } from '../../fhir/request/fhir-error.ts';
import type { FhirRequest } from '../../fhir/request/request.ts';
import { refuse, unknownParameter } from '../json/json-parameters.ts';

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

export interface OrdError {
  readonly status: number;
  readonly body: {
    readonly errorCode: number;
    readonly errorText: string;
    /** Absent if the text names the remedy itself. */
    readonly errorHint?: string;
  };
  /** Each name is followed by its value. */
  readonly headers: readonly string[];
}

/**
 * Errors are JSON even for XML, as in the national service, which answered 406 for every parameter
 * that it could not accept. A link to `helpUrl` leads to the parameters, because the national texts do
 * not name them. A member `errorHint`, which the national service does not have, says what was meant.
 */
export function ordErrorForm(
  kind: ErrorKind,
  errorText: string,
  errorHint: string | undefined,
  helpUrl: string | undefined,
): OrdError {
  const isRefused = kind === 'invalid-parameter' || kind === 'invalid-value';
  const errorCode = isRefused ? 406 : ERROR_ROWS[kind].status;
  const hasLink = helpUrl !== undefined && errorCode === 406;
  const headers = hasLink ? ['Link', `<${helpUrl}>; rel="help"`] : [];
  const body = { errorCode, errorText, ...(errorHint !== undefined && { errorHint }) };
  return { status: errorCode, body, headers };
}

/** The text of the national service, and what the client may have meant. */
export function unknownArgument(name: string, known: readonly string[]): FhirError {
  return refuse('Unknown argument found.', unknownParameter(name, known));
}

export const ORD_NOT_FOUND = FhirError.of('no-record', 'Not found');
