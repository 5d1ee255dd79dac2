/** Reads bodies in JSON. */

import { FhirError } from '../../fhir/request/fhir-error.ts';
import type { FhirRequest } from '../../fhir/request/request.ts';
import type { SentObject } from './read-parameters.ts';

export const JSON_MEDIA_TYPE = 'application/json';

/** Rejects with a FhirError if the body is not an object in JSON. `example` is one that would do. */
export async function readJsonBody(request: FhirRequest, example: string): Promise<SentObject> {
  const read = parseJson((await request.readBody?.('form')) ?? new Uint8Array());
  if ('problem' in read) throw invalidBody(`The body is not valid JSON. ${read.problem}`);
  if (isObject(read.value)) return read.value;
  throw invalidBody(`The body must be a JSON object, such as ${example}.`);
}

/** The value, or a sentence that says why the bytes are not JSON. */
export function parseJson(
  bytes: Uint8Array,
): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(UTF8.decode(bytes)) };
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'It is not UTF-8';
    return { problem: `${reason}.` };
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
