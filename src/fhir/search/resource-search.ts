/**
 * The search of a stored type: the parameters that every such search has, and its options.
 * https://hl7.org/fhir/DSTU2/search.html
 */
import { unknownValue } from '../request/unknown-name.ts';
import type { ResourceCriterion } from './criterion.ts';
import type { ParameterDefinition, ResultParameter } from './parameter.ts';
import type { ParsedSearch, SearchDefinition } from './parse-search-query.ts';
import { refused } from './parsed.ts';
import {
  EVERY_TYPE_PARAMETERS,
  type ResourceContext,
  type ResourceParameter,
  resourceToken,
} from './resource-parameter.ts';
import {
  cappedCountParameter,
  FORMAT_PARAMETERS,
  parseWholeNumber,
  resultParameter,
} from './result-parameters.ts';
import { SUBSET_PARAMETERS, type SubsetOptions } from './subset.ts';

/** How searches find resources of a type that clients write. */
export interface ResourceSearch {
  readonly parameters: readonly ResourceParameter[];
  /** The parameters that a search can be sorted by. Absent: all of them. */
  readonly sortable?: readonly string[];
  /** The elements that FHIR marks as the summary of the type. */
  readonly summaryElements: readonly string[];
  /** The diagnostics if the search is too costly. */
  readonly costly: (candidatesMax: number) => string;
}

/** For types whose searches begin with the parameter that the fewest resources match. */
export function costlyText(candidatesMax: number): string {
  return (
    `More than ${candidatesMax} resources match each parameter of the search. ` +
    'Add a parameter that fewer resources match, such as _lastUpdated or an identifier.'
  );
}

/** The search of a type that declares none: every type can be found by its business identifiers. */
export const IDENTIFIER_SEARCH: ResourceSearch = {
  parameters: [
    ...EVERY_TYPE_PARAMETERS,
    resourceToken({
      name: 'identifier',
      path: ['identifier'],
      documentation: 'A business identifier.',
    }),
  ],
  summaryElements: ['identifier'],
  costly: costlyText,
};

export interface ResourceOptions extends SubsetOptions, SortOptions {
  /** The kept result whose pages the links lead to. */
  readonly result: string | undefined;
  /** How many of its matches come before this page. */
  readonly offset: number;
  /** The page also ends before this match, and is filled from its end. */
  readonly before: number | undefined;
}

export type ParsedResourceSearch = ParsedSearch<ResourceCriterion, ResourceOptions>;

export type ResourceSearchDefinition = SearchDefinition<
  ResourceCriterion,
  ResourceOptions,
  ResourceContext
>;

export function resourceSearchDefinition({
  parameters,
  sortable = parameters.map(({ name }) => name),
}: ResourceSearch): ResourceSearchDefinition {
  return {
    parameters: [...parameters, ...shapingParameters(sortable), ...FORMAT_PARAMETERS],
    defaultsOf: () => DEFAULTS,
    linkParameters: ['_count', '_result', '_offset', '_before'],
  };
}

/** The parameters that shape the answer to a search. */
function shapingParameters(
  sortable: readonly string[],
): readonly ParameterDefinition<ResourceCriterion, ResourceOptions, ResourceContext>[] {
  return [
    cappedCountParameter(() => COUNT_MAX),
    sortParameter(sortable),
    ...SUBSET_PARAMETERS,
    ...RESULT_PARAMETERS,
  ];
}

/** The search of a conditional write. It has no parameters that shape an answer. */
export function conditionDefinition(
  search: Pick<ResourceSearch, 'parameters'>,
): ResourceSearchDefinition {
  const shaping = [...shapingParameters([]), ...FORMAT_PARAMETERS];
  return {
    parameters: [...search.parameters, ...FORMAT_PARAMETERS],
    defaultsOf: () => DEFAULTS,
    linkParameters: [],
    impossible: {
      names: new Set(shaping.map(({ name }) => name)),
      reason: 'it shapes the answer to a search. Send only parameters that select resources.',
    },
  };
}

/** The most matches on a page. */
export const COUNT_MAX = 100;

const DEFAULTS: ResourceOptions = {
  count: 20,
  isCountOnly: false,
  summary: 'false',
  elements: undefined,
  sort: [],
  result: undefined,
  offset: 0,
  before: undefined,
};

/** What the links to other pages of a search have in place of its criteria. */
const RESULT_PARAMETERS: readonly ResultParameter<ResourceOptions>[] = [
  resultParameter<ResourceOptions>(
    {
      name: '_result',
      type: 'token',
      documentation: 'The search whose pages the links lead to. The links set it.',
    },
    (result) => {
      if (/^[0-9a-f-]{36}$/.test(result)) return { value: { result } };
      return refused(
        'invalid-value',
        '_result is not the value of a link. Follow the links as they are.',
      );
    },
  ),
  placeParameter('_offset', 'The number of matches before the page.', (offset) => ({ offset })),
  placeParameter('_before', 'The number of matches before the end of the page.', (before) => ({
    before,
  })),
];

function placeParameter(
  name: string,
  documentation: string,
  optionOf: (place: number) => Partial<ResourceOptions>,
): ResultParameter<ResourceOptions> {
  return resultParameter<ResourceOptions>(
    { name, type: 'number', documentation: `${documentation} The links set it.` },
    (text) => {
      const place = parseWholeNumber(text);
      if (place !== undefined) return { value: optionOf(place) };
      return refused('invalid-value', `${name} must be a whole number. Got "${text}".`);
    },
  );
}

export interface SortKey {
  readonly field: string;
  readonly isDescending: boolean;
}

export interface SortOptions {
  /** The first key counts most. */
  readonly sort: readonly SortKey[];
}

/** `fields`: the parameters that a search can be sorted by. */
function sortParameter(fields: readonly string[]): ResultParameter<SortOptions> {
  const documentation =
    'The parameter to sort by. Repeat it to sort matches with equal values. Matches without a value come last.';
  const modifiers = ['asc', 'desc'];
  return resultParameter<SortOptions>(
    { name: '_sort', type: 'string', modifiers, documentation, isRepeatable: true },
    (field, _context, { modifier, options: { sort = [] } }) => {
      if (fields.includes(field)) {
        return { value: { sort: [...sort, { field, isDescending: modifier === 'desc' }] } };
      }
      const direction = 'For the direction, write _sort:asc or _sort:desc.';
      return refused('invalid-value', `${unknownValue('_sort', field, fields)} ${direction}`);
    },
  );
}
