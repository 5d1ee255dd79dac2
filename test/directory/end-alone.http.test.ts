/** What is known only to have ended: kept by an edition, and served by each interface as it can. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { relationship } from '../web/related-records.ts';
import { type DirectoryServer, editionOf, startDirectory } from './directory-server.ts';
import { organization, role } from './records.ts';

const PERIODS = [{ kind: 'Operational', end: '2019-03-31' }] as const;

/** It is said to be active, so its end alone decides. */
const CLOSED = {
  ...organization('RE1', {
    name: 'ENDED',
    periods: PERIODS,
    roles: [role('197', { isPrimary: true, periods: PERIODS })],
  }),
  relationships: [relationship('4', 'RR8', '197', { uniqueId: 7, periods: PERIODS })],
};

const EDITION = editionOf([CLOSED, organization('RR8')]);

describe('an organisation whose record has an end and no start', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startDirectory({
      editions: { current: () => EDITION, byNumber: () => EDITION },
    });
  });
  after(() => server.close());

  const json = async (path: string) => {
    const { status, text } = await server.get(`/fhir/${path}`);
    assert.equal(status, 200, text);
    return JSON.parse(text);
  };

  it('has no period in STU3, because its profile demands a start', async () => {
    for (const format of ['json', 'xml']) {
      const { text } = await server.get(`Organization/RE1?_format=${format}`);
      assert.match(text, /Extension-ODSAPI-OrganizationRole-1/);
      assert.doesNotMatch(text, /ctivePeriod|2019-03-31/);
    }
  });

  it('has its end in R4, with its role and its relationship', async () => {
    const { text } = await server.get('/fhir/R4/Organization/RE1');
    assert.match(text, /"valuePeriod":\{"end":"2019-03-31"\}/);
    const xml = await server.get('/fhir/R4/Organization/RE1?_format=xml');
    assert.match(xml.text, /<valuePeriod><end value="2019-03-31"\/><\/valuePeriod>/);
    const { period } = await json('R4/OrganizationAffiliation/7');
    assert.deepEqual(period, { end: '2019-03-31' });
  });

  it('has relationships that a search by date finds on every day until their end', async () => {
    for (const [date, total] of [
      ['ge2019-03-31', 1],
      ['ge2019-04-01', 0],
      ['lt1990-01-01', 1],
      ['sa1990-01-01', 0],
    ] as const) {
      const found = await json(`R4/OrganizationAffiliation?date=${date}`);
      assert.equal(found.total, total, date);
    }
  });

  it('has its dates in ORD', async () => {
    const { Organisation: found } = await json('ORD/2-0-0/organisations/RE1');
    const dates = [{ Type: 'Operational', End: '2019-03-31' }];
    assert.deepEqual(found.Date, dates);
    assert.deepEqual(found.Roles.Role[0].Date, dates);
    assert.deepEqual(found.Rels.Rel[0].Date, dates);
    const xml = await server.get('/fhir/ORD/2-0-0/organisations/RE1?_format=xml');
    const date = '<Date><Type value="Operational"/><End value="2019-03-31"/></Date>';
    assert.equal(xml.text.split(date).length, 4);
  });

  it('is closed after that day, and belongs to what it belonged to last', async () => {
    const outcomeOf = async (path: string) => JSON.parse((await server.get(path)).text);
    const resolved = await outcomeOf('/fhir/resolve?code=RE1&on=2019-04-01');
    assert.match(JSON.stringify(resolved), /"closed"/);
    const open = await outcomeOf('/fhir/resolve?code=RE1&on=2019-03-31');
    assert.match(JSON.stringify(open), /"current"/);
    const after = await outcomeOf('/fhir/hierarchy?code=RE1&on=2019-04-01');
    assert.match(JSON.stringify(after), /RR8/);
  });

  it('has a close date and no open date in reports', async () => {
    const { text } = await server.get('/fhir/api/getReport?report=etr');
    const cells = (text.split('\r\n')[0] ?? '').split(',');
    assert.deepEqual(cells.slice(10, 12), ['""', '"20190331"']);
  });
});
