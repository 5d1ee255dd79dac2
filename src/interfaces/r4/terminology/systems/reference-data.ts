/** The small code systems, whose codes are in memory. */

import {
  primaryRoleCodes,
  recordClassConcepts,
  relationshipConcepts,
  roleConcepts,
} from '../../../../directory/edition/code-systems.ts';
import type { Edition } from '../../../../directory/edition/edition.ts';
import { prefixedId } from '../../../../directory/record/ids.ts';
import type { Concept } from '../../../../directory/record/record.ts';
import { R4_SYSTEMS } from '../../resources/systems.ts';
import { codeSystem } from './code-system.ts';
import type { CodeItem, CodeSystemRow } from './code-system-row.ts';
import { codesInMemory } from './codes-in-memory.ts';

interface RoleConcept extends CodeItem {
  readonly isPrimary: boolean;
}

export const ROLE_CODES = codeSystem<RoleConcept>({
  id: 'ODSOrganisationRole',
  url: R4_SYSTEMS.role,
  title: 'Organisation role',
  isListed: true,
  usualProperties: ['primaryRole'],
  properties: [
    {
      code: 'primaryRole',
      description: 'Whether it can be the primary role of an organisation.',
      type: 'boolean',
      valuesOf: ({ isPrimary }) => isPrimary,
    },
  ],
  open: (edition) => {
    const primary = primaryRoleCodes(edition);
    return codesInMemory(
      roleConcepts(edition).map((concept) => ({
        ...prefixed('RO', concept),
        isPrimary: primary.has(concept.code),
      })),
      ({ isPrimary }, _, value) => value === String(isPrimary),
    );
  },
});

/** A code system without properties. */
function plainCodes(
  row: Pick<CodeSystemRow<CodeItem>, 'id' | 'name' | 'url' | 'title' | 'needsLinks'>,
  itemsOf: (edition: Edition) => readonly CodeItem[],
) {
  const open = (edition: Edition) => codesInMemory(itemsOf(edition));
  return codeSystem<CodeItem>({ ...row, isListed: true, properties: [], open });
}

export const RELATIONSHIP_TYPE_CODES = plainCodes(
  {
    id: 'ODSRelationship',
    url: R4_SYSTEMS.relationship,
    title: 'Organisation relationship',
    needsLinks: true,
  },
  (edition) => relationshipConcepts(edition).map((concept) => prefixed('RE', concept)),
);

export const RECORD_CLASS_CODES = plainCodes(
  { id: 'ODSRecordClass', url: R4_SYSTEMS.recordClass, title: 'Organisation record class' },
  (edition) => recordClassConcepts(edition).map((concept) => prefixed('RC', concept)),
);

export const RECORD_USE_CODES = plainCodes(
  {
    id: 'England-ODSRecordUseType',
    name: 'EnglandODSRecordUseType',
    url: R4_SYSTEMS.recordUse,
    title: 'Record use type',
  },
  () => ['Full', 'RefOnly'].map((code) => ({ code, display: code })),
);

function prefixed(prefix: 'RO' | 'RE' | 'RC', concept: Concept): Concept {
  return { ...concept, code: prefixedId(prefix, concept.code) };
}
