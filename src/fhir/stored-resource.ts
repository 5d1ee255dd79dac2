/** Stored versions as answers: their validators, and their text in the form that is asked for. */
import type { Definitions } from './definitions/definitions.ts';
import { decodeJson, encodeJson } from './format/json.ts';
import { UNLIMITED } from './format/limits.ts';
import type { Resource } from './format/resource.ts';
import { encodeXml } from './format/xml.ts';
import { httpDate } from './headers.ts';
import type { Form } from './negotiate.ts';
import type { StoredVersion } from './repository.ts';
import type { WrittenType } from './route.ts';
import type { Representation, Service } from './service.ts';

export function representationOf(
  stored: StoredVersion,
  service: Service,
  type: WrittenType,
  form: Form,
): Required<Pick<Representation, 'lastModified' | 'contentLocation'>> & Representation {
  const { id, version, writtenAt, text } = stored;
  return {
    etag: `W/"${version}"`,
    lastModified: httpDate(Date.parse(writtenAt)),
    contentLocation: `${service.baseUrl}/${type.name}/${id}/_history/${version}`,
    body: () => encodeStored(text, service.version.definitions, form),
  };
}

/** The text is as it was sent, so that compact JSON needs no work. */
function encodeStored(text: string, definitions: Definitions, form: Form): string {
  const { format, isPretty: pretty } = form;
  if (format === 'json' && !pretty) return text;
  const resource = parseStored(text, definitions);
  return format === 'json'
    ? encodeJson(resource, { pretty })
    : encodeXml(resource, definitions, { pretty });
}

/**
 * Numbers keep their text. A stored resource is read without limits, because it passed the
 * limits that applied when it was written.
 */
export function parseStored(text: string, definitions: Definitions): Resource {
  const { resource } = decodeJson(Buffer.from(text), definitions, UNLIMITED);
  if (resource === undefined) throw new Error('a stored resource cannot be read');
  return resource;
}
