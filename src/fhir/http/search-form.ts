/** Reads the body of a search by POST: https://hl7.org/fhir/STU3/http.html#search */
import { FhirError } from '../service/fhir-error.ts';
import type { FhirRequest } from '../service/request.ts';
import { mediaTypeRefusal } from './media-type.ts';

/** The parameters of the URL, followed by those of the body. */
export interface SearchForm {
  readonly query: string;
  /** Why the body cannot be read. The query then has only the parameters of the URL. */
  readonly refusal?: FhirError;
}

export async function readSearchForm(request: FhirRequest): Promise<SearchForm> {
  const { query } = request;
  const refusal = mediaTypeRefusal(request, (type) => type === FORM_TYPE, FORM_TYPE);
  if (refusal !== undefined) return { query, refusal };
  let text: string;
  try {
    text = UTF8.decode(await request.readBody?.('form'));
  } catch (error) {
    return { query, refusal: error instanceof FhirError ? error : NOT_UTF8 };
  }
  return { query: query === '' || text === '' ? query + text : `${query}&${text}` };
}

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Ignores a byte order mark. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

const NOT_UTF8 = new FhirError([
  {
    kind: 'invalid-value',
    diagnostics: 'The body is not valid UTF-8. Send the parameters percent-encoded.',
  },
]);
