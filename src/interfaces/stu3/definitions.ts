/**
 * The resources of the STU3 face that describe its codes and its own search parameters.
 * https://hl7.org/fhir/STU3/searchparameter.html
 */

import { recordClassConcepts, roleConcepts } from '../../directory/edition/code-systems.ts';
import type { ResourceObject } from '../answer/resource-parts.ts';
import type { DirectorySettings } from '../answer/settings.ts';
import { codeSystemDefinitions, type PublishedCodeSystem } from '../faces/code-system-types.ts';
import type { DefinitionType } from '../faces/face.ts';
import { STU3_SEARCH_PARAMETERS } from './parameters.ts';

/** The base of the URLs of definitions, which is the same for every server. */
const PUBLISHED_BASE = 'https://fhir.nhs.uk/STU3';

export function codeSystemTypes(settings: DirectorySettings): readonly DefinitionType[] {
  return codeSystemDefinitions([
    published('ODSAPI-OrganizationRole-1', {
      url: settings.roleSystem,
      title: 'Organisation role',
      conceptsOf: roleConcepts,
    }),
    published('ODSAPI-OrganizationRecordClass-1', {
      url: settings.recordClassSystem,
      title: 'Organisation record class',
      conceptsOf: recordClassConcepts,
    }),
  ]);
}

function published(
  id: string,
  rest: Omit<PublishedCodeSystem, 'id' | 'valueSetUrl'>,
): PublishedCodeSystem {
  return { ...rest, id, valueSetUrl: `${PUBLISHED_BASE}/ValueSet/${id}` };
}

/** The parameters that FHIR does not define, by name: an id, and the element that it searches. */
const OWN_PARAMETERS = new Map<
  string,
  readonly [id: string, elementOf: (settings: DirectorySettings) => string]
>([
  ['ods-org-role', ['ODSAPI-OrganizationRole-Role-1', (settings) => ofRole(settings, 'role')]],
  [
    'ods-org-primaryRole',
    [
      'ODSAPI-OrganizationRole-PrimaryRole-1',
      (settings) => ofRole(settings, settings.primaryRoleUrl),
    ],
  ],
  ['near', ['Gazetteer-Organization-Near-1', () => 'address.postalCode']],
]);

function ofRole({ roleUrl }: DirectorySettings, part: string): string {
  return `${extension(roleUrl)}.${extension(part)}.value`;
}

/** The declared parameters, with the url of those that FHIR does not define. */
export const DEFINED_PARAMETERS = STU3_SEARCH_PARAMETERS.map((parameter) => {
  const [id] = OWN_PARAMETERS.get(parameter.name) ?? [];
  return id === undefined ? parameter : { ...parameter, definition: urlOf(id) };
});

/** The type SearchParameter of the face. */
export function searchParameterType(settings: DirectorySettings): DefinitionType {
  const resources = STU3_SEARCH_PARAMETERS.flatMap(({ name, type, documentation }) => {
    const [id, elementOf] = OWN_PARAMETERS.get(name) ?? [];
    if (id === undefined || elementOf === undefined) return [];
    const resource: ResourceObject = {
      resourceType: 'SearchParameter',
      id,
      url: urlOf(id),
      name,
      status: 'active',
      experimental: false,
      code: name,
      base: ['Organization'],
      type,
      description: documentation,
      expression: `Organization.${elementOf(settings)}`,
      xpathUsage: 'normal',
    };
    return [[id, resource] as const];
  });
  return {
    name: 'SearchParameter',
    documentation: 'The search parameters that FHIR does not define.',
    notFound: `There are the search parameters ${resources.map(([id]) => id).join(' and ')}.`,
    resources: new Map(resources),
  };
}

function urlOf(id: string): string {
  return `${PUBLISHED_BASE}/SearchParameter/${id}`;
}

/** A FHIRPath expression. */
function extension(url: string): string {
  return `extension.where(url = '${url.replace(/['\\]/g, '\\$&')}')`;
}
