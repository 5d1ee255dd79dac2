/** The code systems of the R4 face: their ids, URLs and titles. */
import {
  codeSystemDefinitions,
  type PublishedCodeSystem,
  recordClassConcepts,
  relationshipConcepts,
  roleConcepts,
} from '../code-systems.ts';
import type { DefinitionType } from '../face.ts';
import { R4_SYSTEMS } from './systems.ts';

/** The types CodeSystem and ValueSet of the face. */
export function r4CodeSystemTypes(): readonly DefinitionType[] {
  return codeSystemDefinitions([
    published(R4_SYSTEMS.role, 'Organisation role', (edition) =>
      prefixed('RO', roleConcepts(edition)),
    ),
    published(R4_SYSTEMS.relationship, 'Organisation relationship', (edition) =>
      prefixed('RE', relationshipConcepts(edition)),
    ),
    published(R4_SYSTEMS.recordClass, 'Organisation record class', (edition) =>
      prefixed('RC', recordClassConcepts(edition)),
    ),
    published(R4_SYSTEMS.recordUse, 'Organisation record use type', () => [
      { code: 'Full', display: 'Full' },
      { code: 'RefOnly', display: 'RefOnly' },
    ]),
  ]);
}

function published(
  url: string,
  title: string,
  conceptsOf: PublishedCodeSystem['conceptsOf'],
): PublishedCodeSystem {
  const id = url.slice(url.lastIndexOf('/') + 1);
  const valueSetUrl = url.replace('/CodeSystem/', '/ValueSet/');
  return { id, url, valueSetUrl, title, conceptsOf };
}

/** R4 has codes with the letters that the release has before their numbers. */
function prefixed(letters: string, concepts: ReturnType<typeof roleConcepts>) {
  return concepts.map(({ code, ...rest }) => ({ code: letters + code, ...rest }));
}
