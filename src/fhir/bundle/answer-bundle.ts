/** The Bundle that answers a batch or transaction. https://hl7.org/fhir/DSTU2/bundle.html#http */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from '../http/node-http.ts';
import type { FhirResponse } from '../service/request.ts';
import type { StoredBundle } from '../stored/stored-bundle.ts';
import type { SentBundle } from './sent-bundle.ts';

/** `answers`: one for each entry, in the order of the request. */
export function answerBundle({ type }: SentBundle, answers: readonly FhirResponse[]): StoredBundle {
  return {
    resourceType: 'Bundle',
    id: randomUUID(),
    type: `${type}-response`,
    ...(answers.length > 0 && { entry: answers.map(entryOf) }),
  };
}

function entryOf({ status, headers, body, lastUpdated }: FhirResponse) {
  const header = (name: string) => {
    const at = headers.findIndex((value, index) => index % 2 === 0 && value === name);
    return at < 0 ? undefined : headers[at + 1];
  };
  const [location, etag] = [header('Location'), header('ETag')];
  const text = typeof body === 'string' ? body : Buffer.from(body ?? []).toString();
  return {
    ...(text !== '' && { resource: text }),
    response: {
      status: `${status} ${STATUS_CODES[status]}`,
      ...(location !== undefined && { location }),
      ...(etag !== undefined && { etag }),
      ...(lastUpdated !== undefined && { lastModified: lastUpdated }),
    },
  };
}
