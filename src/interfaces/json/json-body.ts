/** Reads bodies in JSON. */

import { FhirError } from '../../fhir/request/fhir-error.ts';
import type { FhirRequest } from '../../fhir/request/request.ts';
import type { SentObject } from './read-parameters.ts';

export const JSON_MEDIA_TYPE = 'application/json';

/** Rejects with a FhirError if the body is not an object in JSON. `example` is one that would do. */
export async function readJsonBody(request: FhirRequest, example: string): Promise<SentObject> {
  const bytes = await request.readBody?.('form');
  const body = parseJson(bytes);
  if (isObject(body)) return body;
  throw invalidBody(`The body must be a JSON object, such as ${example}.`);
}

function parseJson(bytes: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'It is not UTF-8';
    throw invalidBody(`The body is not valid JSON. ${reason}.`);
  }
}

/** Ignores a byte order mark. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

function isObject(value: unknown): value is SentObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalidBody(diagnostics: string): FhirError {
  return FhirError.of('invalid-request', diagnostics);
}
