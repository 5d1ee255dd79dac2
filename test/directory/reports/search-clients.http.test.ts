/** A program that keeps a table of organisations, and the practices of each network on a day. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type SearchServer, startSearches, TODAY } from './search-records.ts';

interface Organisation {
  readonly id: string;
  readonly name: string;
  readonly inactive: boolean;
  readonly primaryRole: string;
  readonly opStartDate?: string;
  readonly opEndDate?: string;
  readonly RE4?: string;
  readonly RE8: readonly string[];
  readonly ICB?: string;
}

interface RelationshipToMain {
  readonly relationshipTypeCode: string;
  readonly sourceOrgCode: string;
  readonly opStartDate: string;
  readonly opEndDate?: string;
}

const BATCH_SIZE = 100_000;

async function fetchOrganisations(server: SearchServer, roles: string): Promise<Organisation[]> {
  const organisations: Organisation[] = [];
  for (;;) {
    const answer = await server.search('organisationReportSearch', {
      searchQueryName: '',
      searchQueryCode: '',
      searchQueryAddress: '',
      searchQueryTown: '',
      searchQueryPostCode: '',
      searchQueryPrimaryRoleCodes: roles,
      searchQueryNonPrimaryRoleCodes: '',
      searchQueryIsActive: 'All (Status)',
      lastChangeDateStart: '',
      lastChangeDateEnd: '',
      getNumberOfRecords: false,
      offset: organisations.length,
      batchSize: BATCH_SIZE,
    });
    assert.equal(answer.status, 200);
    const { orgArray } = JSON.parse(answer.text);
    organisations.push(...orgArray);
    if (orgArray.length < BATCH_SIZE) return organisations;
  }
}

/** The codes of the practices that are in the network on the day, by the dates of their relationships. */
async function practicesOn(server: SearchServer, network: string, day: string): Promise<string[]> {
  const answer = await server.get(`singleOrganisationSearchByCode?code=${network}`);
  assert.equal(answer.status, 200);
  const { relationships } = JSON.parse(answer.text);
  const practices: readonly RelationshipToMain[] = relationships['PRESCRIBING COST CENTRE'] ?? [];
  return practices
    .filter(({ relationshipTypeCode }) => relationshipTypeCode === 'RE8')
    .filter(({ opStartDate, opEndDate }) => opStartDate <= day && (opEndDate ?? day) >= day)
    .map(({ sourceOrgCode }) => sourceOrgCode);
}

describe('a program that keeps a table of organisations', () => {
  let server: SearchServer;
  before(async () => {
    server = await startSearches();
  });
  after(() => server.close());

  it('gets a row of each practice and network', async () => {
    const organisations = await fetchOrganisations(server, 'RO177,RO272');
    const rows = organisations.map(
      ({ id, name, inactive, primaryRole, opStartDate, opEndDate, RE4, RE8, ICB }) =>
        [id, name, inactive, primaryRole, opStartDate, opEndDate, RE4, RE8.join(), ICB] as const,
    );
    const since = '2001-04-01';
    const surgery = 'THE DENSHAM SURGERY';
    const none = undefined;
    assert.deepEqual(rows, [
      ['A81001', surgery, false, 'RO177', since, '2027-03-31', '15F', 'U10002', 'QWO'],
      ['A81002', 'CAFÉ CLINIC', true, 'RO177', since, '2021-06-30', '15F', '', 'QWO'],
      ['U10001', 'FORMER PCN', true, 'RO272', since, none, none, '', none],
      ['U10002', 'LEEDS PCN', false, 'RO272', since, none, none, '', none],
      ['U10003', 'NEXT PCN', false, 'RO272', since, none, none, '', none],
    ]);
  });

  it('finds the practices of each network on any day by the dates of their relationships', async () => {
    const networks = (await fetchOrganisations(server, 'RO272')).map(({ id }) => id);
    const membersOn = async (day: string) =>
      Promise.all(networks.map(async (id) => [id, await practicesOn(server, id, day)] as const));
    assert.deepEqual(await membersOn('2020-01-01'), [
      ['U10001', ['A81001', 'A81002']],
      ['U10002', []],
      ['U10003', []],
    ]);
    assert.deepEqual(await membersOn('2026-12-01'), [
      ['U10001', []],
      ['U10002', []],
      ['U10003', ['A81001']],
    ]);
    // The list of today, which has no dates, agrees.
    const practices = await fetchOrganisations(server, 'RO177');
    const listed = networks.map((id) => [
      id,
      practices.filter(({ RE8 }) => RE8.includes(id)).map((practice) => practice.id),
    ]);
    assert.deepEqual(listed, await membersOn(TODAY));
  });
});
