/** One organisation by its code, with the organisations that have a relationship to it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { INCOMING_MEMBERS } from '../../../src/interfaces/reports/search/single.ts';
import { type SearchServer, startSearches } from './search-records.ts';

const PATH = 'singleOrganisationSearchByCode';

/** The relationships to the network U10002, written by hand from the records. */
const RELATIONSHIPS = {
  'PRESCRIBING COST CENTRE': [
    {
      id: '15',
      name: 'THE DENSHAM SURGERY',
      primaryRole: 'RO177',
      primaryRoleName: 'PRESCRIBING COST CENTRE',
      role: ['RO177', 'RO76', 'RO999'],
      nonPrimaryRoleName: ['GP PRACTICE', null],
      town: 'LEEDS',
      address1: 'THE HEALTH CENTRE',
      postcode: 'LS1 4AP',
      inactive: false,
      status: 'active',
      opStartDate: '2022-04-01',
      opEndDate: '2026-11-30',
      relationshipTypeCode: 'RE8',
      sourceOrgCode: 'A81001',
      sourceOrgRole: 'RO76',
      sourceOrgRoleName: 'GP PRACTICE',
      targetOrgCode: 'U10002',
      targetOrgRole: ['RO272'],
      lastChangeDate: '',
    },
  ],
  UNKNOWN: [
    {
      id: '23',
      name: 'ONLY A REFERENCE',
      role: [],
      nonPrimaryRoleName: [],
      inactive: false,
      status: 'active',
      opStartDate: '2020-04-01',
      relationshipTypeCode: 'RE8',
      sourceOrgCode: 'REF1',
      targetOrgCode: 'U10002',
      targetOrgRole: ['RO272'],
      lastChangeDate: '',
    },
  ],
};

describe('a search for one organisation', () => {
  let server: SearchServer;
  before(async () => {
    server = await startSearches();
  });
  after(() => server.close());

  const single = async (code: string) => {
    const { status, text } = await server.get(`${PATH}?code=${code}`);
    assert.equal(status, 200, text);
    return JSON.parse(text);
  };

  it('answers the organisation as the other searches do', async () => {
    for (const code of ['A81001', '15F', 'X1']) {
      const found = await server.search('organisationReportSearch', { searchQueryCode: code });
      const [organisation] = JSON.parse(found.text).orgArray;
      assert.deepEqual((await single(code)).main, organisation);
    }
  });

  it('has the relationships to it by the primary role of their source', async () => {
    const { main, ...rest } = await single('U10002');
    assert.equal(main.id, 'U10002');
    assert.deepEqual(rest, {
      relationships: RELATIONSHIPS,
      predecessor: null,
      successor: null,
      igManagement: [],
      practitioners: [],
    });
  });

  it('has every member of a relationship that states it', async () => {
    const { relationships } = await single('15F');
    const [practice] = relationships['PRESCRIBING COST CENTRE'];
    assert.deepEqual(
      Object.keys(practice),
      INCOMING_MEMBERS.map(([name]) => name).filter((name) => name !== 'opEndDate'),
    );
    assert.deepEqual([practice.legStartDate, practice.legEndDate], ['2020-05-01', '2030-03-31']);
  });

  it('has past and announced relationships too, in groups by name and in the order of codes', async () => {
    const { relationships } = await single('RR8');
    assert.deepEqual(
      relationships['PRESCRIBING COST CENTRE'].map((each: { id: string }) => each.id),
      ['11', '14', '16'],
    );
    const announced = (await single('U10003')).relationships['PRESCRIBING COST CENTRE'];
    assert.deepEqual(
      announced.map(({ status, opStartDate }: Record<string, unknown>) => [status, opStartDate]),
      [['active', '2026-12-01']],
    );
    const past = (await single('U10001')).relationships['PRESCRIBING COST CENTRE'];
    assert.deepEqual(
      past.map(({ sourceOrgCode, inactive, opEndDate }: Record<string, unknown>) => [
        sourceOrgCode,
        inactive,
        opEndDate,
      ]),
      [
        ['A81001', true, '2022-03-31'],
        ['A81002', true, '2021-06-30'],
      ],
    );
    const groups = Object.keys((await single('Y63')).relationships);
    assert.deepEqual(groups, ['INTEGRATED CARE BOARD', 'PRESCRIBING COST CENTRE']);
  });

  it('has the last predecessor and successor, whichever of the two states it, once it has begun', async () => {
    const board = await single('15F');
    assert.deepEqual(board.predecessor, {
      code: 'OLD1',
      name: 'NHS LEEDS CCG',
      startDate: '2020-04-01',
    });
    // Announced for next month.
    assert.equal(board.successor, null);
    const { successor } = await single('OLD1');
    assert.deepEqual(successor, {
      code: '15F',
      name: 'NHS WEST YORKSHIRE ICB - 15F',
      startDate: '2020-04-01',
    });
  });

  it('finds codes in lower case, and records that others only refer to', async () => {
    assert.equal((await single('rr8')).main.id, 'RR8');
    const { main } = await single('REF1');
    assert.equal(main.refOnly, true);
    assert.deepEqual(main.role, []);
  });

  it('is 404 for an unknown code, and 400 without one', async () => {
    const errors: readonly (readonly [query: string, status: number, error: string])[] = [
      ['code=NONE', 404, 'There is no organisation with the code "NONE".'],
      ['code=%3C', 404, 'There is no organisation with the code "<".'],
      ['code=GONE1', 404, 'There is no organisation with the code "GONE1".'],
      ['code=', 400, 'Missing code query parameter'],
      ['', 400, 'Missing code query parameter'],
      ['Code=RR8', 400, 'Missing code query parameter'],
      ['code=RR8&code=X1', 400, 'The query parameter code is repeated.'],
      ['code=%ff', 400, 'code is not percent-encoded UTF-8.'],
    ];
    for (const [query, status, error] of errors) {
      const answer = await server.get(`${PATH}?${query}`);
      assert.deepEqual([answer.status, JSON.parse(answer.text)], [status, { error }], query);
    }
    assert.equal((await server.get(`${PATH}?code=RR8&other=1`)).status, 200);
  });

  it('is 304 for its entity tag, which differs from code to code', async () => {
    const first = await server.get(`${PATH}?code=RR8`);
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^W\/"/);
    const headers = { 'if-none-match': etag };
    const again = await server.get(`${PATH}?code=RR8`, headers);
    assert.deepEqual([again.status, again.text], [304, '']);
    assert.equal((await server.get(`${PATH}?code=X1`, headers)).status, 200);
  });

  it('is offered to GET and HEAD', async () => {
    const head = await server.get(`${PATH}?code=RR8`, {}, 'HEAD');
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.equal((await server.get(`${PATH}?code=NONE`, {}, 'HEAD')).status, 404);
    const posted = await server.search(PATH, { code: 'RR8' });
    assert.equal(posted.status, 405);
    assert.equal(posted.headers.get('allow'), 'GET, HEAD, OPTIONS');
  });
});
