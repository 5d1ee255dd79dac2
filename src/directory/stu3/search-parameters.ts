/**
 * The directory's own search parameters as resources.
 * https://hl7.org/fhir/STU3/searchparameter.html
 */

import type { SearchParameter } from '../../fhir/search/search-request.ts';
import type { DefinitionType } from '../face.ts';
import type { ResourceObject } from '../resource-parts.ts';
import type { DirectorySettings } from '../settings.ts';
import { PUBLISHED_BASE } from './code-systems.ts';
import { STU3_SEARCH_PARAMETERS } from './parameters.ts';

/** Their ids by the name of the parameter. */
const IDS: ReadonlyMap<string, string> = new Map([
  ['ods-org-role', 'ODSAPI-OrganizationRole-Role-1'],
  ['ods-org-primaryRole', 'ODSAPI-OrganizationRole-PrimaryRole-1'],
]);

/** The declared parameters, with the url of those that FHIR does not define. */
export const DEFINED_PARAMETERS = STU3_SEARCH_PARAMETERS.map((parameter) => {
  const id = IDS.get(parameter.name);
  return id === undefined ? parameter : { ...parameter, definition: urlOf(id) };
});

/** The type SearchParameter of the face. */
export function searchParameterType(settings: DirectorySettings): DefinitionType {
  const ids = [...IDS.values()];
  const resources = STU3_SEARCH_PARAMETERS.flatMap((parameter) => {
    const id = IDS.get(parameter.name);
    return id === undefined
      ? []
      : [[id, searchParameterResource(id, parameter, settings)] as const];
  });
  return {
    name: 'SearchParameter',
    documentation: 'The search parameters that FHIR does not define.',
    notFound: `There are the search parameters ${ids.join(' and ')}.`,
    resources: new Map(resources),
  };
}

function searchParameterResource(
  id: string,
  parameter: SearchParameter,
  settings: DirectorySettings,
): ResourceObject {
  const part = parameter.name === 'ods-org-role' ? 'role' : settings.primaryRoleUrl;
  return {
    resourceType: 'SearchParameter',
    id,
    url: urlOf(id),
    name: parameter.name,
    status: 'active',
    experimental: false,
    code: parameter.name,
    base: ['Organization'],
    type: parameter.type,
    description: parameter.documentation,
    expression: `Organization.${extension(settings.roleUrl)}.${extension(part)}.value`,
    xpathUsage: 'normal',
  };
}

function urlOf(id: string): string {
  return `${PUBLISHED_BASE}/SearchParameter/${id}`;
}

/** A FHIRPath expression. */
function extension(url: string): string {
  return `extension.where(url = '${url.replace(/['\\]/g, '\\$&')}')`;
}
