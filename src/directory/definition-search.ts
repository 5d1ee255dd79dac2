/** The search of resources that describe the directory: by id, URL and name. */

import type { Query } from '../fhir/search/criterion.ts';
import { fold } from '../fhir/search/fold.ts';
import type { CriterionParameter, ParameterDefinition } from '../fhir/search/parameter.ts';
import {
  type NameTexts,
  type ParsedSearch,
  parseSearchQuery,
} from '../fhir/search/parse-search-query.ts';
import { parseEach, refused } from '../fhir/search/parsed.ts';
import {
  FORMAT_PARAMETERS,
  type ResultOptions,
  summaryParameter,
} from '../fhir/search/result-parameters.ts';
import type { SearchParameter, SearchRequest } from '../fhir/search/search-request.ts';
import { type StringCriterion, stringParameter } from '../fhir/search/string.ts';
import { plainCode, type TokenCriterion, tokenParameter } from '../fhir/search/token.ts';
import type { ResourceObject } from './resource-parts.ts';

type DefinitionCriterion =
  | TokenCriterion<'id' | 'url' | 'status' | 'version'>
  | StringCriterion<'name' | 'title'>;

const TABLE: readonly ParameterDefinition<DefinitionCriterion, ResultOptions, unknown>[] = [
  tokenParameter({
    name: '_id',
    field: 'id',
    documentation: 'The id of the resource.',
    rule: plainCode(
      /^([A-Za-z0-9.-]{1,64})$/,
      'Supplied _id is not valid. Send the id of a resource.',
    ),
  }),
  urlParameter(),
  textParameter('name'),
  textParameter('title'),
  plainParameter('status', 'The status of the resource: active.'),
  plainParameter('version', 'The version of the resource: the number of the edition.'),
  summaryParameter(['count', 'false']),
  ...FORMAT_PARAMETERS,
];

/** The parameters that select resources. All types have the others too. */
export type DefinitionParameter = '_id' | 'url' | 'name' | 'title' | 'status' | 'version';

export interface DefinitionSearch {
  readonly parameters: readonly SearchParameter[];
  /** Throws a FhirError with every problem of the request. */
  parse(request: SearchRequest): ParsedSearch<DefinitionCriterion, ResultOptions>;
}

export function createDefinitionSearch(
  searchedBy: readonly DefinitionParameter[],
  nameTexts: NameTexts | undefined,
): DefinitionSearch {
  const names = new Set<string>(searchedBy);
  const parameters = TABLE.filter(({ name, isCriterion }) => !isCriterion || names.has(name));
  const definition = {
    parameters,
    defaultsOf: () => ({ count: Number.POSITIVE_INFINITY, isCountOnly: false }),
    linkParameters: [],
    ...(nameTexts && { nameTexts }),
  };
  return { parameters, parse: (request) => parseSearchQuery(request, definition, undefined) };
}

export function matchesDefinition(
  resource: ResourceObject,
  { criteria }: Query<DefinitionCriterion>,
): boolean {
  return criteria.every((criterion) => {
    const text = String(resource[criterion.field]);
    if (criterion.type === 'token') return criterion.values.some(({ code }) => code === text);
    const { match, values } = criterion;
    if (match === 'exact') return values.includes(text);
    const folded = fold(text);
    return values.some((value) =>
      match === 'contains' ? folded.includes(fold(value)) : folded.startsWith(fold(value)),
    );
  });
}

function textParameter<Field extends 'name' | 'title'>(field: Field) {
  return stringParameter({
    name: field,
    field,
    documentation: `The ${field} of the resource begins with this text.`,
    lengthMin: 1,
    lengthMax: 100,
    characters: /^/,
    tooShort: `Supplied ${field} needs a minimum of 1 Character.`,
    tooLong: `Supplied ${field} too long, max 100 Characters.`,
    otherCharacters: '',
  });
}

function plainParameter<Field extends 'status' | 'version'>(field: Field, documentation: string) {
  const rule = { systems: new Set<string>(), code: /^(.+)$/ };
  return tokenParameter({ name: field, field, documentation, rule });
}

/** https://hl7.org/fhir/STU3/search.html#uri: the whole URL, and the case of letters matters. */
function urlParameter(): CriterionParameter<TokenCriterion<'url'>> {
  return {
    kind: 'criterion',
    name: 'url',
    type: 'uri',
    modifiers: [],
    documentation: 'The complete URL of the resource.',
    isCriterion: true,
    isRepeatable: true,
    parse: (alternatives) =>
      parseEach(
        alternatives,
        (parts) => {
          const code = parts.join('|');
          return code === ''
            ? refused('invalid-value', 'Supplied url is empty. Send the URL of a resource.')
            : { value: { code } };
        },
        (values) => ({ type: 'token', field: 'url', values }),
      ),
  };
}
