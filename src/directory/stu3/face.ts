/** The STU3 face: the interface of the retired national service. */
import { STU3 } from '../../fhir/fhir-version.ts';
import { SPINE_OUTCOME_PROFILE } from '../../nhs/spine-errors.ts';
import { type DirectoryFace, STANDARD_JSON } from '../face.ts';
import { codeSystemTypes } from './code-systems.ts';
import { LEGACY_JSON } from './legacy-json.ts';
import { createStu3Mapping } from './organization.ts';
import { parseStu3Search } from './parameters.ts';
import { roleSystemsOf } from './role-systems.ts';
import { DEFINED_PARAMETERS, searchParameterType } from './search-parameters.ts';

export const STU3_FACE: DirectoryFace = {
  name: 'OrganisationDirectory',
  version: STU3,
  basePath: '/STU3',
  downloadPath: '/editions/current.ndjson',
  outcomeProfile: SPINE_OUTCOME_PROFILE,
  hapiContext: 'forDstu3',
  searchParameters: DEFINED_PARAMETERS,
  searchCombinations: [['ods-org-role', 'ods-org-primaryRole']],
  createSearchParser: (settings, baseUrl) => {
    const context = { settings, roleSystems: roleSystemsOf(settings, baseUrl) };
    return (request) => parseStu3Search(request, context);
  },
  profileOf: ({ organizationProfile }) => organizationProfile,
  createMapping: createStu3Mapping,
  jsonFormOf: ({ json }) => (json === 'legacy' ? LEGACY_JSON : STANDARD_JSON),
  definitionTypes: (settings) => [...codeSystemTypes(settings), searchParameterType(settings)],
};
