/** How every interface of the directory answers over HTTP: open headers, caching and gzip. */
import type { FhirResponse } from '../../fhir/request/request.ts';
import { EXPOSED_HEADERS } from '../../fhir/service/answer.ts';
import type { AnswerOptions } from '../../fhir/service/interaction.ts';
import type { DirectorySettings } from './settings.ts';

/** `exposed` are the names of further headers that scripts of pages may read. */
export function directoryAnswers(
  { gzipMinBytes, cacheControl }: DirectorySettings,
  exposed: readonly string[] = [],
): AnswerOptions {
  return {
    headers: [
      'Vary',
      gzipMinBytes === 0 ? 'Accept' : 'Accept, Accept-Encoding',
      // Open reference data: pages of every origin may read it.
      'Access-Control-Allow-Origin',
      '*',
      'Access-Control-Expose-Headers',
      [...exposed, EXPOSED_HEADERS].join(', '),
      'X-Content-Type-Options',
      'nosniff',
    ],
    cacheControl,
    gzipMinBytes,
  };
}

/**
 * The answer without the headers that let pages of other origins read it: it is about people,
 * and the directory shows them only to those who ask it.
 */
export function withoutOtherOrigins(response: FhirResponse): FhirResponse {
  const headers: string[] = [];
  for (let at = 0; at < response.headers.length; at += 2) {
    const [name = '', value = ''] = response.headers.slice(at, at + 2);
    if (!/^access-control-/i.test(name)) headers.push(name, value);
  }
  return { ...response, headers };
}
