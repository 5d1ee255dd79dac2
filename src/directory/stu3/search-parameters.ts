/**
 * The directory's own search parameters as resources.
 * https://hl7.org/fhir/STU3/searchparameter.html
 */

import type { DirectorySettings } from '../settings.ts';
import { PUBLISHED_BASE } from './code-systems.ts';
import type { ResourceObject } from './organization.ts';
import { SEARCH_PARAMETERS } from './parameters.ts';

/** Their ids by the name of the parameter. */
const IDS: ReadonlyMap<string, string> = new Map([
  ['ods-org-role', 'ODSAPI-OrganizationRole-Role-1'],
  ['ods-org-primaryRole', 'ODSAPI-OrganizationRole-PrimaryRole-1'],
]);

export const SEARCH_PARAMETER_IDS: readonly string[] = [...IDS.values()];

/** The declared parameters, with the url of those that FHIR does not define. */
export const DEFINED_PARAMETERS = SEARCH_PARAMETERS.map((parameter) => {
  const id = IDS.get(parameter.name);
  return id === undefined ? parameter : { ...parameter, definition: urlOf(id) };
});

/** The search parameter with this id, or nothing. */
export function searchParameterResource(
  id: string,
  settings: DirectorySettings,
): ResourceObject | undefined {
  const parameter = SEARCH_PARAMETERS.find(({ name }) => IDS.get(name) === id);
  if (parameter === undefined) return undefined;
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

/** As FHIRPath has it. */
function extension(url: string): string {
  return `extension.where(url = '${url.replace(/['\\]/g, '\\$&')}')`;
}
