/** How every interface of the directory answers over HTTP: open headers, caching and gzip. */
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
