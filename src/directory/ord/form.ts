/** The two formats of ORD, and the ids of codes and organisations that both have. */
import {
  createNegotiate,
  type Form,
  type Format,
  preferencesOf,
  validForm,
} from '../../fhir/http/negotiate.ts';
import type { FhirRequest } from '../../fhir/service/request.ts';

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
