/** The request behind a page of a FHIR address: for the JSON that it shows, and as people read it. */
import { headerOf, parseEntityTags } from '../../fhir/http/headers.ts';
import { firstValues } from '../../fhir/http/query-string.ts';
import type { FhirRequest } from '../../fhir/request/request.ts';
import type { Service } from '../../fhir/service/interaction.ts';

/**
 * The same request for JSON, not compressed. Its conditions are those of the JSON: `tagEnd` is what
 * the tag of a page has after the tag of its JSON.
 */
export function requestForJson(
  request: FhirRequest,
  { version }: Service,
  tagEnd: string,
): FhirRequest {
  const tags = headerOf(request, 'if-none-match');
  return {
    ...request,
    query: withoutParameters(request.query, ['_format']),
    headers: {
      ...request.headers,
      accept: version.mediaTypes.json,
      'accept-encoding': undefined,
      'if-none-match': tags === undefined ? undefined : tagsOfJson(tags, tagEnd),
      // The date is that of the resource; a page can change without it.
      'if-modified-since': undefined,
    },
  };
}

/** The tag of the page: `W/"1"` becomes `W/"1-html-5f3a"`. */
export function tagOfPage(tag: string, tagEnd: string): string {
  return `W/"${tag.slice(tag.indexOf('"') + 1, -1)}${tagEnd}"`;
}

/** The tags of the JSON of these pages; undefined if none of the tags is that of a page. */
function tagsOfJson(header: string, tagEnd: string): string | undefined {
  const tags = parseEntityTags(header);
  if (tags === '*') return '*';
  const own = (tags ?? []).filter((tag) => tag.endsWith(tagEnd));
  if (own.length === 0) return undefined;
  return own.map((tag) => `W/"${tag.slice(0, -tagEnd.length)}"`).join(', ');
}

/**
 * The path and the query of the request without its format: the address that people share. A token
 * in the query, which the server ignores, is left out too.
 */
export function pageAddressOf({ path, query }: FhirRequest): string {
  return withQuery(path, withoutParameters(query, ['_format', 'access_token']));
}

/** The same in a format: `json` or `xml`. */
export function addressIn(format: 'json' | 'xml', address: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}_format=${format}`;
}

/** The request as a command. A placeholder is in place of a token or an API key. */
export function curlOf(
  request: FhirRequest,
  { version, serverUrl }: Service,
  needs: { readonly token: boolean; readonly apiKey: boolean },
): string {
  const headers = [
    `Accept: ${version.mediaTypes.json}`,
    ...(needs.token ? ['Authorization: Bearer TOKEN'] : []),
    ...(needs.apiKey ? ['apikey: KEY'] : []),
  ];
  const url = new URL(serverUrl).origin + pageAddressOf(request);
  const lines = [...headers.map((header) => `-H ${quoted(header)}`), quoted(url)];
  return `curl ${lines.join(' \\\n  ')}`;
}

/** A word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The query without the pairs of some names; the other pairs stay as they were sent. */
function withoutParameters(query: string, names: readonly string[]): string {
  if (query === '') return query;
  const kept = query.split('&').filter((pair) => {
    const named = firstValues(pair);
    return !names.some((name) => named.has(name));
  });
  return kept.join('&');
}

function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`;
}
