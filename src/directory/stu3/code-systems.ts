/** The code systems of the STU3 face: their ids, URLs and titles. */
import {
  codeSystemDefinitions,
  type PublishedCodeSystem,
  recordClassConcepts,
  roleConcepts,
} from '../edition/code-systems.ts';
import type { DefinitionType } from '../face.ts';
import type { DirectorySettings } from '../settings.ts';

/** The base of the URLs of definitions, which is the same for every server. */
export const PUBLISHED_BASE = 'https://fhir.nhs.uk/STU3';

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
