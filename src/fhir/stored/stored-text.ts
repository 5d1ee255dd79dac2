/** A resource as the text that is stored: with its id, and a gap for its version and date. */
import { encodeJson } from '../format/json.ts';
import { type FhirObject, type FhirValue, isObject, type Resource } from '../format/resource.ts';

/**
 * The JSON text of a resource without its version and date, which the store fills in: `start` ends
 * within `"versionId":"`, `end` begins after the date. See `stampText`.
 */
export interface UnstampedText {
  readonly start: string;
  readonly end: string;
}

/** The text as it is stored and read; `writtenAt` is an instant in UTC with milliseconds. */
export function stampText(
  { start, end }: UnstampedText,
  version: number,
  writtenAt: string,
): string {
  return `${start}${version}","lastUpdated":"${writtenAt}${end}`;
}

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

/** The text with another id. The id is the second member of the resource. */
export function withId({ start, end }: UnstampedText, id: string, other: string): UnstampedText {
  return { start: start.replace(`"id":"${id}"`, `"id":"${other}"`), end };
}

function withoutVersion(meta: FhirObject): FhirObject {
  const { versionId: _v, _versionId, lastUpdated: _l, _lastUpdated, ...rest } = meta;
  return rest;
}

/** The text between the braces. */
function membersOf(object: Readonly<Record<string, FhirValue | undefined>>): string {
  return encodeJson(object).slice(1, -1);
}
