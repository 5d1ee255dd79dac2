/**
 * Organisation codes as codes with properties, for `$lookup`. The names and types of the properties
 * are those of the national service, which has some more and lacks some of these.
 */

import { geographyOf } from '../../../directory/ask/geography.ts';
import { allSuccessions } from '../../../directory/ask/successors.ts';
import { relationshipConcepts } from '../../../directory/edition/code-systems.ts';
import { type Edition, perEdition, requireLinks } from '../../../directory/edition/edition.ts';
import { recordAt } from '../../../directory/edition/edition-records.ts';
import { namedCode, relationshipsOf } from '../../../directory/edition/source-record.ts';
import { displaysOf } from '../../../directory/record/concepts.ts';
import { prefixedId, statusText } from '../../../directory/record/ids.ts';
import { dayOf } from '../../../directory/record/in-force.ts';
import type {
  OrganizationRecord,
  PeriodKind,
  TelecomRecord,
} from '../../../directory/record/record.ts';
import { recordClassId } from '../../../directory/record/record-facts.ts';
import type {
  CodeProperty,
  PropertyDeclaration,
  PropertyValue,
} from '../../faces/code-system-types.ts';
import { R4_SYSTEMS } from '../resources/systems.ts';

/** A code that a code system of the R4 face has. */
export interface FoundCode {
  readonly code: string;
  readonly display?: string | undefined;
  /**
   * The wanted properties that the code has. Throws a FhirError if the edition does not know one of
   * them.
   */
  properties(wanted: WantedProperties): readonly CodeProperty[];
}

/** Names of properties. `*` stands for all of them. */
export type WantedProperties = ReadonlySet<string>;

export function isWanted(wanted: WantedProperties, property: string): boolean {
  return wanted.has('*') || wanted.has(property);
}

/** Undefined if the edition has no record of the code. */
export function findOrganizationCode(code: string, edition: Edition): FoundCode | undefined {
  const row = edition.links.rowOf(code);
  if (row === undefined) return undefined;
  const record = recordAt(edition, row);
  const isReferenceOnly = row >= edition.rows.count;
  return {
    code,
    display: record.name,
    properties: (wanted) => [
      ...RECORD_PROPERTIES.filter(([property]) => isWanted(wanted, property)).flatMap(
        ([property, type, , valuesOf]) =>
          [valuesOf(record, isReferenceOnly, edition) ?? []]
            .flat()
            .map((value) => ({ code: property, value: { [VALUES[type]]: value } })),
      ),
      ...linkProperties(row, edition, wanted),
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

type RecordProperty = readonly [
  code: string,
  type: PropertyDeclaration['type'],
  description: string,
  valuesOf: (
    record: OrganizationRecord,
    isReferenceOnly: boolean,
    edition: Edition,
  ) => PropertyValue | PropertyValue[] | undefined,
];

const RECORD_PROPERTIES: readonly RecordProperty[] = [
  ['name', 'string', 'The name of the organisation.', ({ name }) => name],
  ['status', 'code', 'active or inactive.', ({ isActive }) => statusText(isActive).toLowerCase()],
  ['inactive', 'boolean', 'Whether the organisation is not active.', ({ isActive }) => !isActive],
  ['lastChangeDate', 'dateTime', 'When the record changed last.', ({ lastUpdated }) => lastUpdated],
  ['refOnly', 'boolean', 'Whether the record is reference-only.', (_, isReference) => isReference],
  ['orgRecordClass', 'code', 'The record class, such as RC1.', recordClassId],
  ['assigningAuth', 'string', 'The authority that assigned the code.', (each) => each.authority],
  ['primaryRole', 'code', 'The primary role, such as RO197.', primaryRoles],
  ['role', 'Coding', 'Each active role, such as RO197.', activeRoles],
  [
    'opStartDate',
    'dateTime',
    'The start of the operational period.',
    dates('Operational', 'start'),
  ],
  ['opEndDate', 'dateTime', 'The end of the operational period.', dates('Operational', 'end')],
  ['legStartDate', 'dateTime', 'The start of the legal period.', dates('Legal', 'start')],
  ['legEndDate', 'dateTime', 'The end of the legal period.', dates('Legal', 'end')],
  ['address1', 'string', 'Line 1 of the address.', ({ address }) => address?.lines[0]],
  ['address2', 'string', 'Line 2 of the address.', ({ address }) => address?.lines[1]],
  ['address3', 'string', 'Line 3 of the address.', ({ address }) => address?.lines[2]],
  ['town', 'string', 'The town or city.', ({ address }) => address?.city],
  ['county', 'string', 'The county.', ({ address }) => address?.district],
  ['postcode', 'string', 'The postcode.', ({ address }) => address?.postalCode],
  ['country', 'string', 'The country.', ({ address }) => address?.country],
  [
    'uprn',
    'string',
    'The Unique Property Reference Number of the address.',
    ({ address }) => address?.uprn,
  ],
  ['telephone', 'string', 'Each telephone number.', telecoms('phone')],
  ['fax', 'string', 'Each fax number.', telecoms('fax')],
  ['email', 'string', 'Each email address.', telecoms('email')],
  ['website', 'string', 'Each website.', telecoms('url')],
];

function primaryRoles({ roles }: OrganizationRecord) {
  return roles.filter(({ isPrimary }) => isPrimary).map(({ code }) => prefixedId('RO', code));
}

function activeRoles({ roles }: OrganizationRecord, _: boolean, edition: Edition) {
  const active = new Set(roles.filter(({ isActive }) => isActive).map(({ code }) => code));
  return Array.from(active, (code) => {
    const display = roleDisplays(edition).get(code);
    return {
      system: R4_SYSTEMS.role,
      code: prefixedId('RO', code),
      ...(display !== undefined && { display }),
    };
  });
}

const roleDisplays = perEdition(({ codeSystems }) => displaysOf(codeSystems.roles));

function dates(kind: PeriodKind, end: 'start' | 'end') {
  return ({ periods }: OrganizationRecord) =>
    periods.flatMap((period) => (period.kind === kind ? (period[end] ?? []) : []));
}

function telecoms(system: TelecomRecord['system']) {
  return (record: OrganizationRecord) =>
    record.telecoms.filter((telecom) => telecom.system === system).map(({ value }) => value);
}

/** Found by the links to other organisations; board and region as they are today. */
const LINK_PROPERTIES = {
  Predecessor: organizationCode('predecessor', 'Each organisation that this one succeeded.'),
  Successor: organizationCode('successor', 'Each organisation that succeeded this one.'),
  board: organizationCode('ICB', 'The integrated care board of the organisation.'),
  region: organizationCode('NHSER', 'The region of NHS England of the organisation.'),
};

function organizationCode(code: string, description: string): PropertyDeclaration {
  return { code, description, type: 'code' };
}

/** The code of a type of relationship. */
const RELATIONSHIP = /^RE\d+$/;

/** The active relationships, the successions and the geography, with the names of the others. */
function linkProperties(
  row: number,
  edition: Edition,
  wanted: WantedProperties,
): readonly CodeProperty[] {
  if (![...wanted].some(isLinkProperty)) return [];
  requireLinks(edition);
  const relationships = relationshipsOf(edition, row);
  const day = dayOf(new Date());
  const { board, region } = geographyOf(edition, row, recordAt(edition, row), day);
  return [
    ...relationships
      .filter(({ isActive }) => isActive)
      .map(({ type, target }) => ({ code: prefixedId('RE', type), target: target.code })),
    ...allSuccessions(edition, row).map(({ kind, code }) => ({
      code: LINK_PROPERTIES[kind].code,
      target: code,
    })),
    ...(board === undefined ? [] : [{ code: LINK_PROPERTIES.board.code, target: board }]),
    ...(region === undefined ? [] : [{ code: LINK_PROPERTIES.region.code, target: region }]),
  ]
    .filter(({ code }) => isWanted(wanted, code))
    .map(({ code, target }) => {
      const { name } = namedCode(edition, target);
      return {
        code,
        value: { valueCode: target },
        ...(name !== undefined && { description: name }),
      };
    });
}

function isLinkProperty(property: string): boolean {
  return property === '*' || RELATIONSHIP.test(property) || FOUND_BY_RELATIONS.has(property);
}

const FOUND_BY_RELATIONS = new Set(Object.values(LINK_PROPERTIES).map(({ code }) => code));

/** The national service has these too. Release files do not have their values. */
const UNKNOWN_PROPERTIES: ReadonlySet<string> = new Set(['LA', 'LSOA11']);

/** The properties that do not depend on the edition. */
export const ORGANIZATION_PROPERTIES: readonly PropertyDeclaration[] = [
  ...RECORD_PROPERTIES.map(([code, type, description]) => ({ code, description, type })),
  ...Object.values(LINK_PROPERTIES),
];

/** Each type of relationship is a property too, whose values are the targets. */
export function organizationPropertiesOf(edition: Edition): readonly PropertyDeclaration[] {
  const types = relationshipConcepts(edition).map(({ code, display }) =>
    organizationCode(
      prefixedId('RE', code),
      `Each organisation to which this one has the active relationship ${display ?? code}.`,
    ),
  );
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
