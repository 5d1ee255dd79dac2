/**
 * The directory's own search parameters as resources.
 * https://hl7.org/fhir/STU3/searchparameter.html
 */

import type { SearchParameter } from '../../fhir/search/search-request.ts';
import type { ResourceObject } from '../answer/resource-parts.ts';
import type { DefinitionType } from '../face.ts';
import type { DirectorySettings } from '../settings.ts';
import { PUBLISHED_BASE } from './code-systems.ts';
import { STU3_SEARCH_PARAMETERS } from './parameters.ts';

/** A parameter that FHIR does not define. */
interface OwnParameter {
  readonly id: string;
  /** The elements that it searches, as FHIRPath. */
  expression(settings: DirectorySettings): string;
}

/** By the name of the parameter. */
const OWN_PARAMETERS: ReadonlyMap<string, OwnParameter> = new Map([
  [
    'ods-org-role',
    {
      id: 'ODSAPI-OrganizationRole-Role-1',
      expression: (settings: DirectorySettings) => roleExpression(settings, 'role'),
    },
  ],
  [
    'ods-org-primaryRole',
    {
      id: 'ODSAPI-OrganizationRole-PrimaryRole-1',
      expression: (settings: DirectorySettings) =>
        roleExpression(settings, settings.primaryRoleUrl),
    },
  ],
]);

/** The declared parameters, with the url of those that FHIR does not define. */
export const DEFINED_PARAMETERS = STU3_SEARCH_PARAMETERS.map((parameter) => {
  const own = OWN_PARAMETERS.get(parameter.name);
  return own === undefined ? parameter : { ...parameter, definition: urlOf(own.id) };
});

/** The type SearchParameter of the face. */
export function searchParameterType(settings: DirectorySettings): DefinitionType {
  const ids = [...OWN_PARAMETERS.values()].map(({ id }) => id);
  const resources = STU3_SEARCH_PARAMETERS.flatMap((parameter) => {
    const own = OWN_PARAMETERS.get(parameter.name);
    return own === undefined
      ? []
      : [[own.id, searchParameterResource(own, parameter, settings)] as const];
  });
  return {
    name: 'SearchParameter',
    documentation: 'The search parameters that FHIR does not define.',
    notFound: `There are the search parameters ${ids.join(' and ')}.`,
    resources: new Map(resources),
  };
}

function searchParameterResource(
  { id, expression }: OwnParameter,
  parameter: SearchParameter,
  settings: DirectorySettings,
): ResourceObject {
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
    expression: expression(settings),
    xpathUsage: 'normal',
  };
}

function urlOf(id: string): string {
  return `${PUBLISHED_BASE}/SearchParameter/${id}`;
}

function roleExpression({ roleUrl }: DirectorySettings, part: string): string {
  return `Organization.${extension(roleUrl)}.${extension(part)}.value`;
}

/** A FHIRPath expression. */
function extension(url: string): string {
  return `extension.where(url = '${url.replace(/['\\]/g, '\\$&')}')`;
}
