/** What form a request wants its answer in: `Accept`, `_format` and `_pretty`. */
import { parseQueryString } from './query-string.ts';
import { type FhirRequest, headerOf } from './request.ts';

/** The format wishes of a request; the first of each, as repeats are the search's to refuse. */
export function wishesOf(request: FhirRequest) {
  const accept = headerOf(request, 'accept');
  if (!MAY_HAVE_WISHES.test(request.query)) {
    return { accept, format: undefined, pretty: undefined };
  }
  const pairs = parseQueryString(request.query);
  const first = (name: string) => pairs.find((pair) => pair.name === name)?.value;
  return { accept, format: first('_format'), pretty: first('_pretty') };
}

/** Also where a name is percent-encoded. */
const MAY_HAVE_WISHES = /_format|_pretty|(?:^|&)[^=&]*%/;
