/** The Bundle that answers a batch or transaction. https://hl7.org/fhir/DSTU2/bundle.html#http */
import { randomUUID } from 'node:crypto';
import type { Definitions } from '../definitions/definitions.ts';
import { STATUS_CODES } from '../node-http.ts';
import type { FhirResponse } from '../request.ts';
import { parseStored } from '../stored-resource.ts';
import type { SentBundle } from './sent-bundle.ts';

/** `answers`: one for each entry, in the order of the request. */
export function answerBundle(
  { type }: SentBundle,
  answers: readonly FhirResponse[],
  definitions: Definitions,
) {
  return {
    resourceType: 'Bundle',
    id: randomUUID(),
    type: `${type}-response`,
    ...(answers.length > 0 && { entry: answers.map((answer) => entryOf(answer, definitions)) }),
  };
}

function entryOf({ status, headers, body }: FhirResponse, definitions: Definitions) {
  const header = (name: string) => {
    const at = headers.findIndex((value, index) => index % 2 === 0 && value === name);
    return at < 0 ? undefined : headers[at + 1];
  };
  const [location, etag, date] = [header('Location'), header('ETag'), header('Last-Modified')];
  const text = typeof body === 'string' ? body : Buffer.from(body ?? []).toString();
  return {
    ...(text !== '' && { resource: parseStored(text, definitions) }),
    response: {
      status: `${status} ${STATUS_CODES[status]}`,
      ...(location !== undefined && { location }),
      ...(etag !== undefined && { etag }),
      ...(date !== undefined && { lastModified: instantOf(date) }),
    },
  };
}

function instantOf(date: string): string {
  return new Date(date).toISOString().replace('Z', '+00:00');
}
