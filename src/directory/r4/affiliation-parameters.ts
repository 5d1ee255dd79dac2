/** The search parameters of OrganizationAffiliation, in one table. */
import { dateParameter } from '../../fhir/search/date.ts';
import type { CriterionParameter, ParameterDefinition } from '../../fhir/search/parameter.ts';
import { parseSearchQuery } from '../../fhir/search/parse-search-query.ts';
import { parseEach, refused } from '../../fhir/search/parsed.ts';
import { parseReference, type ReferenceCriterion } from '../../fhir/search/reference.ts';
import type { SearchParameter, SearchRequest } from '../../fhir/search/search-request.ts';
import { booleanCode, tokenParameter } from '../../fhir/search/token.ts';
import type { CriterionOf } from '../index/columns/columns.ts';
import type { RelationshipColumns } from '../index/relationship-index.ts';
import type { DirectorySettings } from '../settings.ts';
import { type IncludeOptions, includeParameter } from './include-parameter.ts';
import {
  R4_LINK_PARAMETERS,
  R4_PAGE_PARAMETERS,
  type R4PageOptions,
  r4PageDefaults,
} from './page-parameters.ts';
import { R4_SYSTEMS } from './systems.ts';

interface ParameterContext {
  readonly settings: DirectorySettings;
  readonly baseUrl: string;
}

type RelationshipCriterion = CriterionOf<RelationshipColumns>;

type Options = R4PageOptions & IncludeOptions;

const TABLE: readonly ParameterDefinition<RelationshipCriterion, Options, ParameterContext>[] = [
  tokenParameter({
    name: '_id',
    field: 'id',
    documentation: 'The number of the relationship.',
    rule: { systems: new Set(), code: /^([A-Za-z0-9.-]{1,64})$/ },
  }),
  tokenParameter({
    name: 'identifier',
    field: 'id',
    documentation: 'The number of the relationship, with or without its system.',
    rule: { systems: new Set([R4_SYSTEMS.relationshipInstance]), code: /^([0-9]+)$/ },
  }),
  organizationParameter(
    'primary-organization',
    'source',
    'The organisation that has the relationship',
  ),
  organizationParameter(
    'participating-organization',
    'target',
    'The organisation that the relationship leads to',
  ),
  tokenParameter({
    name: 'active',
    field: 'active',
    documentation: 'true: in active use; false: not in active use.',
    rule: booleanCode('active must be true or false.'),
  }),
  tokenParameter({
    name: 'role',
    field: 'type',
    documentation: 'The type of the relationship, such as RE4, with or without its system.',
    canNegate: true,
    rule: {
      systems: new Set([R4_SYSTEMS.relationship]),
      code: /^(?:RE)?([0-9]+)$/,
    },
  }),
  dateParameter({
    name: 'date',
    field: 'period',
    documentation: 'The period of the relationship: eq, gt, ge, lt, le, sa, eb or ne, and a date.',
    // With `ap`, the same address would find more each day.
    prefixes: ['eq', 'gt', 'ge', 'lt', 'le', 'sa', 'eb', 'ne'],
  }),
  includeParameter('_include', 'Adds the primary or the participating organisation of each match.'),
  ...R4_PAGE_PARAMETERS,
];

const DEFINITION = {
  parameters: TABLE,
  defaultsOf: (context: ParameterContext): Options => ({
    ...r4PageDefaults(context),
    includes: [],
  }),
  linkParameters: R4_LINK_PARAMETERS,
};

export const AFFILIATION_PARAMETERS: readonly SearchParameter[] = TABLE;

/** Throws a FhirError with every problem of the request. */
export function parseAffiliationSearch(request: SearchRequest, context: ParameterContext) {
  return parseSearchQuery(request, DEFINITION, context);
}

/** `what` begins the sentence of the documentation. */
function organizationParameter(
  name: string,
  field: 'source' | 'target',
  what: string,
): CriterionParameter<ReferenceCriterion<typeof field>, ParameterContext> {
  const empty = refused(
    'invalid-value',
    `${name} is empty. Send the code of an organisation, or its address.`,
  );
  return {
    kind: 'criterion',
    name,
    type: 'reference',
    modifiers: [],
    targets: ['Organization'],
    documentation: `${what}: its code, or its address.`,
    isCriterion: true,
    isRepeatable: true,
    parse: (alternatives, _modifier, { baseUrl }) =>
      parseEach(
        alternatives,
        (parts) =>
          parts.join('') === ''
            ? empty
            : parseReference(parts, { types: ['Organization'], baseUrl }),
        (values) => ({ type: 'reference', field, values }),
      ),
  };
}
