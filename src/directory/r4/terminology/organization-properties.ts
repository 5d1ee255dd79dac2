/**
 * Organisation codes as codes with properties, for `$lookup`. The names and types of the properties
 * are those of the national service, which has some more and lacks some of these.
 */

import { displaysOf, present } from '../../answer/resource-parts.ts';
import {
  type PropertyDeclaration,
  type PropertyValue,
  relationshipConcepts,
} from '../../edition/code-systems.ts';
import type { Edition } from '../../edition/edition.ts';
import { perEdition } from '../../edition/per-edition.ts';
import type {
  AddressRecord,
  OrganizationRecord,
  PeriodKind,
  TelecomRecord,
} from '../../record/record.ts';
import { recordAt } from '../../record/record-at.ts';
import { prefixedId, statusText } from '../../release/ids.ts';
import { R4_SYSTEMS } from '../systems.ts';
import { type FoundCode, isWanted } from './found-code.ts';
import { RELATION_PROPERTIES, RELATIONSHIP, relationProperties } from './relation-properties.ts';

/** Undefined if the edition has no record of the code. */
export function findOrganizationCode(code: string, edition: Edition): FoundCode | undefined {
  const row = edition.relations.rowOf(code);
  if (row === undefined) return undefined;
  const record = recordAt(edition, row);
  const isReferenceOnly = row >= edition.rows.count;
  return {
    code,
    display: record.name,
    properties: (wanted) => [
      ...RECORD_PROPERTIES.filter((property) => isWanted(wanted, property.code)).flatMap(
        (property) =>
          property
            .valuesOf(record, isReferenceOnly, edition)
            .map((value) => ({ code: property.code, value: { [VALUES[property.type]]: value } })),
      ),
      ...relationProperties(row, edition, wanted),
    ],
  };
}

const VALUES = {
  boolean: 'valueBoolean',
  code: 'valueCode',
  Coding: 'valueCoding',
  dateTime: 'valueDateTime',
  string: 'valueString',
} as const;

interface RecordProperty extends PropertyDeclaration {
  valuesOf(
    record: OrganizationRecord,
    isReferenceOnly: boolean,
    edition: Edition,
  ): readonly PropertyValue[];
}

const RECORD_PROPERTIES: readonly RecordProperty[] = [
  {
    code: 'name',
    type: 'string',
    description: 'The name of the organisation.',
    valuesOf: ({ name }) => (name === undefined ? [] : [name]),
  },
  {
    code: 'status',
    type: 'code',
    description: 'active or inactive.',
    valuesOf: ({ isActive }) => [statusText(isActive).toLowerCase()],
  },
  {
    code: 'inactive',
    type: 'boolean',
    description: 'Whether the organisation is not active.',
    valuesOf: ({ isActive }) => [!isActive],
  },
  {
    code: 'lastChangeDate',
    type: 'dateTime',
    description: 'When the record changed last.',
    valuesOf: ({ lastUpdated }) => [lastUpdated],
  },
  {
    code: 'refOnly',
    type: 'boolean',
    description: 'Whether the record is reference-only.',
    valuesOf: (_record, isReferenceOnly) => [isReferenceOnly],
  },
  {
    code: 'orgRecordClass',
    type: 'code',
    description: 'The record class, such as RC1.',
    valuesOf: ({ recordClass }) =>
      recordClass === undefined ? [] : [prefixedId('RC', recordClass)],
  },
  {
    code: 'assigningAuth',
    type: 'string',
    description: 'The authority that assigned the code.',
    valuesOf: ({ authority }) => (authority === undefined ? [] : [authority]),
  },
  {
    code: 'primaryRole',
    type: 'code',
    description: 'The primary role, such as RO197.',
    valuesOf: ({ roles }) =>
      roles.filter(({ isPrimary }) => isPrimary).map(({ code }) => prefixedId('RO', code)),
  },
  {
    code: 'role',
    type: 'Coding',
    description: 'Each active role, such as RO197.',
    valuesOf: ({ roles }, _isReferenceOnly, edition) => {
      const active = new Set(roles.filter(({ isActive }) => isActive).map(({ code }) => code));
      return Array.from(active, (code) => ({
        system: R4_SYSTEMS.role,
        code: prefixedId('RO', code),
        ...present('display', roleDisplays(edition).get(code)),
      }));
    },
  },
  periodProperty('opStartDate', 'Operational', 'start'),
  periodProperty('opEndDate', 'Operational', 'end'),
  periodProperty('legStartDate', 'Legal', 'start'),
  periodProperty('legEndDate', 'Legal', 'end'),
  ...[1, 2, 3].map((number) =>
    addressProperty(
      `address${number}`,
      `Line ${number} of the address.`,
      ({ lines }) => lines[number - 1],
    ),
  ),
  addressProperty('town', 'The town or city.', ({ city }) => city),
  addressProperty('county', 'The county.', ({ district }) => district),
  addressProperty('postcode', 'The postcode.', ({ postalCode }) => postalCode),
  addressProperty('country', 'The country.', ({ country }) => country),
  addressProperty(
    'uprn',
    'The Unique Property Reference Number of the address.',
    ({ uprn }) => uprn,
  ),
  telecomProperty('telephone', 'phone', 'Each telephone number.'),
  telecomProperty('fax', 'fax', 'Each fax number.'),
  telecomProperty('email', 'email', 'Each email address.'),
  telecomProperty('website', 'url', 'Each website.'),
];

function periodProperty(code: string, kind: PeriodKind, end: 'start' | 'end'): RecordProperty {
  return {
    code,
    type: 'dateTime',
    description: `The ${end} of the ${kind.toLowerCase()} period.`,
    valuesOf: ({ periods }) =>
      periods.flatMap((period) => (period.kind === kind ? (period[end] ?? []) : [])),
  };
}

function addressProperty(
  code: string,
  description: string,
  textOf: (address: AddressRecord) => string | undefined,
): RecordProperty {
  const valuesOf = ({ address }: OrganizationRecord) => {
    const text = address && textOf(address);
    return text === undefined ? [] : [text];
  };
  return { code, type: 'string', description, valuesOf };
}

function telecomProperty(
  code: string,
  system: TelecomRecord['system'],
  description: string,
): RecordProperty {
  return {
    code,
    type: 'string',
    description,
    valuesOf: ({ telecoms }) =>
      telecoms.filter((telecom) => telecom.system === system).map(({ value }) => value),
  };
}

const roleDisplays = perEdition(({ codeSystems }) => displaysOf(codeSystems.roles));

/** The national service has these too. Release files do not have their values. */
const UNKNOWN_PROPERTIES: ReadonlySet<string> = new Set(['LA', 'LSOA11']);

/** The properties that do not depend on the edition. */
export const ORGANIZATION_PROPERTIES: readonly PropertyDeclaration[] = [
  ...RECORD_PROPERTIES.map(({ code, description, type }) => ({ code, description, type })),
  ...RELATION_PROPERTIES,
];

/** Each type of relationship is a property too, whose values are the targets. */
export function organizationPropertiesOf(edition: Edition): readonly PropertyDeclaration[] {
  const types = relationshipConcepts(edition).map(({ code, display }) => ({
    code: prefixedId('RE', code),
    description: `Each organisation to which this one has the active relationship ${display ?? code}.`,
    type: 'code' as const,
  }));
  return [...ORGANIZATION_PROPERTIES, ...types];
}

/** Records can have relationships of types that the code system lacks. */
export function isOrganizationProperty(property: string): boolean {
  return (
    RELATIONSHIP.test(property) ||
    UNKNOWN_PROPERTIES.has(property) ||
    ORGANIZATION_PROPERTIES.some(({ code }) => code === property)
  );
}
