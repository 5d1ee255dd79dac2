/**
 * The parameters that R4 searches share: they select the page, its order, its form, resources to add,
 * and what is active.
 */

import { ROW_FIELD } from '../../../directory/index/columns/columns.ts';
import type { DirectorySortKey } from '../../../directory/index/organization-index.ts';
import { unknownValue } from '../../../fhir/request/unknown-name.ts';
import { dateParameter } from '../../../fhir/search/date.ts';
import type { ResultParameter } from '../../../fhir/search/parameter.ts';
import { refused } from '../../../fhir/search/parsed.ts';
import {
  cappedCountParameter,
  FORMAT_PARAMETERS,
  resultParameter,
  TOTAL_PARAMETER,
} from '../../../fhir/search/result-parameters.ts';
import { SUBSET_PARAMETERS, type SubsetOptions } from '../../../fhir/search/subset.ts';
import { booleanCode, tokenParameter } from '../../../fhir/search/token.ts';
import type { DirectorySettings } from '../../answer/settings.ts';
import type { DefinitionParameter } from '../../faces/definition-search.ts';
import {
  EDITION_PARAMETER,
  OFFSET_PARAMETER,
  type PageOptions,
  pageDefaultsOf,
  ROW_OFFSETS,
} from '../../faces/search.ts';

interface PageContext {
  readonly settings: DirectorySettings;
}

export type R4PageOptions = PageOptions & SubsetOptions;

export const R4_PAGE_PARAMETERS: readonly ResultParameter<R4PageOptions, PageContext>[] = [
  cappedCountParameter(({ settings }: PageContext) => settings['r4.countMax']),
  OFFSET_PARAMETER,
  TOTAL_PARAMETER,
  EDITION_PARAMETER,
  ...SUBSET_PARAMETERS,
  ...FORMAT_PARAMETERS,
];

export const ACTIVE_PARAMETER = tokenParameter({
  name: 'active',
  field: 'active',
  documentation: 'true: in active use; false: not in active use.',
  rule: booleanCode('active must be true or false.'),
});

export const LAST_UPDATED_PARAMETER = dateParameter({
  name: '_lastUpdated',
  field: 'changed',
  documentation: 'The time of meta.lastUpdated: when this directory got the last change.',
  prefixes: ['eq', 'gt', 'ge', 'lt', 'le', 'ne'],
});

/** The parameters that every search of resources about the directory has in R4. */
export const R4_DEFINITION_PARAMETERS: readonly DefinitionParameter[] = [
  '_id',
  '_lastUpdated',
  '_count',
  '_offset',
  '_total',
  '_summary',
  '_elements',
];

/** The parameters that the links of a Bundle replace. */
export const R4_LINK_PARAMETERS: readonly string[] = ['_count', '_offset', '_edition'];

export function r4PageDefaults({ settings }: PageContext): R4PageOptions {
  return {
    ...pageDefaultsOf(settings['r4.countMax'], ROW_OFFSETS),
    summary: 'false',
    elements: undefined,
  };
}

/**
 * Which references between affiliations and organisations a search follows:
 * https://hl7.org/fhir/R4/search.html#include
 */
export interface IncludeOptions {
  readonly includes: readonly AffiliationReference[];
}

/** The search parameters of OrganizationAffiliation that are references to an Organization. */
const AFFILIATION_REFERENCES = ['primary-organization', 'participating-organization'] as const;
export type AffiliationReference = (typeof AFFILIATION_REFERENCES)[number];

/** The values as the capability statement lists them. */
export const INCLUDES: readonly string[] = AFFILIATION_REFERENCES.map(
  (name) => `OrganizationAffiliation:${name}`,
);

/** `_include` follows the references of the matches; `_revinclude` those of others to the matches. */
export function includeParameter(
  name: '_include' | '_revinclude',
  documentation: string,
): ResultParameter<IncludeOptions> {
  return resultParameter<IncludeOptions>(
    { name, type: 'string', documentation, isRepeatable: true },
    (text, _context, { options: { includes = [] } }) => {
      const wanted = text.replace(/:Organization$/, '');
      const at = INCLUDES.indexOf(wanted);
      const reference = AFFILIATION_REFERENCES[at];
      if (reference !== undefined) return { value: { includes: [...includes, reference] } };
      return refused('invalid-value', unknownValue(name, text, INCLUDES));
    },
  );
}

export interface OrderOptions {
  /** Empty: full records before reference-only ones, both in the order of their codes. */
  readonly sort: readonly DirectorySortKey[];
}

/** The fields of the index by the names of their parameters. */
const FIELDS = {
  name: 'name',
  _id: ROW_FIELD,
  lastChangeDate: 'lastUpdated',
} as const;

/** https://hl7.org/fhir/R4/search.html#sort */
export const r4SortParameter: ResultParameter<OrderOptions> = resultParameter(
  {
    name: '_sort',
    type: 'string',
    documentation: 'The order: name, _id or lastChangeDate; with a minus sign: descending.',
  },
  (text) => {
    const sort: DirectorySortKey[] = [];
    for (const key of text.split(',')) {
      const name = key.replace(/^-/, '');
      if (!isField(name)) {
        const direction = 'Put a minus sign before a name to sort in descending order.';
        const problem = unknownValue('_sort', key, Object.keys(FIELDS));
        return refused('invalid-value', `${problem} ${direction}`);
      }
      const field = FIELDS[name];
      // A repeated key separates no rows.
      if (sort.some((earlier) => earlier.field === field)) continue;
      sort.push({ field, isDescending: key.startsWith('-') });
    }
    return { value: { sort } };
  },
);

function isField(name: string): name is keyof typeof FIELDS {
  return Object.hasOwn(FIELDS, name);
}
