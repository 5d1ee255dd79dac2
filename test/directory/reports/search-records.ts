/** Records for tests of searches: a practice in which every member of an answer has a value, and others. */

import type { Edition } from '../../../src/directory/edition/edition.ts';
import { openPostcodes } from '../../../src/directory/places/stored-postcodes.ts';
import type {
  CodeSystems,
  PeriodRecord,
  SourceRecord,
} from '../../../src/directory/record/record.ts';
import { RELATED_CODE_SYSTEMS, relationship } from '../../web/related-records.ts';
import { type DirectoryServer, editionOf, startDirectory } from '../directory-server.ts';
import { storedPostcodes } from '../places/postcode-rows.ts';
import { organization, role } from '../records.ts';

/** The day of the tests. */
export const TODAY = '2026-11-24';

const SEARCH_CODE_SYSTEMS: CodeSystems = {
  ...RELATED_CODE_SYSTEMS,
  roles: [...RELATED_CODE_SYSTEMS.roles, { code: '80', display: 'OUT OF HOURS COST CENTRE' }],
};

const operational = (start: string, end?: string): PeriodRecord => ({
  kind: 'Operational',
  start,
  ...(end !== undefined && { end }),
});
const legal = (start: string, end?: string): PeriodRecord => ({
  ...operational(start, end),
  kind: 'Legal',
});

/** A relationship with an operational period that ended. */
const past = (type: string, code: string, start: string, end: string) =>
  relationship(type, code, type === '8' ? '272' : '98', {
    isActive: false,
    periods: [operational(start, end)],
  });

/** One that the release announces as active for next month. */
const announced = (type: string, code: string) =>
  relationship(type, code, type === '8' ? '272' : '98', { periods: [operational('2026-12-01')] });

const related = (
  type: string,
  code: string,
  primaryRole: string,
  uniqueId: number,
  ...periods: readonly PeriodRecord[]
) => relationship(type, code, primaryRole, { uniqueId, periods });

const primary = (code: string) => [role(code, { isPrimary: true })];

const PRACTICE: SourceRecord = {
  ...organization('A81001', {
    name: 'THE DENSHAM SURGERY',
    lastUpdated: '2026-10-02',
    authority: 'HSCIC',
    periods: [operational('2001-04-01', '2027-03-31'), legal('1999-04-01', '2027-06-30')],
    roles: [
      role('177', { isPrimary: true }),
      role('76', { periods: [operational('2005-01-01')] }),
      role('80', { isActive: false, periods: [operational('2002-01-01', '2013-03-31')] }),
      role('999', { periods: [] }),
    ],
    telecoms: [
      { system: 'url', value: 'https://example.org' },
      { system: 'phone', value: '0113 000001' },
      { system: 'phone', value: '0113 000002' },
    ],
    address: {
      lines: ['THE HEALTH CENTRE', 'LAWSON STREET', 'BACK DOOR', 'FIRST FLOOR'],
      city: 'LEEDS',
      district: 'WEST YORKSHIRE',
      postalCode: 'LS1 4AP',
      country: 'ENGLAND',
      uprn: '100012345678',
    },
  }),
  relationships: [
    past('4', 'OLD1', '2013-04-01', '2020-03-31'),
    past('8', 'U10001', '2019-07-01', '2022-03-31'),
    related('2', 'RR8', '197', 11, operational('2001-04-01'), legal('2001-05-01', '2030-01-31')),
    related('3', 'Y63', '209', 12, operational('2002-04-01', '2030-02-28')),
    related('4', '15F', '98', 13, operational('2020-04-01'), legal('2020-05-01', '2030-03-31')),
    related('6', 'RR8', '197', 14, operational('2003-04-01', '2030-04-30')),
    related('8', 'U10002', '272', 15, operational('2022-04-01', '2026-11-30')),
    related('9', 'RR8', '197', 16, operational('2004-04-01')),
    related('9', 'GONE1', '157', 17, operational('2005-04-01', '2030-05-31')),
    related('11', 'QWO', '318', 18, operational('2006-04-01', '2030-06-30')),
    announced('4', 'NEW1'),
    announced('8', 'U10003'),
  ],
};

/** In the order of their codes. */
export const SEARCH_RECORDS: readonly SourceRecord[] = [
  {
    ...organization('15F', { name: 'NHS WEST YORKSHIRE ICB - 15F', roles: primary('98') }),
    relationships: [related('5', 'QWO', '318', 21, operational('2020-04-01'))],
    successions: [
      { kind: 'Predecessor', periods: [legal('2013-04-01')], target: { code: 'OLD0' } },
      { kind: 'Successor', periods: [legal('2026-12-01')], target: { code: 'NEW1' } },
    ],
  },
  PRACTICE,
  {
    ...organization('A81002', {
      name: 'CAFÉ CLINIC',
      isActive: false,
      lastUpdated: '2021-06-30',
      periods: [operational('2001-04-01', '2021-06-30')],
      roles: [role('177', { isPrimary: true, isActive: false }), role('76', { isActive: false })],
      address: { lines: [], city: 'ST. IVES', postalCode: 'LS10 1AA' },
    }),
    relationships: [
      past('4', 'OLD1', '2013-04-01', '2020-03-31'),
      past('4', '15F', '2020-04-01', '2021-06-30'),
      past('8', 'U10001', '2019-07-01', '2021-06-30'),
    ],
  },
  organization('NEW1', { name: 'NEW', roles: primary('98') }),
  {
    ...organization('OLD1', { name: 'NHS LEEDS CCG', isActive: false, roles: primary('98') }),
    successions: [{ kind: 'Successor', periods: [legal('2020-04-01')], target: { code: '15F' } }],
  },
  {
    ...organization('QWO', { name: 'WEST YORKSHIRE ICB', roles: primary('318') }),
    relationships: [related('5', 'Y63', '209', 22, operational('2020-04-01'))],
  },
  {
    ...organization('REF1', { name: 'ONLY A REFERENCE', roles: [] }),
    isReferenceOnly: true,
    relationships: [related('8', 'U10002', '272', 23, operational('2020-04-01'))],
  },
  organization('RR8', {
    name: 'LEEDS TEACHING HOSPITALS NHS TRUST',
    roles: primary('197'),
    recordClass: '2',
    address: { lines: [], city: 'LEEDS', postalCode: 'LS9 7TF', country: 'WALES' },
  }),
  organization('U10001', { name: 'FORMER PCN', isActive: false, roles: primary('272') }),
  organization('U10002', { name: 'LEEDS PCN', roles: primary('272') }),
  organization('U10003', { name: 'NEXT PCN', roles: primary('272') }),
  organization('X1', { name: 'LS1 CLUB', roles: [role('888', { isPrimary: true })] }),
  organization('Y63', { name: 'NORTH EAST AND YORKSHIRE', roles: primary('209') }),
];

/** The first practice has a postcode that the file knows. */
const POSTCODES = openPostcodes(
  storedPostcodes(
    [
      {
        postcode: 'LS1 4AP',
        areas: { localAuthority: 'E08000035', region: 'E12000003', lsoa11: 'E01033010' },
      },
    ],
    { E08000035: { name: 'Leeds' }, E12000003: { name: 'Yorkshire and The Humber' } },
  ),
);

export const SEARCH_EDITION = editionOf(SEARCH_RECORDS, 1, SEARCH_CODE_SYSTEMS, POSTCODES);

export interface SearchServer extends DirectoryServer {
  /** The answer to a search, by the last segment of its path. Other bodies than texts become JSON. */
  search(
    name: string,
    body: unknown,
    headers?: Record<string, string>,
  ): ReturnType<DirectoryServer['post']>;
}

const JSON_HEADERS = { 'content-type': 'application/json' };

/** Paths are below the base of the searches. */
export async function startSearches(
  edition: Edition | undefined = SEARCH_EDITION,
): Promise<SearchServer> {
  const server = await startDirectory({
    editions: { current: () => edition, byNumber: () => edition },
    now: () => Date.parse(`${TODAY}T12:00:00Z`),
  });
  return {
    ...server,
    get: (path, headers, method) => server.get(`/fhir/api/search/${path}`, headers, method),
    search: (name, body, headers = JSON_HEADERS) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return server.post(`/fhir/api/search/${name}`, text, headers);
    },
  };
}
