/** A resource as the text that is stored: with its id, and a gap for its version and date. */
import { encodeJson } from './format/json.ts';
import { type FhirObject, type FhirValue, isObject, type Resource } from './format/resource.ts';
import type { UnstampedText } from './repository.ts';

/**
 * Drops the id, versionId and lastUpdated that the client sent, and keeps everything else.
 *
 * @param resource as a decoder made it: its elements are in FHIR's order
 */
export function unstampedText(resource: Resource, id: string): UnstampedText {
  const { resourceType, id: _, _id, meta, ...rest } = resource;
  const sent = isObject(meta) ? meta : {};
  const { id: metaId, extension, ...tags } = withoutVersion(sent);
  const before = membersOf({ resourceType, id, ...(_id !== undefined && { _id }) });
  const first = membersOf({
    ...(metaId !== undefined && { id: metaId }),
    ...(extension !== undefined && { extension }),
  });
  const more = membersOf(tags);
  const after = membersOf(rest);
  return {
    start: `{${before},"meta":{${first === '' ? '' : `${first},`}"versionId":"`,
    end: `"${more === '' ? '' : `,${more}`}}${after === '' ? '' : `,${after}`}}`,
  };
}

function withoutVersion(meta: FhirObject): FhirObject {
  const { versionId: _v, _versionId, lastUpdated: _l, _lastUpdated, ...rest } = meta;
  return rest;
}

/** The text between the braces. */
function membersOf(object: Readonly<Record<string, FhirValue | undefined>>): string {
  return encodeJson(object).slice(1, -1);
}
