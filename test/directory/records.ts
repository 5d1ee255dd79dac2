/** Records for tests of the directory: a few organisations that differ in what tests ask about. */
import type {
  CodeSystems,
  OrganizationRecord,
  RoleRecord,
} from '../../src/directory/record/record.ts';

export const CODE_SYSTEMS: CodeSystems = {
  roles: [
    { code: '29', display: 'TREATMENT CENTRE' },
    { code: '57', display: 'FOUNDATION TRUST' },
    { code: '76', display: 'GP PRACTICE' },
    { code: '157', display: 'NON-NHS ORGANISATION' },
    { code: '177', display: 'PRESCRIBING COST CENTRE' },
    { code: '197', display: 'NHS TRUST' },
    { code: '198', display: 'NHS TRUST SITE' },
  ],
  relationships: [
    { code: '4', display: 'IS COMMISSIONED BY' },
    { code: '6', display: 'IS OPERATED BY' },
  ],
  recordClasses: [
    { code: '1', display: 'HSCOrg' },
    { code: '2', display: 'HSCSite' },
  ],
};

export function role(code: string, more: Partial<RoleRecord> = {}): RoleRecord {
  return {
    code,
    isPrimary: false,
    isActive: true,
    periods: [{ kind: 'Operational', start: '2001-04-01' }],
    ...more,
  };
}

export function organization(
  code: string,
  more: Partial<OrganizationRecord> = {},
): OrganizationRecord {
  return {
    code,
    name: `ORGANISATION ${code}`,
    isActive: true,
    lastUpdated: '2020-01-15',
    recordClass: '1',
    periods: [{ kind: 'Operational', start: '2001-04-01' }],
    roles: [role('76', { isPrimary: true })],
    telecoms: [],
    ...more,
  };
}

/** In the order of their codes. */
export const RECORDS: readonly OrganizationRecord[] = [
  organization('A81001', {
    name: 'THE DENSHAM SURGERY',
    roles: [role('177', { isPrimary: true }), role('76')],
    telecoms: [
      { system: 'phone', value: '01642 000000' },
      { system: 'url', value: 'https://example.org/?a=1&b=2' },
    ],
    address: {
      lines: ['THE HEALTH CENTRE', 'LAWSON STREET'],
      city: 'PETERBOROUGH',
      district: 'CAMBRIDGESHIRE',
      postalCode: 'PE1 1AA',
      country: 'ENGLAND',
    },
  }),
  organization('A81002', {
    name: 'Caf\u00e9 "Quotes" & <Angle> Clinic',
    isActive: false,
    lastUpdated: '2017-04-01',
    roles: [
      role('157', { isPrimary: true, isActive: false }),
      role('29', {
        isActive: false,
        periods: [
          { kind: 'Operational', start: '2001-04-01', end: '2010-03-31' },
          { kind: 'Legal', start: '2000-01-01', end: '2010-03-31' },
        ],
      }),
    ],
    periods: [
      { kind: 'Operational', start: '2001-04-01', end: '2010-03-31' },
      { kind: 'Legal', start: '2000-01-01', end: '2010-03-31' },
    ],
    address: { lines: [], city: 'ST. IVES', postalCode: 'LS6 4JN', uprn: '100012345678' },
  }),
  organization('RR8', {
    name: 'LEEDS TEACHING HOSPITALS NHS TRUST',
    lastUpdated: '2017-04-02',
    roles: [role('197', { isPrimary: true })],
    telecoms: [{ system: 'phone', value: '0113 2433144' }],
    address: {
      lines: ["ST. JAMES'S UNIVERSITY HOSPITAL", 'BECKETT STREET'],
      city: 'LEEDS',
      district: 'WEST YORKSHIRE',
      postalCode: 'LS9 7TF',
      country: 'ENGLAND',
    },
  }),
  organization('RR801', {
    name: 'LEEDS DENTAL INSTITUTE',
    recordClass: '2',
    lastUpdated: '2019-07-01T10:30:00.500+01:00',
    roles: [role('198', { isPrimary: true }), role('157')],
    address: { lines: ['CLARENDON WAY'], city: 'LEEDS', postalCode: 'LS11 5AB' },
  }),
  organization('RTG', {
    name: 'UNIVERSITY HOSPITALS OF DERBY AND BURTON NHS FOUNDATION TRUST',
    lastUpdated: '2021-12-31',
    roles: [role('197', { isPrimary: true }), role('57')],
    address: {
      lines: ['ROYAL DERBY HOSPITAL', 'UTTOXETER ROAD'],
      city: 'DERBY',
      district: 'DERBYSHIRE',
      postalCode: 'DE22 3NE',
      country: 'ENGLAND',
    },
  }),
  organization('X1', { roles: [role('999', { isPrimary: true, periods: [] })], periods: [] }),
];
