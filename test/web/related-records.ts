/** Records with relationships: a board, its parts, practices, a trust with sites, closed bodies. */
import type {
  CodeSystems,
  RelationshipRecord,
  SourceRecord,
  SuccessionRecord,
} from '../../src/directory/record/record.ts';
import { CODE_SYSTEMS, organization, role } from '../directory/records.ts';

export const RELATED_CODE_SYSTEMS: CodeSystems = {
  ...CODE_SYSTEMS,
  roles: [
    ...CODE_SYSTEMS.roles,
    { code: '98', display: 'CLINICAL COMMISSIONING GROUP' },
    { code: '209', display: 'NHS ENGLAND (REGION)' },
    { code: '272', display: 'PRIMARY CARE NETWORK' },
    { code: '318', display: 'INTEGRATED CARE BOARD' },
    { code: '319', display: 'SUB ICB LOCATION' },
  ],
  relationships: [
    { code: '2', display: 'IS A SUB-DIVISION OF' },
    { code: '4', display: 'IS COMMISSIONED BY' },
    { code: '5', display: 'IS LOCATED IN THE GEOGRAPHY OF' },
    { code: '6', display: 'IS OPERATED BY' },
    { code: '8', display: 'IS PARTNER TO' },
  ],
};

export function relationship(
  type: string,
  code: string,
  primaryRole: string,
  more: Partial<RelationshipRecord> = {},
): RelationshipRecord {
  return {
    type,
    isActive: true,
    periods: [{ kind: 'Operational', start: '2020-04-01' }],
    target: { code, primaryRole },
    ...more,
  };
}

function succession(
  kind: SuccessionRecord['kind'],
  code: string,
  start = '2013-04-01',
): SuccessionRecord {
  return { kind, periods: [{ kind: 'Legal', start }], target: { code } };
}

const PAST = {
  isActive: false,
  periods: [{ kind: 'Operational', start: '2013-04-01', end: '2020-03-31' }],
} as const;

const primary = (code: string) => [role(code, { isPrimary: true })];

/** More than a page of results. */
export const PRACTICES = 30;

const practices = Array.from({ length: PRACTICES }, (_, i) =>
  organization(`A81${String(i).padStart(3, '0')}`, {
    name: `PRACTICE ${i}`,
    isActive: i !== 29,
    roles: [role('177', { isPrimary: true }), role('76')],
    address: {
      lines: ['THE HEALTH CENTRE', 'LAWSON STREET'],
      city: 'LEEDS',
      district: 'WEST YORKSHIRE',
      postalCode: 'LS1 1AA',
    },
    telecoms: [{ system: 'phone', value: '0113 000000' }],
  }),
).map((record) => ({
  ...record,
  relationships: [
    relationship('4', 'OLD1', '98', PAST),
    relationship('8', 'U10001', '272'),
    relationship('4', '15F', '319'),
  ],
}));

const sites = Array.from({ length: 5 }, (_, i) => ({
  ...organization(`RR80${i + 1}`, { name: `SITE ${i}`, recordClass: '2', roles: primary('198') }),
  relationships: [relationship('6', 'RR8', '197')],
}));

const manyTargets = Array.from({ length: 60 }, (_, i) =>
  relationship(
    ['2', '4', '5', '6', '8'][i % 5] ?? '4',
    `A81${String(i % PRACTICES).padStart(3, '0')}`,
    '177',
    i % 2 === 0 ? {} : PAST,
  ),
);

/** In the order of their codes. */
export const RELATED_RECORDS: readonly SourceRecord[] = [
  {
    ...organization('15F', { name: 'NHS WEST YORKSHIRE ICB - 15F', roles: primary('319') }),
    relationships: [relationship('5', 'QWO', '318')],
    successions: [
      succession('Predecessor', 'OLD1', '2020-04-01'),
      succession('Predecessor', 'GONE1'),
    ],
  },
  ...practices,
  {
    ...organization('MANY1', { name: 'THE MANY RELATIONSHIPS', roles: primary('157') }),
    relationships: manyTargets,
  },
  organization('NONE1', { name: 'ALONE', roles: primary('157') }),
  {
    ...organization('OLD1', {
      name: 'NHS LEEDS CCG',
      isActive: false,
      roles: primary('98'),
      periods: [{ kind: 'Operational', start: '2013-04-01', end: '2020-03-31' }],
    }),
    successions: [succession('Successor', '15F', '2020-04-01'), succession('Predecessor', 'OLD0')],
  },
  {
    ...organization('QWO', {
      name: 'NHS WEST YORKSHIRE, LEEDS INTEGRATED CARE BOARD',
      roles: primary('318'),
    }),
    relationships: [relationship('5', 'Y63', '209')],
  },
  { ...organization('REF1', { name: 'ONLY A REFERENCE' }), isReferenceOnly: true },
  {
    ...organization('RR8', { name: 'LEEDS TEACHING HOSPITALS NHS TRUST', roles: primary('197') }),
    relationships: [relationship('5', 'QWO', '318'), relationship('5', 'REF1', '210')],
  },
  ...sites,
  organization('U10001', { name: 'LEEDS PCN', roles: primary('272') }),
  organization('Y63', { name: 'NORTH EAST AND YORKSHIRE', roles: primary('209') }),
].sort((a, b) => (a.code < b.code ? -1 : 1));
