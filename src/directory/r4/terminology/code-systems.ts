/** The code systems of the R4 face: their URLs, their codes, and the properties of the codes. */
import {
  type PropertyDeclaration,
  type PublishedCodeSystem,
  type PublishedConcept,
  primaryRoleCodes,
  recordClassConcepts,
  relationshipConcepts,
  roleConcepts,
} from '../../edition/code-systems.ts';
import type { Edition } from '../../edition/edition.ts';
import { perEdition } from '../../edition/per-edition.ts';
import { requireRelations } from '../../edition/require-relations.ts';
import type { Concept } from '../../record/record.ts';
import { prefixedId } from '../../release/ids.ts';
import type { DirectorySettings } from '../../settings.ts';
import { R4_SYSTEMS } from '../systems.ts';
import { type FoundCode, isWanted } from './found-code.ts';
import {
  findOrganizationCode,
  isOrganizationProperty,
  organizationPropertiesOf,
} from './organization-properties.ts';

/** A code system that has operations. */
export interface R4CodeSystem extends PublishedCodeSystem {
  /** All codes. Throws a FhirError if the edition does not know them. */
  codes(edition: Edition): readonly PublishedConcept[];
  /** Undefined if the code system does not have the code. */
  find(code: string, edition: Edition): FoundCode | undefined;
  /** The properties that `$lookup` returns if the client names none. */
  readonly usualProperties: readonly string[];
  /** Whether codes can have the property. */
  hasProperty(property: string): boolean;
}

export function r4CodeSystems({
  organizationCodeSystem,
}: DirectorySettings): readonly R4CodeSystem[] {
  return [
    organizationCodes(organizationCodeSystem),
    listedCodes({
      url: R4_SYSTEMS.role,
      title: 'Organisation role',
      usualProperties: ['primaryRole'],
      properties: [
        {
          code: 'primaryRole',
          description: 'Whether it can be the primary role of an organisation.',
          type: 'boolean',
        },
      ],
      conceptsOf: (edition) => {
        const primary = primaryRoleCodes(edition);
        return roleConcepts(edition).map((concept) => ({
          ...prefixed('RO', concept),
          properties: [{ code: 'primaryRole', value: { valueBoolean: primary.has(concept.code) } }],
        }));
      },
    }),
    relationshipCodes(),
    listedCodes({
      url: R4_SYSTEMS.recordClass,
      title: 'Organisation record class',
      conceptsOf: (edition) =>
        recordClassConcepts(edition).map((concept) => prefixed('RC', concept)),
    }),
    listedCodes({
      url: R4_SYSTEMS.recordUse,
      name: 'EnglandODSRecordUseType',
      title: 'Record use type',
      conceptsOf: () => RECORD_USE_TYPES,
    }),
  ];
}

const RECORD_USE_TYPES = ['Full', 'RefOnly'].map((code) => ({ code, display: code }));

/** An edition without relationships does not know their types either. */
function relationshipCodes(): R4CodeSystem {
  const system = listedCodes({
    url: R4_SYSTEMS.relationship,
    title: 'Organisation relationship',
    conceptsOf: (edition) =>
      relationshipConcepts(edition).map((concept) => prefixed('RE', concept)),
  });
  return {
    ...system,
    conceptsOf: (edition) => (edition.hasRelations ? system.codes(edition) : undefined),
    codes: (edition) => {
      requireRelations(edition);
      return system.codes(edition);
    },
    find: (code, edition) => {
      requireRelations(edition);
      return system.find(code, edition);
    },
  };
}

/** Too many codes for a list. */
function organizationCodes(url: string): R4CodeSystem {
  return {
    id: 'ods-organization-code',
    name: 'ODSOrganizationCode',
    url,
    title: 'Organisation',
    propertiesOf: organizationPropertiesOf,
    usualProperties: ['status', 'inactive'],
    conceptsOf: () => undefined,
    codes: () => [],
    find: findOrganizationCode,
    hasProperty: isOrganizationProperty,
  };
}

interface ListedCodes extends Pick<PublishedCodeSystem, 'url' | 'name' | 'title'> {
  readonly properties?: readonly PropertyDeclaration[];
  readonly usualProperties?: readonly string[];
  conceptsOf(edition: Edition): readonly PublishedConcept[];
}

function listedCodes({ conceptsOf: make, properties, ...system }: ListedCodes): R4CodeSystem {
  const conceptsOf = perEdition(make);
  const byCode = perEdition(
    (edition) => new Map(conceptsOf(edition).map((concept) => [concept.code, concept])),
  );
  return {
    id: system.url.slice(system.url.lastIndexOf('/') + 1),
    valueSetUrl: system.url.replace('/CodeSystem/', '/ValueSet/'),
    usualProperties: [],
    ...system,
    conceptsOf,
    codes: conceptsOf,
    ...(properties && { propertiesOf: () => properties }),
    hasProperty: (property) => properties?.some(({ code }) => code === property) === true,
    find: (code, edition) => {
      const concept = byCode(edition).get(code);
      if (concept === undefined) return undefined;
      const { code: own, display, properties: values = [] } = concept;
      return {
        code: own,
        display,
        properties: (wanted) => values.filter((each) => isWanted(wanted, each.code)),
      };
    },
  };
}

function prefixed(prefix: 'RO' | 'RE' | 'RC', concept: Concept): Concept {
  return { ...concept, code: prefixedId(prefix, concept.code) };
}
