/** The code systems of roles, relationships and successions, each with its number as the code. */

import type { Edition } from '../../../../directory/edition/edition.ts';
import { perEdition } from '../../../../directory/edition/edition.ts';
import { recordAt } from '../../../../directory/edition/edition-records.ts';
import type { Relationship, Succession } from '../../../../directory/links/edition-links.ts';
import type { RoleRecord } from '../../../../directory/record/record.ts';
import { firstPeriod, primaryRoleOf } from '../../../../directory/record/record-facts.ts';
import { R4_SYSTEMS } from '../../resources/systems.ts';
import { codeSystem } from './code-system.ts';
import type { CodeItem, PropertyRow } from './code-system-row.ts';
import { codesInArrays } from './codes-in-arrays.ts';
import {
  dateProperties,
  nameOfOrganization,
  relationshipCoding,
  roleCoding,
  statusCode,
} from './properties.ts';

/** A number as codes have it, without zeros before it. */
function numberOf(code: string): number | undefined {
  const number = Number(code);
  return Number.isSafeInteger(number) && number > 0 && String(number) === code ? number : undefined;
}

/** The code of an organisation. */
function organizationCode<Item>(
  code: string,
  description: string,
  textOf: (item: Item) => string,
): PropertyRow<Item> {
  return { code, type: 'code', description, valuesOf: textOf, describe: nameOfOrganization };
}

function status<Item extends CodeItem>(what: string): PropertyRow<Item> {
  return {
    code: 'status',
    type: 'code',
    description: `active or inactive: whether the ${what} is in use.`,
    valuesOf: ({ isInactive }) => statusCode(isInactive !== true),
  };
}

interface RoleItem extends CodeItem {
  readonly organization: string;
  readonly role: RoleRecord;
}

export const ROLE_INSTANCE_CODES = codeSystem<RoleItem>({
  id: 'organization-role-instance',
  name: 'OrganizationRoleInstance',
  url: R4_SYSTEMS.roleInstance,
  title: 'Role of an organisation',
  usualProperties: ['orgCode', 'role', 'status'],
  filters: [],
  properties: [
    organizationCode('orgCode', 'The organisation.', ({ organization }) => organization),
    {
      code: 'role',
      type: 'Coding',
      description: 'The role, such as RO197.',
      valuesOf: ({ role }, { edition }) => roleCoding(edition, role.code),
    },
    {
      code: 'primaryRole',
      type: 'boolean',
      description: 'Whether it is the primary role of the organisation.',
      valuesOf: ({ role }) => role.isPrimary,
    },
    status('role'),
    ...dateProperties<RoleItem>('role', ({ role }) => role.periods),
  ],
  open: (edition) => {
    const { roleNumbers } = edition;
    const at = (place: number): RoleItem => {
      const id = roleNumbers.idAt(place);
      const { code, roles } = recordAt(edition, roleNumbers.rowAt(place));
      const role = roles.find(({ uniqueId }) => uniqueId === id)!;
      return { code: String(id), isInactive: !role.isActive, organization: code, role };
    };
    return codesInArrays({
      count: roleNumbers.count,
      find: (code) => {
        const number = numberOf(code);
        const place = number === undefined ? undefined : roleNumbers.placeOf(number);
        return place === undefined ? undefined : at(place);
      },
      at,
      isActiveAt: roleNumbers.isActiveAt,
    });
  },
});

interface RelationshipItem extends CodeItem {
  readonly relationship: Relationship;
  readonly source: string;
}

/** The primary role of an organisation, as its record states it. */
function primaryRoleIn(edition: Edition, row: number): string | undefined {
  return primaryRoleOf(recordAt(edition, row))?.code;
}

/**
 * As the national service: inactive if each period has ended by the day. Without an end, the status of
 * the source counts.
 */
function isPast(
  { isActive, periods }: Pick<Relationship, 'isActive' | 'periods'>,
  day: string,
): boolean {
  if (periods.every(({ end }) => end === undefined)) return !isActive;
  return periods.every(({ end }) => end !== undefined && end <= day);
}

export const RELATIONSHIP_INSTANCE_CODES = codeSystem<RelationshipItem>({
  id: 'organization-relationship-instance',
  name: 'OrganizationRelationshipInstance',
  url: R4_SYSTEMS.relationshipInstance,
  title: 'Relationship of organisations',
  needsLinks: true,
  usualProperties: ['relationshipTypeCode', 'sourceOrgCode', 'targetOrgCode', 'status'],
  filters: [],
  properties: [
    {
      code: 'relationshipTypeCode',
      type: 'Coding',
      description: 'The type of the relationship, such as RE4.',
      valuesOf: ({ relationship }, { edition }) => relationshipCoding(edition, relationship.type),
    },
    organizationCode(
      'sourceOrgCode',
      'The organisation that has the relationship.',
      ({ source }) => source,
    ),
    {
      code: 'sourceOrgRole',
      type: 'Coding',
      description: 'The primary role of that organisation.',
      valuesOf: ({ relationship }, { edition }) => {
        const role = primaryRoleIn(edition, relationship.sourceRow);
        return role === undefined ? undefined : roleCoding(edition, role);
      },
    },
    organizationCode(
      'targetOrgCode',
      'The organisation that the relationship leads to.',
      ({ relationship }) => relationship.target.code,
    ),
    {
      code: 'targetOrgRole',
      type: 'Coding',
      description: 'The primary role of that organisation.',
      valuesOf: ({ relationship: { target } }, { edition }) => {
        const own = target.row === undefined ? undefined : primaryRoleIn(edition, target.row);
        const role = target.primaryRole ?? own;
        return role === undefined ? undefined : roleCoding(edition, role);
      },
    },
    status('relationship'),
    ...dateProperties<RelationshipItem>('relationship', ({ relationship }) => relationship.periods),
  ],
  open: ({ links }) => {
    const at = (ordinal: number, day: string): RelationshipItem => {
      const relationship = links.at(ordinal);
      return {
        code: String(relationship.uniqueId),
        isInactive: isPast(relationship, day),
        relationship,
        source: links.codeOf(relationship.sourceRow),
      };
    };
    return codesInArrays({
      count: links.numbered.length,
      find: (code, day) => {
        const number = numberOf(code);
        const ordinal = number === undefined ? undefined : links.byUniqueId(number);
        return ordinal === undefined ? undefined : at(ordinal, day);
      },
      at: (place, day) => at(links.numbered[place]!, day),
      isActiveAt: (place, day) => !isPast(links.timedAt(links.numbered[place]!), day),
    });
  },
});

interface SuccessionItem extends CodeItem {
  readonly succession: Succession;
  readonly predecessor: string;
  readonly successor: string;
}

/** Both organisations can state the same succession, with the same number. */
const successionOrdinals = perEdition(({ links: { successions } }) => {
  const { numbered, byUniqueId, at } = successions;
  return numbered.filter((ordinal) => byUniqueId(at(ordinal).uniqueId ?? 0) === ordinal);
});

export const SUCCESSION_CODES = codeSystem<SuccessionItem>({
  id: 'succession',
  name: 'Succession',
  url: R4_SYSTEMS.succession,
  title: 'Succession of organisations',
  needsLinks: true,
  usualProperties: ['predecessor', 'successor'],
  filters: [],
  properties: [
    organizationCode('predecessor', 'The earlier organisation.', (item) => item.predecessor),
    organizationCode('successor', 'The organisation that succeeded it.', (item) => item.successor),
    {
      code: 'legStartDate',
      type: 'dateTime',
      description: 'The legal start of the succession.',
      valuesOf: ({ succession: { periods } }) =>
        (firstPeriod(periods, 'Legal') ?? periods[0])?.start,
    },
    {
      code: 'forwardSuccession',
      type: 'boolean',
      description: 'Whether the successor has a successor too, if the source says so.',
      valuesOf: ({ succession }) => succession.isForward,
    },
  ],
  open: (edition) => {
    const { links } = edition;
    const at = (ordinal: number): SuccessionItem => {
      const succession = links.successions.at(ordinal);
      const { kind, sourceRow, target, uniqueId } = succession;
      const source = links.codeOf(sourceRow);
      const isSuccessor = kind === 'Successor';
      return {
        code: String(uniqueId),
        succession,
        predecessor: isSuccessor ? source : target.code,
        successor: isSuccessor ? target.code : source,
      };
    };
    return codesInArrays({
      get count() {
        return successionOrdinals(edition).length;
      },
      find: (code) => {
        const number = numberOf(code);
        const ordinal = number === undefined ? undefined : links.successions.byUniqueId(number);
        return ordinal === undefined ? undefined : at(ordinal);
      },
      at: (place) => at(successionOrdinals(edition)[place]!),
    });
  },
});
