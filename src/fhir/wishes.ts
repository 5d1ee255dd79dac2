/** What form a request wants its answer in: `Accept`, `_format` and `_pretty`. */
import { formatNamed, namesFhir } from './negotiate.ts';
import { firstValues } from './query-string.ts';
import { type FhirRequest, headerOf } from './request.ts';

/** The format wishes of a request; the first of each, as repeats are the search's to refuse. */
export function wishesOf(request: FhirRequest) {
  const accept = headerOf(request, 'accept');
  if (!MAY_HAVE_WISHES.test(request.query)) {
    return { accept, format: undefined, pretty: undefined };
  }
  const values = firstValues(request.query);
  return { accept, format: values.get('_format'), pretty: values.get('_pretty') };
}

/** Whether the client explicitly asks for FHIR: with a FHIR media type, or with `_format`. */
export function asksForFhir(request: FhirRequest): boolean {
  const { accept = '', format } = wishesOf(request);
  if (format !== undefined && formatNamed(format) !== undefined) return true;
  return namesFhir(accept) || namesFhir(headerOf(request, 'content-type') ?? '');
}

/** Also where a name is percent-encoded. */
const MAY_HAVE_WISHES = /_format|_pretty|(?:^|&)[^=&]*%/;
