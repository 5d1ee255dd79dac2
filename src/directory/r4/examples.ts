/** Requests of the R4 face that clients can send as they are. */
import type { RequestExamples } from '../../fhir/statement/open-api-examples.ts';
import { EXAMPLE_CODE, ORGANIZATION_EXAMPLES } from '../organization-examples.ts';
import { R4_SYSTEMS } from './systems.ts';

const CODE_SYSTEM = R4_SYSTEMS.role;
const VALUE_SET = CODE_SYSTEM.replace('/CodeSystem/', '/ValueSet/');
const ID = 'ODSOrganisationRole';
/** Of no resource: each server has other versions. */
export const EXAMPLE_VERSION = '1788256800000';
/** An NHS trust. */
const CODE = 'RO197';
const FILTER = 'trust';

export const R4_EXAMPLES: RequestExamples = {
  ...ORGANIZATION_EXAMPLES,
  vreadOrganization: { parameters: { id: EXAMPLE_CODE, version: EXAMPLE_VERSION } },
  searchOrganizationAffiliation: { parameters: { 'participating-organization': EXAMPLE_CODE } },
  readOrganizationAffiliation: { parameters: { id: '23745' } },
  vreadOrganizationAffiliation: { parameters: { id: '23745', version: EXAMPLE_VERSION } },
  searchCodeSystem: { parameters: { name: 'ODS' } },
  searchValueSet: { parameters: { name: 'ODS' } },
  searchList: { parameters: { _id: 'Organization-deletion' } },
  lookupCodeSystem: {
    parameters: { system: CODE_SYSTEM, code: CODE },
    body: parametersOf(
      { name: 'system', valueUri: CODE_SYSTEM },
      { name: 'code', valueCode: CODE },
    ),
  },
  subsumesCodeSystem: {
    parameters: { system: CODE_SYSTEM, codeA: CODE, codeB: CODE },
    body: parametersOf(
      { name: 'system', valueUri: CODE_SYSTEM },
      { name: 'codeA', valueCode: CODE },
      { name: 'codeB', valueCode: CODE },
    ),
  },
  subsumesOneCodeSystem: {
    parameters: { id: ID, codeA: CODE, codeB: CODE },
    body: parametersOf({ name: 'codeA', valueCode: CODE }, { name: 'codeB', valueCode: CODE }),
  },
  subsumesOneCodeSystemByParameters: { parameters: { id: ID } },
  validateCodeCodeSystem: {
    parameters: { url: CODE_SYSTEM, code: CODE },
    body: parametersOf({ name: 'url', valueUri: CODE_SYSTEM }, { name: 'code', valueCode: CODE }),
  },
  validateCodeOneCodeSystem: {
    parameters: { id: ID, code: CODE },
    body: parametersOf({ name: 'code', valueCode: CODE }),
  },

  validateCodeOneCodeSystemByParameters: { parameters: { id: ID } },
  expandValueSet: {
    parameters: { url: VALUE_SET, filter: FILTER, count: 5 },
    body: parametersOf(
      { name: 'url', valueUri: VALUE_SET },
      { name: 'filter', valueString: FILTER },
    ),
  },
  expandOneValueSet: {
    parameters: { id: ID, filter: FILTER },
    body: parametersOf({ name: 'filter', valueString: FILTER }),
  },
};

function parametersOf(...parameter: readonly object[]) {
  return { resourceType: 'Parameters', parameter };
}
