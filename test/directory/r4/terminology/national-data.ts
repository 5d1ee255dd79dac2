/**
 * The organisations of the examples in the description of the national R4 service, with what its
 * examples say of them.
 */
import type {
  CodeSystems,
  RelationshipRecord,
  SourceRecord,
} from '../../../../src/directory/record/record.ts';
import { organization, role } from '../../records.ts';

export const NATIONAL_CODE_SYSTEMS: CodeSystems = {
  roles: [
    { code: '76', display: 'GP PRACTICE' },
    { code: '104', display: 'SOCIAL CARE PROVIDER' },
    { code: '172', display: 'INDEPENDENT SECTOR HEALTHCARE PROVIDER' },
    { code: '177', display: 'PRESCRIBING COST CENTRE' },
    { code: '197', display: 'NHS TRUST' },
    { code: '272', display: 'PRIMARY CARE NETWORK' },
    { code: '319', display: 'SUB ICB LOCATION' },
  ],
  relationships: [
    { code: '4', display: 'IS COMMISSIONED BY' },
    { code: '6', display: 'IS OPERATED BY' },
    { code: '8', display: 'IS PARTNER TO' },
  ],
  recordClasses: [
    { code: '1', display: 'HSCOrg' },
    { code: '2', display: 'HSCSite' },
  ],
};

const since = (start: string) =>
  [
    { kind: 'Operational', start },
    { kind: 'Legal', start },
  ] as const;

const primary = (code: string) => [role(code, { isPrimary: true })];

function related(type: string, code: string, uniqueId: number): RelationshipRecord {
  return { type, uniqueId, isActive: true, periods: since('2019-10-01'), target: { code } };
}

/** In the order of their codes. */
export const NATIONAL_RECORDS: readonly SourceRecord[] = [
  organization('97R', { name: 'NHS SUSSEX ICB - 97R', roles: primary('319') }),
  organization('AT32', {
    name: 'FORGET ME NOT CARING LTD',
    lastUpdated: '2024-02-06',
    roles: primary('104'),
    address: { lines: [], country: 'ENGLAND' },
  }),
  organization('AT9', {
    name: 'SOUTH EAST LAMBETH HEALTH PARTNERSHIP',
    lastUpdated: '2024-02-08',
    isActive: false,
    roles: primary('172'),
    address: { lines: [], country: 'ENGLAND' },
  }),
  {
    ...organization('G81086', {
      name: 'BIRD-IN-EYE SURGERY',
      lastUpdated: '2023-08-22',
      authority: 'NHS BUSINESS SERVICES AUTHORITY',
      periods: since('1974-04-01'),
      roles: [
        role('177', { isPrimary: true, uniqueId: 7001, periods: since('1974-04-01') }),
        role('76', { uniqueId: 7002, periods: since('1974-04-01') }),
      ],
      telecoms: [{ system: 'phone', value: '01825 763196' }],
      address: {
        lines: ['UCKFIELD COMMUNITY HOSPITAL', 'FRAMFIELD ROAD'],
        city: 'UCKFIELD',
        postalCode: 'TN22 5AW',
        country: 'ENGLAND',
        uprn: '10091054340',
      },
    }),
    relationships: [
      related('4', '97R', 617401),
      related('6', '97R', 617402),
      related('8', 'U36842', 617400),
    ],
  },
  organization('RH8', { name: 'ROYAL DEVON UNIVERSITY TRUST', roles: primary('197') }),
  organization('RR8', {
    name: 'LEEDS TEACHING HOSPITALS NHS TRUST',
    roles: primary('197'),
    address: { lines: [], city: 'LEEDS', postalCode: 'LS1 4DZ', country: 'ENGLAND' },
  }),
  organization('U36842', { name: 'THE UCKFIELD PCN', roles: primary('272') }),
];

/** The areas of the postcode of G81086, and the codes of the Organisation Data Service for some. */
export const NATIONAL_POSTCODE = {
  postcode: 'TN22 5AW',
  areas: {
    cancerAlliance: 'E56000012',
    ward: 'E05011661',
    region: 'E12000008',
    icb: 'E54000064',
    localAuthority: 'E07000065',
    lsoa11: 'E01021221',
    nhsRegion: 'E40000005',
    constituency: 'E14001023',
    subIcb: 'E38000021',
  },
} as const;

export const NATIONAL_AREAS = {
  E12000008: { odsCode: 'J' },
  E54000064: { odsCode: 'QNX' },
  E07000065: { odsCode: '815' },
  E40000005: { odsCode: 'Y59' },
  E38000021: { odsCode: '97R' },
} as const;

type Printed = readonly [property: string, type: string, value: string | boolean];

const ODS = 'https://digital.nhs.uk/services/organisation-data-service/CodeSystem';

/** The answer to `$lookup` of G81086 with all properties; a Coding is `system|code`. */
export const NATIONAL_PROPERTIES: readonly Printed[] = [
  ['status', 'valueCode', 'active'],
  ['RE4', 'valueCode', '97R'],
  ['RE6', 'valueCode', '97R'],
  ['RE8', 'valueCode', 'U36842'],
  ['inactive', 'valueBoolean', false],
  ['country', 'valueString', 'ENGLAND'],
  ['opStartDate', 'valueDateTime', '1974-04-01'],
  ['SMHPC CT4', 'valueCoding', `${ODS}/geography-name|B0N9F`],
  ['LSOA11', 'valueCoding', `${ODS}/geography-name|E01021221`],
  ['uprn', 'valueString', '10091054340'],
  ['town', 'valueString', 'UCKFIELD'],
  ['postcode', 'valueString', 'TN22 5AW'],
  ['telephone', 'valueString', '01825 763196'],
  ['NHSER', 'valueCoding', `${ODS}/geography-name|Y59`],
  ['EW', 'valueCoding', `${ODS}/geography-name|E05011661`],
  ['SMHPC AS', 'valueCoding', `${ODS}/geography-name|H3F5A`],
  ['name', 'valueString', 'BIRD-IN-EYE SURGERY'],
  ['PCO', 'valueCoding', `${ODS}/geography-name|97R`],
  ['role', 'valueCoding', `${ODS}/ODSOrganisationRole|RO177`],
  ['role', 'valueCoding', `${ODS}/ODSOrganisationRole|RO76`],
  ['SMHPC AED', 'valueCoding', `${ODS}/geography-name|R7G8O`],
  ['primaryRole', 'valueCoding', `${ODS}/ODSOrganisationRole|RO177`],
  ['assigningAuth', 'valueString', 'NHS BUSINESS SERVICES AUTHORITY'],
  ['CA', 'valueCoding', `${ODS}/geography-name|E56000012`],
  ['address2', 'valueString', 'FRAMFIELD ROAD'],
  ['address1', 'valueString', 'UCKFIELD COMMUNITY HOSPITAL'],
  ['lastChangeDate', 'valueDateTime', '2023-08-22'],
  ['ICB', 'valueCoding', `${ODS}/geography-name|QNX`],
  ['GOR', 'valueCoding', `${ODS}/geography-name|J`],
  ['PC', 'valueCoding', `${ODS}/geography-name|E14001023`],
  ['LA', 'valueCoding', `${ODS}/geography-name|815`],
  ['legStartDate', 'valueDateTime', '1974-04-01'],
  ['orgRecordClass', 'valueCoding', `${ODS}/ODSRecordClass|RC1`],
  ['refOnly', 'valueBoolean', false],
];

/** The body of the only example of `$expand`; `count` is a text there. */
export function nationalExpansion(count: number | string): object {
  return {
    resourceType: 'Parameters',
    parameter: [
      {
        name: 'valueSet',
        resource: {
          resourceType: 'ValueSet',
          compose: {
            inactive: true,
            include: [
              {
                system: 'https://fhir.nhs.uk/Id/ods-organization-code',
                filter: [{ property: 'lastChangeDate', op: '=', value: 'gt2024-02-01' }],
              },
            ],
          },
        },
      },
      { name: 'activeOnly', valueBoolean: false },
      { name: 'property', valueString: 'primaryRole' },
      { name: 'property', valueString: 'country' },
      { name: 'count', valueInteger: count },
    ],
  };
}

/** A parameter of an answer, or a part of one. */
export interface Part {
  readonly name: string;
  readonly part?: readonly Part[];
  readonly [value: `value${string}`]: unknown;
}

/** A Coding without its display, which only we have, as `system|code`. */
export function printed(part: Part): unknown {
  const [, value] = Object.entries(part).find(([key]) => key.startsWith('value')) ?? [];
  if (typeof value !== 'object' || value === null) return value;
  const { system, code } = value as Record<string, string>;
  return `${system}|${code}`;
}
