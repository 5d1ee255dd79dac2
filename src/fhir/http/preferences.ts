/** The format that a client prefers for the answer: `Accept`, `_format` and `_pretty`. */

import { type FhirRequest, headerOf } from '../service/request.ts';
import { formatNamed, namesFhir } from './negotiate.ts';
import { firstValues } from './query-string.ts';

/** The preferences of a request. Of repeated parameters the first counts; a search refuses them. */
export function preferencesOf(request: FhirRequest) {
  const accept = headerOf(request, 'accept');
  if (!MAY_HAVE_PREFERENCES.test(request.query)) {
    return { accept, format: undefined, pretty: undefined };
  }
  const values = firstValues(request.query);
  return { accept, format: values.get('_format'), pretty: values.get('_pretty') };
}

/** Whether the client explicitly asks for FHIR: with a FHIR media type, or with `_format`. */
export function asksForFhir(request: FhirRequest): boolean {
  const { accept = '', format } = preferencesOf(request);
  if (format !== undefined && formatNamed(format) !== undefined) return true;
  return namesFhir(accept) || namesFhir(headerOf(request, 'content-type') ?? '');
}

/** Matches percent-encoded names too. */
const MAY_HAVE_PREFERENCES = /_format|_pretty|(?:^|&)[^=&]*%/;
