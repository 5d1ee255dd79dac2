/**
 * The parts of each match that a search returns: `_summary` and `_elements`.
 * https://hl7.org/fhir/DSTU2/search.html#summary
 */
import type { FhirVersion } from '../definitions/fhir-version.ts';
import { type FhirObject, isObject } from '../format/resource.ts';
import { unknownName, unknownValue } from '../request/unknown-name.ts';
import type { ResultParameter, SearchRequest } from './parameter.ts';
import { type Parsed, refused } from './parsed.ts';
import { type ResultOptions, resultParameter } from './result-parameters.ts';

export interface SubsetOptions extends ResultOptions {
  /** `false`: whole resources. A search for the count has no matches to show. */
  readonly summary: SummaryMode;
  /** Names of elements, if the client wants only these. */
  readonly elements: readonly string[] | undefined;
}

type Subset = Pick<SubsetOptions, 'summary' | 'elements'>;

const SUMMARY_MODES = ['true', 'text', 'data', 'count', 'false'] as const;
export type SummaryMode = (typeof SUMMARY_MODES)[number];

export const SUMMARY_PARAMETER: ResultParameter<SubsetOptions> = resultParameter<SubsetOptions>(
  {
    name: '_summary',
    type: 'token',
    documentation:
      'true: only summary elements; text: only the narrative and required elements; data: all but the narrative; count: only the total; false: everything.',
  },
  (text, _context, { options }): Parsed<Partial<SubsetOptions>> => {
    const summary = SUMMARY_MODES.find((mode) => mode === text);
    if (summary === undefined) {
      return refused('invalid-value', unknownValue('_summary', text, SUMMARY_MODES));
    }
    if (options.elements !== undefined && isSubset(summary)) return ONE_OF_BOTH;
    return { value: { summary, ...(summary === 'count' && { isCountOnly: true }) } };
  },
);

export const ELEMENTS_PARAMETER: ResultParameter<SubsetOptions> = resultParameter<SubsetOptions>(
  {
    name: '_elements',
    type: 'string',
    documentation: 'The names of the elements to return, separated by commas.',
  },
  (text, _context, { options, request }): Parsed<Partial<SubsetOptions>> => {
    const elements = text.split(',');
    if (!elements.every((name) => ELEMENT.test(name))) {
      return refused(
        'invalid-value',
        `_elements cannot be "${text}". Send names of elements, separated by commas.`,
      );
    }
    const unknown = unknownElement(elements, request);
    if (unknown !== undefined) return refused('invalid-value', unknown);
    if (options.summary !== undefined && isSubset(options.summary)) return ONE_OF_BOTH;
    return { value: { elements } };
  },
);

export const SUBSET_PARAMETERS: readonly ResultParameter<SubsetOptions>[] = [
  SUMMARY_PARAMETER,
  ELEMENTS_PARAMETER,
];

const ONE_OF_BOTH = refused('invalid-parameter', 'Send _summary or _elements, but not both.');

const ELEMENT = /^[A-Za-z]+$/;

/** The text about the first name that is no element of the type that the request searches. */
function unknownElement(
  elements: readonly string[],
  { searched }: SearchRequest,
): string | undefined {
  const definition = searched?.version.definitions.resource(searched.type);
  if (searched === undefined || definition === undefined) return undefined;
  const { version, type } = searched;
  const known = ['resourceType', ...definition.elements.map(({ name }) => name)];
  const isKnown = (name: string) => known.includes(name) || definition.properties.has(name);
  const sent = elements.find((name) => !isKnown(name));
  if (sent === undefined) return undefined;
  const listedAt = `https://hl7.org/fhir/${version.name}/${type.toLowerCase()}.html`;
  return unknownName({ kind: `element of ${type}`, sent, known, listedAt });
}

/** A resource in FHIR JSON form. */
interface WholeResource {
  readonly resourceType: string;
  readonly [element: string]: unknown;
}

/** Whether the client wants whole resources. */
export function isWhole({ summary, elements }: Subset): boolean {
  return elements === undefined && !isSubset(summary);
}

function isSubset(summary: SummaryMode): boolean {
  return summary === 'true' || summary === 'text' || summary === 'data';
}

/**
 * The wanted part of a resource, or the resource itself if all of it is wanted. Required and
 * modifier elements always remain, and the contained resources that the rest refers to.
 *
 * @param summaryElements the elements that FHIR marks as the summary of the type
 */
export function subsetOf(
  resource: WholeResource,
  { summary, elements }: Subset,
  summaryElements: readonly string[],
  version: FhirVersion,
): WholeResource {
  const { resourceType } = resource;
  const wanted =
    elements ?? (summary === 'true' ? summaryElements : summary === 'text' ? ['text'] : undefined);
  if (summary === 'data' && wanted === undefined) {
    const { text: _, ...rest } = resource;
    return tagged({ ...rest, resourceType }, version);
  }
  if (wanted === undefined) return resource;
  const always = (version.definitions.resource(resourceType)?.elements ?? [])
    .filter(({ min, isModifier }) => min > 0 || isModifier)
    .map(({ name }) => name);
  const kept = new Set(['resourceType', 'id', 'meta', ...always, ...wanted]);
  const isKept = ([name]: readonly [string, unknown]) =>
    kept.has(name.startsWith('_') ? name.slice(1) : name);
  const part = Object.fromEntries(Object.entries(resource).filter(isKept));
  const contained = kept.has('contained') ? [] : referredTo(part, resource.contained);
  const order = Object.keys(resource);
  const whole = { ...part, ...(contained.length > 0 && { contained }) };
  const sorted = Object.entries(whole).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return tagged({ ...Object.fromEntries(sorted), resourceType }, version);
}

/** The contained resources that the elements refer to, directly or through each other. */
function referredTo(elements: object, contained: unknown): FhirObject[] {
  const all = Array.isArray(contained) ? contained.filter(isObject) : [];
  const found = new Set<FhirObject>();
  const waiting: unknown[] = [elements];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) waiting.push(...next);
    if (!isObject(next)) continue;
    const { reference } = next;
    const target = all.find(({ id }) => typeof id === 'string' && reference === `#${id}`);
    if (target !== undefined && !found.has(target)) {
      found.add(target);
      waiting.push(target);
    }
    waiting.push(...Object.values(next));
  }
  return all.filter((each) => found.has(each));
}

/** Tells clients that the resource is not whole, so that they do not update with it. */
function tagged(resource: WholeResource, version: FhirVersion): WholeResource {
  const meta = isObject(resource.meta) ? resource.meta : {};
  const tags = Array.isArray(meta.tag) ? meta.tag : [];
  const tag = { system: version.observationValues, code: 'SUBSETTED', display: 'subsetted' };
  return { ...resource, meta: { ...meta, tag: [...tags, tag] } };
}
