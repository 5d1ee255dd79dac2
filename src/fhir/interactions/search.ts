/** FHIR search within one type, by GET or POST. https://hl7.org/fhir/STU3/http.html#search */
import { FhirError } from '../fhir-error.ts';
import { mediaTypeRefusal } from '../media-type.ts';
import { memoize } from '../memoize.ts';
import type { Negotiated } from '../negotiate.ts';
import { preferredValue } from '../prefer-header.ts';
import { type FhirRequest, headerOf } from '../request.ts';
import type { Representation, ServedType } from '../service.ts';

/** Throws all that is wrong with the parameters at once. */
export function search(
  type: ServedType,
  request: FhirRequest,
  { form, issue }: Negotiated,
): Representation {
  if (type.search === undefined) throw new Error(`${type.name} cannot be searched`);
  return type.search({
    query: request.query,
    isLenient: isLenient(headerOf(request, 'prefer')),
    form,
    formIssue: issue,
  });
}

function isLenient(prefer: string | undefined): boolean {
  return prefer !== undefined && handlingOf(prefer) === 'lenient';
}

const handlingOf = memoize((prefer) => preferredValue(prefer, 'handling'));

/** The parameters of a search by POST: those of the URL, then those of the body. */
export interface SearchForm {
  readonly query: string;
  /** Why the body cannot be taken; the query is then the URL's alone. */
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

/** Takes a byte order mark away. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

const NOT_UTF8 = new FhirError([
  {
    kind: 'invalid-value',
    diagnostics: 'The body is not valid UTF-8. Send the parameters percent-encoded.',
  },
]);

const FORM_TYPE = 'application/x-www-form-urlencoded';
