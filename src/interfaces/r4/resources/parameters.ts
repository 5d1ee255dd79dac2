/** The search parameters of Organization in R4, in one table. */

import {
  distanceExtensions,
  NEAR_PARAMETER,
  nearOf,
  type PostcodesOf,
} from '../../../directory/ask/near.ts';
import type { StringField } from '../../../directory/index/organization-index.ts';
import { R4 } from '../../../fhir/definitions/fhir-version.ts';
import { dateParameter } from '../../../fhir/search/date.ts';
import type {
  ParameterDefinition,
  SearchParameter,
  SearchRequest,
} from '../../../fhir/search/parameter.ts';
import { parseSearchQuery } from '../../../fhir/search/parse-search-query.ts';
import { stringParameter } from '../../../fhir/search/string.ts';
import { isWhole, subsetOf } from '../../../fhir/search/subset.ts';
import { tokenParameter } from '../../../fhir/search/token.ts';
import type { DirectorySettings } from '../../answer/settings.ts';
import type { Search } from '../../faces/search.ts';
import { type AffiliationAt, affiliationsOf } from './affiliation.ts';
import {
  findOrganizations,
  isColumnCriterion,
  refuseManyShortTexts,
  type SectionCriterion,
} from './find.ts';
import {
  ACTIVE_PARAMETER,
  type IncludeOptions,
  includeParameter,
  LAST_UPDATED_PARAMETER,
  type OrderOptions,
  R4_LINK_PARAMETERS,
  R4_PAGE_PARAMETERS,
  type R4PageOptions,
  r4PageDefaults,
  r4SortParameter,
} from './result-parameters.ts';
import { codesOfSystems, KNOWN_ROLES, type KnownParameters, searchNotes } from './search-notes.ts';
import { R4_SYSTEMS } from './systems.ts';

interface ParameterContext {
  readonly settings: DirectorySettings;
  readonly affiliationAt: AffiliationAt;
  readonly postcodesOf: PostcodesOf;
}

type Options = R4PageOptions & OrderOptions & IncludeOptions;

/** White space and invisible characters around a code come from pasting. With them, a search finds nothing. */
const PASTED_CODE = /^[\s\p{Cf}]*([A-Za-z0-9]+)[\s\p{Cf}]*$/u;

/** Longer than every name. */
const TEXT_LENGTH_MAX = 200;

const RECORD_TYPES = ['Full', 'RefOnly', 'RC1', 'RC2'];

const TABLE: readonly ParameterDefinition<SectionCriterion, Options, ParameterContext>[] = [
  tokenParameter({
    name: '_id',
    field: 'code',
    documentation: 'The organisation code; case matters.',
    rule: { systems: new Set(), code: PASTED_CODE },
  }),
  tokenParameter({
    name: 'identifier',
    field: 'code',
    documentation: 'The organisation code in any case, with or without its system.',
    ignoreCase: true,
    rule: ({ settings: { organizationCodeSystem } }: ParameterContext) => ({
      systems: new Set([organizationCodeSystem]),
      code: PASTED_CODE,
    }),
  }),
  text('name', 'name', 'The name'),
  text('address', 'address', 'The postcode, the town or city, or the country'),
  text('address-postalcode', 'postalCode', 'The postcode'),
  text('address-city', 'city', 'The town or city'),
  text('address-country', 'country', 'The country'),
  ACTIVE_PARAMETER,
  tokenParameter({
    name: 'type',
    field: 'recordType',
    documentation: 'The record use type Full or RefOnly, or the record class RC1 or RC2.',
    rule: {
      systems: new Set([R4_SYSTEMS.recordUse, R4_SYSTEMS.recordClass]),
      code: /^\s*(Full|RefOnly|RC[0-9]+)\s*$/i,
      codeIn: new Map([
        [R4_SYSTEMS.recordUse, /^\s*(Full|RefOnly)\s*$/i],
        [R4_SYSTEMS.recordClass, /^\s*(RC[0-9]+)\s*$/i],
      ]),
      normalize: (written) =>
        RECORD_TYPES.find((code) => code.toLowerCase() === written.toLowerCase()) ?? written,
    },
  }),
  roleParameter('roleCode', 'role', 'The code of a role, such as RO197'),
  roleParameter('activeRoleCode', 'activeRole', 'The code of an active role, such as RO197'),
  LAST_UPDATED_PARAMETER,
  dateParameter({
    name: 'lastChangeDate',
    field: 'lastUpdated',
    documentation: 'The date of the last change: gt, ge, lt, le or eq, and a date.',
    prefixes: ['eq', 'gt', 'ge', 'lt', 'le'],
  }),
  NEAR_PARAMETER,
  includeParameter(
    '_revinclude',
    'Adds the affiliations of which a match is the primary or the participating organisation.',
  ),
  r4SortParameter,
  ...R4_PAGE_PARAMETERS,
];

const DEFINITION = {
  parameters: TABLE,
  defaultsOf: (context: ParameterContext): Options => ({
    ...r4PageDefaults(context),
    includes: [],
    sort: [],
  }),
  linkParameters: R4_LINK_PARAMETERS,
  ignoresEmpty: true,
};

export const R4_SEARCH_PARAMETERS: readonly SearchParameter[] = TABLE;

/** Throws a FhirError with every problem of the request. */
export function parseR4Search(request: SearchRequest, context: ParameterContext): Search {
  const parsed = parseSearchQuery(request, DEFINITION, context);
  const { criteria } = parsed.query;
  refuseManyShortTexts(criteria);
  const near = nearOf(criteria);
  return {
    ...parsed,
    query: { criteria: criteria.filter(isColumnCriterion) },
    find: (edition) => findOrganizations(edition, criteria, parsed),
    notesOf: (edition) => searchNotes(edition, parsed, knownParameters(context.settings)),
    ...(near !== undefined && { extensionsOf: (...at) => distanceExtensions(near, ...at) }),
    ...(!isWhole(parsed) && {
      shown: (resource) => subsetOf(resource, parsed, SUMMARY_ELEMENTS, R4),
    }),
    ...(parsed.includes.length > 0 && {
      include: (edition, rows) =>
        affiliationsOf(edition, rows, parsed.includes, context.affiliationAt),
    }),
  };
}

/** The values that its parameters can match. */
function knownParameters({ organizationCodeSystem }: DirectorySettings): KnownParameters {
  return {
    identifier: { systems: [organizationCodeSystem] },
    type: codesOfSystems([R4_SYSTEMS.recordUse, R4_SYSTEMS.recordClass], RECORD_TYPES),
    roleCode: KNOWN_ROLES,
    activeRoleCode: KNOWN_ROLES,
  };
}

/** The elements that FHIR marks as the summary, besides those that every resource has. */
const SUMMARY_ELEMENTS = ['identifier', 'active', 'type', 'name', 'partOf', 'endpoint'];

function roleParameter(name: string, field: 'role' | 'activeRole', what: string) {
  return tokenParameter({
    name,
    field,
    documentation: `${what}, with or without its system.`,
    canNegate: true,
    rule: {
      systems: new Set([R4_SYSTEMS.role]),
      code: /^\s*(?:RO)?([0-9]+)\s*$/i,
    },
  });
}

/** `what` begins the sentence of the documentation. */
function text(name: string, field: StringField, what: string) {
  return stringParameter({
    name,
    field,
    documentation: `${what} begins with this text.`,
    lengthMin: 1,
    lengthMax: TEXT_LENGTH_MAX,
    characters: /^/,
    tooShort: `${name} is empty. Send at least one character.`,
    tooLong: `${name} must have at most ${TEXT_LENGTH_MAX} characters.`,
    otherCharacters: '',
  });
}
