/** Reads the JSON body of a search. */
import { mediaTypeRefusal } from '../../../fhir/http/media-type.ts';
import { FhirError } from '../../../fhir/service/fhir-error.ts';
import type { FhirRequest } from '../../../fhir/service/request.ts';

export type SearchBody = Readonly<Record<string, unknown>>;

/** Rejects with a FhirError if the body is not an object in JSON. */
export async function readSearchBody(request: FhirRequest): Promise<SearchBody> {
  const refusal = mediaTypeRefusal(request, (type) => type === JSON_TYPE, JSON_TYPE);
  if (refusal !== undefined) throw refusal;
  const bytes = await request.readBody?.('form');
  const body = parseJson(bytes);
  if (isObject(body)) return body;
  throw invalid('The body must be a JSON object, such as {"batchSize": 1000}.');
}

const JSON_TYPE = 'application/json';

function parseJson(bytes: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'It is not UTF-8';
    throw invalid(`The body is not valid JSON. ${reason}.`);
  }
}

/** Ignores a byte order mark. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

function isObject(value: unknown): value is SearchBody {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(diagnostics: string): FhirError {
  return FhirError.of('invalid-request', diagnostics);
}
