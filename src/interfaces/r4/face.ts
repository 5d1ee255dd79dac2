/** The R4 face: the interface of the Organisation Data Terminology API, and requests that clients can send. */

import { NO_POSTCODES } from '../../directory/ask/near.ts';
import { R4 } from '../../fhir/definitions/fhir-version.ts';
import type { RequestExample, RequestExamples } from '../../fhir/service/open-api-examples.ts';
import {
  type DirectoryFace,
  EXAMPLE_CODE,
  ORGANIZATION_EXAMPLES,
  STANDARD_JSON,
} from '../faces/face.ts';
import { createAffiliationAt } from './resources/affiliation.ts';
import { affiliationType } from './resources/affiliation-search.ts';
import { deletionListType } from './resources/deletion-lists.ts';
import { createR4Mapping } from './resources/organization.ts';
import { parseR4Search, R4_SEARCH_PARAMETERS } from './resources/parameters.ts';
import { INCLUDES } from './resources/result-parameters.ts';
import { R4_PROFILES, R4_SYSTEMS } from './resources/systems.ts';
import { terminologyTypes } from './terminology/terminology.ts';

const CODE_SYSTEM = R4_SYSTEMS.role;
const VALUE_SET = CODE_SYSTEM.replace('/CodeSystem/', '/ValueSet/');
const ID = 'ODSOrganisationRole';
/** An NHS trust. */
const CODE = 'RO197';
const FILTER = 'trust';

/** The elements for the values of parameters. */
const VALUES = {
  system: 'valueUri',
  url: 'valueUri',
  code: 'valueCode',
  codeA: 'valueCode',
  codeB: 'valueCode',
  filter: 'valueString',
};

/** Of no resource: each server has other versions. */
export const EXAMPLE_VERSION = '1788256800000';

const R4_EXAMPLES: RequestExamples = {
  ...ORGANIZATION_EXAMPLES,
  vreadOrganization: { parameters: { id: EXAMPLE_CODE, version: EXAMPLE_VERSION } },
  searchOrganizationAffiliation: { parameters: { 'participating-organization': EXAMPLE_CODE } },
  readOrganizationAffiliation: { parameters: { id: '23745' } },
  vreadOrganizationAffiliation: { parameters: { id: '23745', version: EXAMPLE_VERSION } },
  searchCodeSystem: { parameters: { name: 'ODS' } },
  searchValueSet: { parameters: { name: 'ODS' } },
  searchList: { parameters: { _id: 'Organization-deletion' } },
  lookupCodeSystem: operationExample({ system: CODE_SYSTEM, code: CODE }),
  subsumesCodeSystem: operationExample({ system: CODE_SYSTEM, codeA: CODE, codeB: CODE }),
  subsumesOneCodeSystem: operationExample({ codeA: CODE, codeB: CODE }, { id: ID }),
  subsumesOneCodeSystemByParameters: { parameters: { id: ID } },
  validateCodeCodeSystem: operationExample({ url: CODE_SYSTEM, code: CODE }),
  validateCodeOneCodeSystem: operationExample({ code: CODE }, { id: ID }),
  validateCodeOneCodeSystemByParameters: { parameters: { id: ID } },
  expandValueSet: operationExample({ url: VALUE_SET, filter: FILTER }, { count: 5 }),
  expandOneValueSet: operationExample({ filter: FILTER }, { id: ID }),
  validateCodeValueSet: operationExample({ url: VALUE_SET, code: CODE }),
  validateCodeOneValueSet: operationExample({ code: CODE }, { id: ID }),
  validateCodeOneValueSetByParameters: { parameters: { id: ID } },
};

/** The same parameters in the URL and in a body, and others in the URL alone. */
function operationExample(
  both: { readonly [Name in keyof typeof VALUES]?: string },
  inUrl: Readonly<Record<string, string | number>> = {},
): RequestExample {
  const parameter = Object.entries(both).map(([name, value]) => ({
    name,
    [VALUES[name as keyof typeof VALUES]]: value,
  }));
  return {
    parameters: { ...both, ...inUrl },
    body: { resourceType: 'Parameters', parameter },
  };
}

export const R4_FACE: DirectoryFace = {
  name: 'OrganisationDirectoryR4',
  title: 'FHIR R4',
  description: 'The directory of organisations in FHIR R4, with reference-only records.',
  version: R4,
  pathOf: (settings) => settings['r4.path'],
  apiKeysOf: (settings) => settings['r4.apiKeys'],
  notFound: 'There is no organisation with this code.',
  hapiContext: 'forR4',
  examples: R4_EXAMPLES,
  ignoresEmpty: true,
  searchParameters: R4_SEARCH_PARAMETERS,
  searchCombinations: [],
  reverseIncludes: INCLUDES,
  createSearchParser: (settings, baseUrl = '', postcodesOf = NO_POSTCODES) => {
    const affiliationAt = createAffiliationAt(settings, baseUrl);
    const context = { settings, affiliationAt, postcodesOf };
    return (request) => parseR4Search(request, context);
  },
  profileOf: () => R4_PROFILES.organization[1],
  isComplete: true,
  createMapping: createR4Mapping,
  jsonFormOf: () => STANDARD_JSON,
  definitionTypes: (settings) => [...terminologyTypes(settings), deletionListType(settings)],
  furtherTypes: (context) => [affiliationType(context)],
};
