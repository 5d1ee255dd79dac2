/** The organisations that every generated release starts with: the guide's searches and the traps. */
import type { SampleLink, SampleOrganisation, SampleRole } from './organisation.ts';

type Landmark = Omit<SampleOrganisation, 'recordClass' | 'dates' | 'roles'> &
  Partial<Pick<SampleOrganisation, 'recordClass' | 'dates' | 'roles'>>;

/** In the order of the file; a code that stands twice is meant to. */
export function releaseLandmarks(): readonly SampleOrganisation[] {
  return [...hospitals, ...names, ...places, ...roles, ...changes, ...traps].map(completed);
}

const role = (id: string, isPrimary = false): SampleRole => ({
  id: `RO${id}`,
  ...(isPrimary && { isPrimary }),
  dates: [{ type: 'Operational', start: '1998-04-01' }],
  status: 'Active',
});

/** A relationship without an end, or with one. */
const link = (id: string, code: string, targetRole: string, end?: string): SampleLink => ({
  id: `RE${id}`,
  dates: [{ type: 'Operational', start: '2013-04-01', ...(end !== undefined && { end }) }],
  status: end === undefined ? 'Active' : 'Inactive',
  target: { code, role: `RO${targetRole}` },
});

/** Fills in what a landmark leaves open: an active surgery. */
function completed(landmark: Landmark): SampleOrganisation {
  return {
    recordClass: 'RC1',
    dates: [{ type: 'Operational', start: '1998-04-01' }],
    roles: [role('177', true), role('76')],
    ...landmark,
  };
}

/** What nothing in particular depends on. */
const usual = { status: 'Active', lastChangeDate: '2021-06-14', country: 'ENGLAND' } as const;

const hospitals: readonly Landmark[] = [
  {
    ...usual,
    code: 'RTG',
    name: 'UNIVERSITY HOSPITALS OF DERBY AND BURTON NHS FOUNDATION TRUST',
    lines: ['ROYAL DERBY HOSPITAL', 'UTTOXETER ROAD'],
    town: 'DERBY',
    county: 'DERBYSHIRE',
    postcode: 'DE22 3NE',
    dates: [
      { type: 'Legal', start: '1998-04-01' },
      { type: 'Operational', start: '1998-04-01' },
    ],
    roles: [role('197', true), role('57')],
  },
  {
    ...usual,
    code: 'RTGEX',
    recordClass: 'RC2',
    name: 'EXAMPLE WARD IN DERBY',
    town: 'DERBY',
    postcode: 'DE22 3EX',
    roles: [role('198', true)],
    links: [link('6', 'RTG', '197')],
  },
  {
    ...usual,
    code: 'RR8',
    name: 'LEEDS TEACHING HOSPITALS NHS TRUST',
    lines: ["ST. JAMES'S UNIVERSITY HOSPITAL", 'BECKETT STREET'],
    town: 'LEEDS',
    county: 'WEST YORKSHIRE',
    postcode: 'LS9 7TF',
    dates: [
      { type: 'Operational', start: '1998-04-01' },
      { type: 'Legal', start: '1998-04-01' },
    ],
    roles: [role('197', true)],
  },
  {
    ...usual,
    code: 'RR8EX',
    recordClass: 'RC2',
    name: 'LEEDS TEACHING HOSPITALS NHS TRUST - EXAMPLE WING',
    lines: ['EXAMPLE WING', 'BECKETT STREET'],
    town: 'LEEDS',
    postcode: 'LS9 7TF',
    roles: [role('198', true)],
    links: [link('6', 'RR8', '197')],
  },
  {
    ...usual,
    code: 'RQS98',
    recordClass: 'RC2',
    name: 'Leeds Teaching Hospitals NHS Trust',
    town: 'Leeds',
    postcode: 'LS1 3EX',
    roles: [role('198', true)],
    links: [link('6', 'RR8', '197')],
  },
  {
    ...usual,
    code: '5HL18',
    recordClass: 'RC2',
    status: 'Inactive',
    name: 'THE LEEDS TEACHING HOSPITALS NHS TRUST',
    town: 'LEEDS',
    postcode: 'LS2 9EX',
    roles: [{ ...role('180', true), status: 'Inactive' }],
    links: [link('6', 'RR8', '197', '2019-03-31')],
    successions: [
      { type: 'Successor', date: '2019-04-01', target: { code: 'RQS98', role: 'RO198' } },
    ],
  },
];

const names: readonly Landmark[] = [
  { ...usual, code: 'A81001', name: 'LEEDS EXAMPLE SURGERY', town: 'LEEDS', postcode: 'LS8 1EX' },
  {
    ...usual,
    code: 'A81002',
    name: 'NORTH LEEDS EXAMPLE PRACTICE',
    town: 'LEEDS',
    postcode: 'LS17 6EX',
  },
  {
    ...usual,
    code: 'A81003',
    name: 'LEE DSOUZA EXAMPLE CLINIC',
    town: 'LEE-ON-THE-SOLENT',
    postcode: 'PO13 9EX',
  },
  {
    ...usual,
    code: 'A81004',
    name: "CAFÉ CRÈME & Ö'EXAMPLE <SURGERY>",
    town: 'YORK',
    postcode: 'YO1 9EX',
  },
];

const places: readonly Landmark[] = [
  {
    ...usual,
    code: 'B86001',
    name: 'EXAMPLE LANE SURGERY',
    lines: ['1 EXAMPLE LANE'],
    town: 'LEEDS',
    county: 'WEST YORKSHIRE',
    postcode: 'LS6 4JN',
    links: [
      link('4', '15F', '98'),
      link('4', '5N1', '179', '2016-03-31'),
      link('8', 'U99999', '272'),
      link('5', 'Y54', '209'),
    ],
  },
  {
    ...usual,
    code: 'B86002',
    name: 'EXAMPLE CRESCENT SURGERY',
    town: 'LEEDS',
    postcode: 'LS6 4JP',
  },
  { ...usual, code: 'B86003', name: 'EXAMPLE PARK SURGERY', town: 'LEEDS', postcode: 'LS16 4JN' },
  { ...usual, code: 'B86004', name: 'EXAMPLE MOUNT SURGERY', town: 'LEEDS', postcode: 'LS6 2EX' },
  { ...usual, code: 'B86005', name: 'EXAMPLE QUAY SURGERY', town: 'LEEDS', postcode: 'LS1 4AP' },
  { ...usual, code: 'B86006', name: 'EXAMPLE MILL SURGERY', town: 'LEEDS', postcode: 'LS11 5AB' },
  { ...usual, code: 'B86007', name: 'EXAMPLE HILL SURGERY', town: 'LINCOLN', postcode: 'LN1 1EX' },
  {
    ...usual,
    code: 'C84714',
    name: 'EXAMPLE CATHEDRAL SURGERY',
    town: 'PETERBOROUGH',
    county: 'CAMBRIDGESHIRE',
    postcode: 'PE1 1EX',
  },
  {
    ...usual,
    code: 'C84714001',
    recordClass: 'RC2',
    name: 'EXAMPLE CATHEDRAL BRANCH SURGERY',
    town: 'PETERBOROUGH',
    postcode: 'PE2 5EX',
    roles: [role('96', true)],
    links: [link('6', 'C84714', '177')],
  },
  {
    ...usual,
    code: 'C84715',
    name: 'EXAMPLE DENE SURGERY',
    town: 'PETERLEE',
    county: 'COUNTY DURHAM',
    postcode: 'SR8 1EX',
  },
  {
    ...usual,
    code: 'C84716',
    name: 'EXAMPLE HARBOUR SURGERY',
    town: 'ST PETER PORT',
    postcode: 'GY1 1EX',
    country: 'CHANNEL ISLANDS',
  },
  {
    ...usual,
    code: 'C84717',
    name: 'EXAMPLE BRIDGE SURGERY',
    town: 'SUNDERLAND',
    county: 'TYNE AND WEAR',
    postcode: 'SR1 1EX',
  },
  {
    ...usual,
    code: 'C84718',
    name: 'EXAMPLE FELL SURGERY',
    town: 'CUMBERLAND',
    postcode: 'CA1 1EX',
  },
  {
    ...usual,
    code: 'C84719',
    name: 'EXAMPLE COVE SURGERY',
    town: 'LANDKEY',
    county: 'DEVON',
    postcode: 'EX32 0EX',
  },
  {
    ...usual,
    code: 'C84720',
    name: 'EXAMPLE GREEN SURGERY',
    town: 'LAND-BY-SEA, EXAMPLE',
    postcode: 'NR1 1EX',
  },
  { ...usual, code: 'C84721', name: 'EXAMPLE CITY SURGERY', town: 'LONDON', postcode: 'EC1A 1EX' },
];

const roles: readonly Landmark[] = [
  {
    ...usual,
    code: 'D82001',
    name: 'EXAMPLE PRACTICE WITHOUT PRESCRIBING',
    roles: [role('76', true)],
  },
  { ...usual, code: 'Y00001', name: 'EXAMPLE PRESCRIBING COST CENTRE', roles: [role('177', true)] },
  {
    ...usual,
    code: '8A157',
    name: 'EXAMPLE COMPANY WITH A TREATMENT CENTRE',
    roles: [role('157', true), role('29')],
  },
  {
    ...usual,
    code: '8A158',
    name: 'EXAMPLE COMPANY WITH REGISTERED CARE',
    roles: [role('157', true), role('15')],
  },
  { ...usual, code: '8A159', name: 'EXAMPLE COMPANY', roles: [role('157', true)] },
  {
    ...usual,
    code: 'NT157',
    name: 'EXAMPLE PROVIDER THAT IS ALSO A COMPANY',
    roles: [role('172', true), role('157'), role('29')],
  },
  {
    ...usual,
    code: 'NT029',
    name: 'EXAMPLE TREATMENT CENTRE',
    recordClass: 'RC2',
    roles: [role('29', true)],
  },
  {
    ...usual,
    code: 'VL015',
    name: 'EXAMPLE REGISTERED HOME',
    recordClass: 'RC2',
    roles: [role('15', true)],
  },
];

const changes: readonly Landmark[] = [
  { ...usual, code: 'E85001', name: 'EXAMPLE SURGERY OF MARCH 2017', lastChangeDate: '2017-03-31' },
  {
    ...usual,
    code: 'E85002',
    name: 'EXAMPLE SURGERY OF 1 APRIL 2017',
    lastChangeDate: '2017-04-01',
  },
  {
    ...usual,
    code: 'E85003',
    name: 'EXAMPLE SURGERY OF 2 APRIL 2017',
    lastChangeDate: '2017-04-02',
  },
];

/** In a record without these, nothing would show that a reader copes with them. */
const traps: readonly Landmark[] = [
  {
    ...usual,
    code: 'F83001',
    name: 'EXAMPLE SURGERY TOLD TWICE (FORMER)',
    status: 'Inactive',
    lastChangeDate: '2019-01-05',
  },
  { ...usual, code: 'F83001', name: 'EXAMPLE SURGERY TOLD TWICE' },
  { ...usual, code: 'F83002', name: 'EXAMPLE SURGERY ALSO REFERRED TO' },
  {
    ...usual,
    code: 'F83002',
    name: 'EXAMPLE SURGERY ALSO REFERRED TO',
    isReferenceOnly: true,
    roles: [role('177', true)],
  },
  {
    code: 'Y54',
    name: 'EXAMPLE REGIONAL OFFICE WITHOUT STATUS',
    lastChangeDate: '2019-07-01',
    roles: [role('209', true)],
  },
  {
    code: 'Y55',
    name: 'EXAMPLE OFFICE WITHOUT ANY STATUS',
    lastChangeDate: '2019-07-01',
    roles: [{ id: 'RO209', isPrimary: true, dates: [] }],
  },
  {
    ...usual,
    code: 'F83003',
    name: 'EXAMPLE SURGERY WITH A GAP',
    lines: ['EXAMPLE HOUSE', undefined, '3 EXAMPLE ROAD'],
    town: 'HULL',
    postcode: 'HU1 1EX',
  },
  {
    ...usual,
    code: 'F83004',
    name: 'EXAMPLE SURGERY WITHOUT A FIRST LINE',
    lines: [undefined, '4 EXAMPLE ROAD'],
    town: 'HULL',
    postcode: 'HU1 2EX',
  },
  {
    ...usual,
    code: 'F83005',
    name: 'EXAMPLE SURGERY IN LAW ONLY',
    dates: [{ type: 'Legal', start: '2001-04-01' }],
  },
  {
    ...usual,
    code: 'F83006',
    name: 'EXAMPLE SURGERY WITHOUT A START',
    dates: [{ type: 'Operational', end: '2019-03-31' }],
  },
  {
    ...usual,
    code: 'F83007',
    name: 'EXAMPLE SURGERY WITH A ROLE HELD TWICE',
    roles: [
      role('177', true),
      {
        ...role('76'),
        dates: [{ type: 'Operational', start: '1998-04-01', end: '2003-03-31' }],
        status: 'Inactive',
      },
      { ...role('76'), dates: [{ type: 'Operational', start: '2007-04-01' }] },
    ],
  },
  {
    ...usual,
    code: 'F83008',
    name: '  EXAMPLE   SURGERY  WITH SPACES ',
    town: ' HULL ',
    postcode: ' HU1   3EX ',
  },
  { code: 'F83009', name: 'EXAMPLE SURGERY WITHOUT A CHANGE DATE', status: 'Active' },
  {
    ...usual,
    code: 'F83010',
    name: 'EXAMPLE SURGERY WITH AN IMPOSSIBLE DATE',
    dates: [{ type: 'Operational', start: '2005-02-30' }],
  },
  { ...usual, code: 'F83011', name: 'EXAMPLE SURGERY WITHOUT ROLES', roles: [] },
  { ...usual, code: 'F83012', name: 'EXAMPLE SURGERY WITHOUT A PRIMARY ROLE', roles: [role('76')] },
  {
    ...usual,
    code: 'F83013',
    name: 'EXAMPLE SURGERY WITH TWO PRIMARY ROLES',
    roles: [role('177', true), role('76', true)],
  },
  { ...usual, code: 'F83-14', name: 'EXAMPLE SURGERY WITH A HYPHEN IN ITS CODE' },
  {
    ...usual,
    code: 'F83015',
    name: 'EXAMPLE SURGERY WITH A NEW ROLE',
    roles: [role('177', true), role('9999')],
  },
  {
    ...usual,
    code: 'F83016',
    name: 'EXAMPLE SURGERY WITH EVERY CONTACT',
    contacts: [
      ['tel', '01632 960001'],
      ['fax', '01632 960002'],
      ['mailto', 'office@example.org'],
      ['http', 'https://www.example.org/?a=1&b=2'],
      ['pager', '01632 960003'],
      ['tel', ''],
    ],
  },
  {
    ...usual,
    code: 'EXAMPLE12345',
    name: 'EXAMPLE ORGANISATION WITH A LONG CODE',
    uprn: '100012345678',
    lines: ['5 EXAMPLE ROAD'],
  },
];
