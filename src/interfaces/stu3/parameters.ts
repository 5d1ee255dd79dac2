/**
 * The search parameters of the STU3 face, in one table. Its messages are those of the retired
 * national service.
 */

import {
  distanceExtensions,
  NEAR_PARAMETER,
  nearOf,
  type PostcodesOf,
} from '../../directory/ask/near.ts';
import type { DirectoryCriterion } from '../../directory/index/organization-index.ts';
import { dateParameter } from '../../fhir/search/date.ts';
import type { NameTexts } from '../../fhir/search/name-texts.ts';
import type {
  ParameterDefinition,
  QualifierParameter,
  SearchParameter,
  SearchRequest,
} from '../../fhir/search/parameter.ts';
import { parseSearchQuery } from '../../fhir/search/parse-search-query.ts';
import { refused } from '../../fhir/search/parsed.ts';
import { stringParameter } from '../../fhir/search/string.ts';
import { plainCode, tokenParameter } from '../../fhir/search/token.ts';
import type { DirectorySettings } from '../answer/settings.ts';
import type { UnknownRole } from '../faces/face.ts';
import {
  PAGE_LINK_PARAMETERS,
  PAGE_PARAMETERS,
  type PageOptions,
  pageDefaultsOf,
  type Search,
} from '../faces/search.ts';

/** The settings that the parsers of parameter values need. */
export interface ParameterContext {
  readonly settings: DirectorySettings;
  /** The systems that a role may be written with. */
  readonly roleSystems: ReadonlySet<string>;
  /** Whether an unescaped comma in a name or town is a part of it, and separates no alternatives. */
  readonly isCommaLiteral: boolean;
  readonly postcodesOf: PostcodesOf;
  readonly unknownRole: UnknownRole;
}

const ROLE = 'ods-org-role';

const isCommaLiteral = (context: ParameterContext) => context.isCommaLiteral;

const TABLE: readonly ParameterDefinition<DirectoryCriterion, PageOptions, ParameterContext>[] = [
  tokenParameter({
    name: '_id',
    field: 'code',
    documentation: 'The organisation code; case matters.',
    rule: plainCode(/^([A-Za-z0-9]+)$/, 'Supplied _id must be just alphanumeric characters.'),
  }),
  dateParameter({
    name: '_lastUpdated',
    field: 'lastUpdated',
    documentation: 'Changed after a year, month, day or time: gt and the date.',
    prefixes: ['gt'],
    diagnostics: 'Supplied date is invalid',
    hint: 'Write gt and a date, such as _lastUpdated=gt2026-02-01.',
  }),
  tokenParameter({
    name: 'identifier',
    field: 'code',
    documentation: 'The organisation code, in any case.',
    ignoreCase: true,
    rule: ({ settings: { organizationCodeSystem } }: ParameterContext) => ({
      systems: new Set([organizationCodeSystem]),
      otherSystem: {
        kind: 'invalid-identifier-system',
        diagnostics: `Invalid identifier system. Should be ${organizationCodeSystem}.`,
      },
      code: /^([A-Za-z0-9]+)$/,
      otherCode: {
        kind: 'invalid-identifier-value',
        diagnostics: 'Supplied identifier must be just alphanumeric characters.',
      },
    }),
  }),
  stringParameter({
    name: 'name',
    field: 'name',
    documentation: 'The name begins with this text.',
    lengthMin: 3,
    lengthMax: 100,
    characters: /^[\p{L}\p{M}0-9&()'’+\-_./:;@,"#%! ]*$/u,
    isCommaLiteral,
    tooShort: 'Supplied name needs a minimum of 3 Characters.',
    tooLong: 'Supplied name too long, max 100 Characters.',
    otherCharacters: 'Supplied name has invalid Character/s.',
  }),
  tokenParameter({
    name: 'active',
    field: 'active',
    documentation: 'true: in active use; false: not in active use.',
    rule: plainCode(/^(true|false)$/, 'Invalid FHIR active parameter'),
  }),
  stringParameter({
    name: 'address-postalcode',
    field: 'postalCode',
    documentation: 'The postcode begins with this text.',
    lengthMin: 2,
    lengthMax: 8,
    characters: /^[A-Za-z0-9 ]*$/,
    tooShort: 'Supplied address-postalcode is too short, min 2 characters.',
    tooLong: 'Supplied address-postalcode is too long, max 8 characters.',
    otherCharacters:
      'Supplied address-postalcode contains invalid characters, alphanumeric characters only.',
  }),
  stringParameter({
    name: 'address-city',
    field: 'city',
    documentation: 'The town or city begins with this text.',
    lengthMin: 2,
    lengthMax: 75,
    characters: /^[\p{L}\p{M}'’\-.;,"#%! ]*$/u,
    isCommaLiteral,
    tooShort: 'Supplied address-city is too short, min 2 characters',
    tooLong: 'Supplied address-city is too long, max 75 characters',
    otherCharacters:
      "Supplied address-city contains invalid characters, valid characters include:  , . - ' " +
      'and alphabetical characters',
  }),
  tokenParameter({
    name: ROLE,
    field: 'role',
    documentation: 'The code of a role, with or without RO and its system.',
    rule: ({ settings: { roleSystem }, roleSystems, unknownRole }: ParameterContext) => ({
      systems: roleSystems,
      otherSystem: {
        kind: 'invalid-code-system',
        diagnostics: `Invalid ods-org-role parameter. Should be ${roleSystem}.`,
      },
      code: /^(?:RO)?([0-9]+)$/,
      otherCode: {
        kind: 'invalid-code-value',
        diagnostics: 'Invalid FHIR ods-org-role parameter',
        hintOf: unknownRole,
      },
    }),
  }),
  primaryRoleParameter(),
  NEAR_PARAMETER,
  ...PAGE_PARAMETERS,
];

export const STU3_NAME_TEXTS: NameTexts = {
  unknown: (name) => `Unknown argument found - ${name}`,
  repeated: (name) => `Repeated ${name} argument.`,
};

const DEFINITION = {
  parameters: TABLE,
  defaultsOf: (context: ParameterContext) => pageDefaultsOf(context.settings.countMax),
  linkParameters: PAGE_LINK_PARAMETERS,
  nameTexts: STU3_NAME_TEXTS,
};

/** The function throws a FhirError with every problem of the request. */
export function createStu3SearchParser(
  context: ParameterContext,
): (request: SearchRequest) => Search {
  return (request) => {
    const parsed = parseSearchQuery(request, DEFINITION, context);
    const near = nearOf(parsed.query.criteria);
    if (near === undefined) return parsed;
    return { ...parsed, extensionsOf: (...at) => distanceExtensions(near, ...at) };
  };
}

/** The declared parameters: what the capability statement and the documentation list. */
export const STU3_SEARCH_PARAMETERS: readonly SearchParameter[] = TABLE;

function primaryRoleParameter(): QualifierParameter<DirectoryCriterion> {
  return {
    kind: 'qualifier',
    name: 'ods-org-primaryRole',
    type: 'token',
    modifiers: [],
    documentation: 'With ods-org-role: true if the role is the primary role, false if it is not.',
    isCriterion: true,
    isRepeatable: false,
    qualifies: ROLE,
    alone:
      'ods-org-role is a mandatory argument in all queries containing a ods-org-primaryRole term.',
    repeated: 'Only one ods-org-primaryRole parameter should be supplied',
    parse: (text) => {
      if (text !== 'true' && text !== 'false') {
        return refused(
          'invalid-value',
          'Invalid FHIR ods-org-primaryRole parameter. Must be true or false.',
        );
      }
      const field = text === 'true' ? 'primaryRole' : 'otherRole';
      return {
        value: (criterion) => (criterion.type === 'token' ? { ...criterion, field } : criterion),
      };
    },
  };
}
