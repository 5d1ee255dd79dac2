/** Organisation codes as codes with properties, for `$lookup`. */
import {
  type CodeProperty,
  type PropertyDeclaration,
  relationshipConcepts,
} from '../code-systems.ts';
import type { Edition } from '../edition.ts';
import type { OrganizationRecord, PeriodKind, SuccessionKind, TelecomRecord } from '../record.ts';
import { recordAt } from '../record-at.ts';
import type { Relations } from '../relations.ts';
import { prefixedId, statusText } from '../release/ids.ts';
import { requireRelations } from '../require-relations.ts';
import { type FoundCode, isWanted, type WantedProperties } from './found-code.ts';

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
            .valuesOf(record, isReferenceOnly)
            .map((value) => ({ code: property.code, value: { [VALUES[property.type]]: value } })),
      ),
      ...relationProperties(row, edition, wanted),
    ],
  };
}

const VALUES = {
  boolean: 'valueBoolean',
  code: 'valueCode',
  dateTime: 'valueDateTime',
  string: 'valueString',
} as const;

interface RecordProperty extends PropertyDeclaration {
  valuesOf(record: OrganizationRecord, isReferenceOnly: boolean): readonly (string | boolean)[];
}

const RECORD_PROPERTIES: readonly RecordProperty[] = [
  {
    code: 'status',
    type: 'code',
    description: 'Active or Inactive.',
    valuesOf: ({ isActive }) => [statusText(isActive)],
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
    code: 'recordUseType',
    type: 'code',
    description: 'Full or RefOnly.',
    valuesOf: (_record, isReferenceOnly) => [isReferenceOnly ? 'RefOnly' : 'Full'],
  },
  {
    code: 'recordClass',
    type: 'code',
    description: 'The record class, such as RC1.',
    valuesOf: ({ recordClass }) =>
      recordClass === undefined ? [] : [prefixedId('RC', recordClass)],
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
    type: 'code',
    description: 'Each active role, such as RO197.',
    valuesOf: ({ roles }) => [
      ...new Set(
        roles.filter(({ isActive }) => isActive).map(({ code }) => prefixedId('RO', code)),
      ),
    ],
  },
  periodProperty('opStartDate', 'Operational', 'start'),
  periodProperty('opEndDate', 'Operational', 'end'),
  periodProperty('legalStartDate', 'Legal', 'start'),
  periodProperty('legalEndDate', 'Legal', 'end'),
  {
    code: 'addressLine',
    type: 'string',
    description: 'Each line of the address.',
    valuesOf: ({ address }) => address?.lines ?? [],
  },
  addressProperty('city', 'The town or city.'),
  addressProperty('district', 'The county.'),
  addressProperty('postalCode', 'The postcode.'),
  addressProperty('country', 'The country.'),
  addressProperty('uprn', 'The Unique Property Reference Number of the address.'),
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
  code: 'city' | 'district' | 'postalCode' | 'country' | 'uprn',
  description: string,
): RecordProperty {
  const valuesOf = ({ address }: OrganizationRecord) => {
    const text = address?.[code];
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

const SUCCESSION_PROPERTIES: Readonly<Record<SuccessionKind, PropertyDeclaration>> = {
  Predecessor: {
    code: 'predecessor',
    description: 'Each organisation that this one succeeded.',
    type: 'code',
  },
  Successor: {
    code: 'successor',
    description: 'Each organisation that succeeded this one.',
    type: 'code',
  },
};

/** The properties that do not depend on the edition. */
export const ORGANIZATION_PROPERTIES: readonly PropertyDeclaration[] = [
  ...RECORD_PROPERTIES.map(({ code, description, type }) => ({ code, description, type })),
  ...Object.values(SUCCESSION_PROPERTIES),
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
    RELATIONSHIP.test(property) || ORGANIZATION_PROPERTIES.some(({ code }) => code === property)
  );
}

const RELATIONSHIP = /^RE\d+$/;

/** The active relationships and the successions, with the names of the other organisations. */
function relationProperties(
  row: number,
  edition: Edition,
  wanted: WantedProperties,
): readonly CodeProperty[] {
  if (![...wanted].some(isRelation)) return [];
  const relations = requireRelations(edition);
  const { first, end } = relations.ofRow(row);
  const relationships = Array.from({ length: end - first }, (_, i) => relations.at(first + i))
    .filter(({ isActive }) => isActive)
    .map(({ type, target }) => ({ code: prefixedId('RE', type), target: target.code }));
  return [...relationships, ...successionsOf(row, relations)]
    .filter(({ code }) => isWanted(wanted, code))
    .map(({ code, target }) => ({
      code,
      value: { valueCode: target },
      ...nameOf(target, edition),
    }));
}

function isRelation(property: string): boolean {
  return property === '*' || RELATIONSHIP.test(property) || SUCCESSION_CODES.has(property);
}

const SUCCESSION_CODES = new Set(Object.values(SUCCESSION_PROPERTIES).map(({ code }) => code));

/** The successions that either organisation states, each once. */
function successionsOf(row: number, relations: Relations) {
  const stated = relations
    .successionsOf(row)
    .map(({ kind, target }) => ({ kind, target: target.code }));
  const others = relations
    .successionsTo(relations.codeOf(row))
    .map(({ kind, sourceRow }) => ({ kind: REVERSED[kind], target: relations.codeOf(sourceRow) }));
  const all = [...stated, ...others].map(({ kind, target }) => ({
    code: SUCCESSION_PROPERTIES[kind].code,
    target,
  }));
  return [...new Map(all.map((each) => [`${each.code} ${each.target}`, each])).values()];
}

const REVERSED = { Predecessor: 'Successor', Successor: 'Predecessor' } as const;

function nameOf(code: string, edition: Edition): { readonly description?: string } {
  const row = edition.relations.rowOf(code);
  const name = row === undefined ? undefined : recordAt(edition, row).name;
  return name === undefined ? {} : { description: name };
}
