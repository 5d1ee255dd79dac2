/** The search of resources that describe the directory: by id, URL and name. */

import {
  type FieldEntry,
  type IndexEntry,
  matches,
  type Query,
} from '../../fhir/search/criterion.ts';
import { type DateCriterion, dateEntries, dateParameter } from '../../fhir/search/date.ts';
import {
  type CriterionParameter,
  criterionParameter,
  type ParameterDefinition,
  type SearchParameter,
  type SearchRequest,
} from '../../fhir/search/parameter.ts';
import {
  type ParsedSearch,
  parseSearchQuery,
  type SearchDefinition,
} from '../../fhir/search/parse-search-query.ts';
import { parseEach, refused } from '../../fhir/search/parsed.ts';
import {
  cappedCountParameter,
  FORMAT_PARAMETERS,
  summaryParameter,
  TOTAL_PARAMETER,
} from '../../fhir/search/result-parameters.ts';
import { type StringCriterion, stringEntries, stringParameter } from '../../fhir/search/string.ts';
import {
  ELEMENTS_PARAMETER,
  SUMMARY_PARAMETER,
  type SubsetOptions,
} from '../../fhir/search/subset.ts';
import { plainCode, type TokenCriterion, tokenParameter } from '../../fhir/search/token.ts';
import type { ResourceObject } from '../answer/resource-parts.ts';
import { OFFSET_PARAMETER, type PageOptions, pageDefaultsOf, ROW_OFFSETS } from './search.ts';

type DefinitionCriterion =
  | TokenCriterion<'id' | 'url' | 'reference' | PlainField>
  | StringCriterion<TextField>
  | DateCriterion<'lastUpdated'>;

type PlainField =
  | 'identifier'
  | 'status'
  | 'version'
  | 'content'
  | 'useContext'
  | 'security'
  | 'tag';
type TextField = 'name' | 'title' | 'description' | 'publisher';

/** Where a search has no parts of matches, they are whole. */
type DefinitionOptions = PageOptions & SubsetOptions;

interface PageContext {
  /** The most matches on a page. */
  readonly countMax: number;
}

type Definition = ParameterDefinition<DefinitionCriterion, DefinitionOptions, PageContext>;

/** The parameters that only some searches have. */
const TABLE = {
  _id: tokenParameter({
    name: '_id',
    field: 'id',
    documentation: 'The id of the resource.',
    rule: plainCode(
      /^([A-Za-z0-9.-]{1,64})$/,
      'Supplied _id is not valid. Send the id of a resource.',
    ),
  }),
  url: urlParameter('url', 'url', 'The complete URL of the resource.'),
  system: urlParameter('system', 'url', 'The complete URL of the code system.'),
  reference: urlParameter(
    'reference',
    'reference',
    'The complete URL of the code system of the value set.',
  ),
  identifier: plainParameter('identifier', 'A further identifier. No resource has one.', {
    field: 'identifier',
  }),
  name: textParameter('name'),
  title: textParameter('title'),
  status: plainParameter('status', 'The status of the resource: active.', {
    field: 'status',
    system: 'http://hl7.org/fhir/publication-status',
  }),
  version: plainParameter('version', 'The version of the resource: the number of the edition.', {
    field: 'version',
  }),
  _lastUpdated: dateParameter({
    name: '_lastUpdated',
    field: 'lastUpdated',
    documentation: 'The time of meta.lastUpdated: when this directory got the edition.',
  }),
  description: textParameter('description'),
  publisher: textParameter('publisher'),
  'content-mode': plainParameter(
    'content-mode',
    'How much of the code system the resource has: complete or not-present.',
    { field: 'content', system: 'http://hl7.org/fhir/codesystem-content-mode' },
  ),
  context: plainParameter('context', 'The context of use. No resource has one.', {
    field: 'useContext',
  }),
  _security: plainParameter('_security', 'A security label. No resource has one.', {
    field: 'security',
  }),
  _tag: plainParameter('_tag', 'A tag. No resource has one.', { field: 'tag' }),
  _summary: SUMMARY_PARAMETER,
  _elements: ELEMENTS_PARAMETER,
  _count: cappedCountParameter(({ countMax }: PageContext) => countMax),
  _offset: OFFSET_PARAMETER,
  _total: TOTAL_PARAMETER,
} satisfies Readonly<Record<string, Definition>>;

export type DefinitionParameter = keyof typeof TABLE;

export const USUAL_PARAMETERS: readonly DefinitionParameter[] = ['_id', 'url', 'name'];

export interface DefinitionSearch {
  readonly parameters: readonly SearchParameter[];
  /** Whether a request can ask for a page of the matches. */
  readonly hasPages: boolean;
  /** Throws a FhirError with every problem of the request. */
  parse(request: SearchRequest): ParsedSearch<DefinitionCriterion, DefinitionOptions>;
}

/** All searches also have the parameters of the form of an answer. */
export function createDefinitionSearch(
  searchedBy: readonly DefinitionParameter[],
  {
    nameTexts,
    ignoresEmpty,
  }: Pick<SearchDefinition<never, never, never>, 'nameTexts' | 'ignoresEmpty'>,
  countMax: number,
): DefinitionSearch {
  const hasPages = searchedBy.includes('_count');
  const parameters: readonly Definition[] = [
    ...searchedBy.map((name) => TABLE[name]),
    ...(searchedBy.includes('_summary') ? [] : [summaryParameter(['count', 'false'])]),
    ...FORMAT_PARAMETERS,
  ];
  const pageDefaults = pageDefaultsOf(countMax, ROW_OFFSETS);
  const definition = {
    parameters,
    defaultsOf: () => ({
      ...pageDefaults,
      summary: 'false' as const,
      elements: undefined,
      ...(!hasPages && { count: Number.POSITIVE_INFINITY }),
    }),
    linkParameters: hasPages ? ['_count', '_offset'] : [],
    ...(nameTexts && { nameTexts }),
    ignoresEmpty,
  };
  const context = { countMax };
  return {
    parameters,
    hasPages,
    parse: (request) => parseSearchQuery(request, definition, context),
  };
}

export function matchesDefinition(
  resource: ResourceObject,
  { criteria }: Query<DefinitionCriterion>,
): boolean {
  return criteria.every((criterion) => matches(criterion, entriesOf(resource, criterion.field)));
}

/** The entries of a field. No resource has entries of the field `identifier`. */
function entriesOf(
  resource: ResourceObject,
  field: DefinitionCriterion['field'],
): readonly FieldEntry[] {
  const elements = resource as DefinitionElements;
  const { meta, compose } = elements;
  const text = elements[field];
  const entries = (): readonly IndexEntry[] => {
    switch (field) {
      case 'name':
      case 'title':
      case 'description':
      case 'publisher':
        return stringEntries(text);
      case 'lastUpdated':
        return dateEntries(meta?.lastUpdated);
      case 'reference':
        return compose?.include.map(({ system }) => ({ code: system })) ?? [];
      default:
        return text === undefined ? [] : [{ code: text }];
    }
  };
  return entries().map((entry) => ({ ...entry, field }));
}

/** The elements that a search compares. */
type DefinitionElements = { readonly [Field in DefinitionCriterion['field']]?: string } & {
  readonly meta?: { readonly lastUpdated: string };
  readonly compose?: { readonly include: readonly { readonly system: string }[] };
};

function textParameter<Field extends TextField>(field: Field) {
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

/** `system`: the URL of the code system. By default, the codes have none. */
function plainParameter<Field extends PlainField>(
  name: string,
  documentation: string,
  { field, system = '' }: { readonly field: Field; readonly system?: string },
) {
  const rule = { systems: new Set([system]), code: /^(.+)$/ };
  return tokenParameter({ name, field, documentation, rule });
}

/** https://hl7.org/fhir/STU3/search.html#uri: the whole URL, and the case of letters matters. */
function urlParameter<Field extends 'url' | 'reference'>(
  name: string,
  field: Field,
  documentation: string,
): CriterionParameter<TokenCriterion<Field>> {
  return criterionParameter({ name, type: 'uri', documentation }, (alternatives) =>
    parseEach(
      alternatives,
      (parts) => {
        const code = parts.join('|');
        return code === ''
          ? refused('invalid-value', `Supplied ${name} is empty. Send the URL of a resource.`)
          : { value: { code } };
      },
      (values) => ({ type: 'token', field, values }),
    ),
  );
}
