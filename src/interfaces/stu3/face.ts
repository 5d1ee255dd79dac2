/** The STU3 faces: the interface of the retired national service, with JSON in two forms. */

import { NO_POSTCODES } from '../../directory/ask/near.ts';
import { STU3 } from '../../fhir/definitions/fhir-version.ts';
import { SPINE_ERRORS, SPINE_OUTCOME_PROFILE } from '../../nhs/spine-errors.ts';
import type { DirectorySettings } from '../answer/settings.ts';
import { type DirectoryFace, ORGANIZATION_EXAMPLES, STANDARD_JSON } from '../faces/face.ts';
import { codeSystemTypes, DEFINED_PARAMETERS, searchParameterType } from './definitions.ts';
import { LEGACY_JSON } from './legacy-json.ts';
import { createStu3Mapping } from './organization.ts';
import { createStu3SearchParser, STU3_NAME_TEXTS } from './parameters.ts';
import { roleSystemsOf } from './role-systems.ts';

/** JSON is as FHIR defines it, unless the setting `directory.json` asks for the legacy form. */
export const STU3_FACE: DirectoryFace = {
  ...stu3Face({
    pathOf: (settings) => settings['stu3.path'],
    isLegacy: ({ json }) => json === 'legacy',
  }),
  name: 'OrganisationDirectory',
  title: 'FHIR STU3',
  description: 'Directory of organisations: read by code, and search.',
  downloadPath: '/editions/current.ndjson',
  releasePath: '/editions/current.xml',
  tablesPath: '/editions/current',
};

/** JSON and commas are as the clients of the retired national service expect them. */
export const LEGACY_STU3_FACE: DirectoryFace = {
  ...stu3Face({ pathOf: ({ legacyPath }) => legacyPath, isLegacy: () => true }),
  name: 'LegacyOrganisationDirectory',
  title: 'FHIR STU3 with legacy JSON',
  description:
    'The directory of organisations with JSON in the form of the retired national service.',
};

/** The differences between the two faces. */
interface Stu3Form extends Pick<DirectoryFace, 'pathOf'> {
  /** Whether JSON has the legacy form, and a comma in a name or town is a part of it. */
  isLegacy(settings: DirectorySettings): boolean;
}

function stu3Face({
  pathOf,
  isLegacy,
}: Stu3Form): Omit<DirectoryFace, 'name' | 'title' | 'description'> {
  return {
    pathOf,
    version: STU3,
    instantiates: ['https://directory.spineservices.nhs.uk/STU3/metadata'],
    notFound: 'No record found for supplied ODS code',
    errorDetails: SPINE_ERRORS,
    outcomeProfile: SPINE_OUTCOME_PROFILE,
    hapiContext: 'forDstu3',
    examples: {
      ...ORGANIZATION_EXAMPLES,
      searchCodeSystem: { parameters: { 'name:contains': 'role' } },
      searchValueSet: { parameters: { 'name:contains': 'role' } },
    },
    nameTexts: STU3_NAME_TEXTS,
    searchParameters: DEFINED_PARAMETERS,
    searchCombinations: [['ods-org-role', 'ods-org-primaryRole']],
    createSearchParser: (
      settings,
      baseUrl,
      postcodesOf = NO_POSTCODES,
      unknownRole = () => undefined,
    ) => {
      const serverUrl = baseUrl?.slice(0, -pathOf(settings).length);
      return createStu3SearchParser({
        settings,
        roleSystems: roleSystemsOf(settings, serverUrl),
        isCommaLiteral: isLegacy(settings),
        postcodesOf,
        unknownRole,
      });
    },
    profileOf: ({ organizationProfile }) => organizationProfile,
    createMapping: createStu3Mapping,
    jsonFormOf: (settings) => (isLegacy(settings) ? LEGACY_JSON : STANDARD_JSON),
    definitionTypes: (settings) => [...codeSystemTypes(settings), searchParameterType(settings)],
  };
}
