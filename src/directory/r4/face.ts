/** The R4 face: the interface of the Organisation Data Terminology API. */

import { R4 } from '../../fhir/definitions/fhir-version.ts';
import { type DirectoryFace, STANDARD_JSON } from '../face.ts';
import { createAffiliationAt } from './affiliation.ts';
import { affiliationType } from './affiliation-type.ts';
import { deletionListType } from './deletion-lists.ts';
import { R4_EXAMPLES } from './examples.ts';
import { INCLUDES } from './include-parameter.ts';
import { createR4Mapping } from './organization.ts';
import { parseR4Search, R4_SEARCH_PARAMETERS } from './parameters.ts';
import { R4_PROFILES } from './systems.ts';
import { terminologyTypes } from './terminology/terminology.ts';

export const R4_FACE: DirectoryFace = {
  name: 'OrganisationDirectoryR4',
  title: 'FHIR R4',
  description: 'The same directory in FHIR R4, with reference-only records.',
  version: R4,
  pathOf: (settings) => settings['r4.path'],
  apiKeysOf: (settings) => settings['r4.apiKeys'],
  notFound: 'There is no organisation with this code.',
  hapiContext: 'forR4',
  examples: R4_EXAMPLES,
  searchParameters: R4_SEARCH_PARAMETERS,
  searchCombinations: [],
  reverseIncludes: INCLUDES,
  createSearchParser: (settings, baseUrl = '') => {
    const context = { settings, affiliationAt: createAffiliationAt(settings, baseUrl) };
    return (request) => parseR4Search(request, context);
  },
  profileOf: () => R4_PROFILES.organization[1],
  isComplete: true,
  createMapping: createR4Mapping,
  jsonFormOf: () => STANDARD_JSON,
  definitionTypes: (settings) => [...terminologyTypes(settings), deletionListType(settings)],
  furtherTypes: (context) => [affiliationType(context)],
};
