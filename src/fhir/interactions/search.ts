/** FHIR search within one type. https://hl7.org/fhir/STU3/http.html#search */
import type { Negotiated } from '../negotiate.ts';
import { type FhirRequest, headerOf } from '../request.ts';
import type { Representation, ServedType } from '../service.ts';

/** Throws all that is wrong with the parameters at once. */
export function search(
  type: ServedType,
  request: FhirRequest,
  { form, issue }: Negotiated,
): Representation {
  return type.search({
    query: request.query,
    isLenient: HANDLING_LENIENT.test(headerOf(request, 'prefer') ?? ''),
    form,
    formIssue: issue,
  });
}

/** `Prefer: handling=lenient` among other preferences: STU3 search.html#errors, RFC 7240. */
const HANDLING_LENIENT = /(?:^|[,;\s])handling\s*=\s*"?lenient"?\s*(?:$|[,;])/i;
