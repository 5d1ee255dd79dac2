/** Reads resources from a stream of JSON: NDJSON, a Bundle, or a resource that stands alone. */
import { STU3 } from '../../fhir/fhir-version.ts';
import { startFindings } from '../../fhir/format/findings.ts';
import { type JsonBody, readJson } from '../../fhir/format/json-reader.ts';
import { MalformedBody, startBudget } from '../../fhir/format/limits.ts';
import {
  type FhirObject,
  type FhirValue,
  isObject,
  type Resource,
} from '../../fhir/format/resource.ts';
import { validateResource } from '../../fhir/format/validate.ts';
import { ParseError } from '../release-file/parse-error.ts';
import { JsonPieces } from './json-pieces.ts';
import { fromLegacyOrganization } from './legacy-organization.ts';
import { DEPTH_MAX, ELEMENTS_MAX, type ResourceEvents } from './resource-events.ts';

/** `isLines` where it is known that every line is a resource, also the first. */
export function createJsonResources(events: ResourceEvents, isLines: boolean): JsonPieces {
  const pieces = {
    bundleStart: (head: Buffer) => {
      const { value } = parse(head, DEPTH_MAX);
      if (!isObject(value)) return false;
      if (value.resourceType !== undefined && value.resourceType !== 'Bundle') return false;
      events.bundle(lastUpdatedIn(value));
      return true;
    },
    bundleEnd: (head: Buffer, place: string) => {
      const { value, duplicates } = parse(head, DEPTH_MAX);
      if (!isObject(value) || value.resourceType !== 'Bundle') {
        events.leftOut(place, 'it has entries but is no Bundle');
      } else if (duplicates.has(value)) {
        events.leftOut(place, 'the Bundle has a name twice, of which the first was read');
      }
    },
    entry: (bytes: Buffer, place: string) =>
      read(bytes, DEPTH_MAX + 1, place, events, (body) => {
        const { value } = body;
        const resource = isObject(value) ? value.resource : undefined;
        if (isObject(resource)) take(resource, body, place, events);
        else events.leftOut(place, 'the entry has no resource');
      }),
    resource: (bytes: Buffer, place: string) => {
      // Among lines this one can be passed over; elsewhere nothing behind it is to be trusted.
      const body = parse(bytes, DEPTH_MAX);
      if (isEmptyBundle(body.value)) events.bundle(undefined);
      else take(body.value, body, place, events);
    },
    fault: (problem: string, place: string) => events.leftOut(place, problem),
  };
  return new JsonPieces(pieces, isLines);
}

/** What a search without matches answers. */
function isEmptyBundle(value: FhirValue): boolean {
  return isObject(value) && value.resourceType === 'Bundle' && value.entry === undefined;
}

function lastUpdatedIn({ meta }: FhirObject): string | undefined {
  return isObject(meta) && typeof meta.lastUpdated === 'string' ? meta.lastUpdated : undefined;
}

/** An entry's brackets match, so the next one can be read whatever is wrong inside. */
function read(
  bytes: Buffer,
  depthMax: number,
  place: string,
  events: ResourceEvents,
  use: (body: JsonBody) => void,
): void {
  let body: JsonBody;
  try {
    body = parse(bytes, depthMax);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    events.leftOut(place, error.message);
    return;
  }
  use(body);
}

/** Throws a ParseError for what is not JSON. */
function parse(bytes: Buffer, depthMax: number): JsonBody {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new ParseError('not UTF-8');
  }
  try {
    return readJson(text, startBudget({ depthMax, elementsMax: ELEMENTS_MAX }));
  } catch (error) {
    if (!(error instanceof MalformedBody)) throw error;
    throw new ParseError(error.message.replace(/^The body is /, '').replace(/\.$/, ''));
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function take(value: FhirValue, body: JsonBody, place: string, events: ResourceEvents): void {
  if (isObject(value) && value.resourceType === 'Organization') fromLegacyOrganization(value);
  const findings = startFindings();
  const budget = startBudget({ depthMax: DEPTH_MAX, elementsMax: ELEMENTS_MAX });
  const { definitions } = STU3;
  const { duplicates } = body;
  let resource: Resource | undefined;
  try {
    resource = validateResource(value, { definitions, findings, budget, duplicates });
  } catch (error) {
    // A narrative is a text until then.
    if (!(error instanceof MalformedBody)) throw error;
    events.leftOut(place, error.message);
    return;
  }
  events.resource(resource, findings.list, place);
}
