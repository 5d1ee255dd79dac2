/** Clients of the national ORD interface, written as they are, against the program. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fold } from '../../src/fhir/search/string.ts';
import { importedSample } from '../imported-sample.ts';
import { type Owner, ownerOfSuite } from '../owner.ts';
import { OrdFailure, OrdLookup } from './clients/ord-lookup.ts';
import { searchByTotal, searchUntilShort } from './clients/ord-scripts.ts';
import { syncNamesByXml, syncSince } from './clients/ord-synchroniser.ts';
import { type Server, serve } from './program.ts';

describe('clients of ORD', () => {
  const owner = ownerOfSuite();
  let server: Server;
  let base: string;
  before(async () => {
    server = await startServer(owner);
    base = `${server.origin}/ORD/2-0-0`;
  });

  it('a synchroniser reads the changes of a month, then each record', async () => {
    const synced = await syncSince(base, '2026-08-01');
    const rows = await searchByTotal(base, 'LastChangeDate=2026-08-01', 1000);
    assert.ok(synced.length > 0);
    assert.deepEqual(
      synced.map(({ code, name, isActive, kind }) => [code, name, isActive, kind]).toSorted(),
      rows
        .map((row) => [row.OrgId, row.Name, row.Status === 'Active', row.PrimaryRoleDescription])
        .toSorted(),
    );
    const names = await syncNamesByXml(base, '2026-08-01');
    assert.deepEqual(
      names.toSorted(),
      synced.map(({ name }) => name.replaceAll('&', '&amp;')).toSorted(),
    );
  });

  it('a look-up library reads a record with its relationships', async () => {
    const lookup = new OrdLookup(base);
    const trust = await lookup.find('RTG');
    assert.equal(trust.Name, 'UNIVERSITY HOSPITALS OF DERBY AND BURTON NHS FOUNDATION TRUST');
    assert.equal(trust.OrgId.extension, 'RTG');
    assert.deepEqual(
      trust.Roles.Role.map(({ id, primaryRole }) => [id, primaryRole]),
      [
        ['RO197', true],
        ['RO57', undefined],
      ],
    );
    const rows = await lookup.search({ Status: 'Active', Limit: '100' });
    const records = await Promise.all(rows.slice(0, 50).map(({ OrgId }) => lookup.find(OrgId)));
    const related = records.flatMap(({ Rels }) => Rels?.Rel ?? []);
    assert.ok(related.length > 10);
    assert.ok(related.every(({ Target }) => /^\w+$/.test(Target.OrgId.extension)));
  });

  it('a look-up library follows Next-Page to the last row', async () => {
    const lookup = new OrdLookup(base);
    const rows = await lookup.search({ Name: 'surgery', Limit: '7' });
    assert.ok(rows.length > 7);
    assert.equal(new Set(rows.map(({ OrgId }) => OrgId)).size, rows.length);
    assert.ok(rows.every(({ Name }) => Name.includes('SURGERY')));
    assert.deepEqual(rows, await searchByTotal(base, 'Name=surgery', 1000));
  });

  it('a look-up library gets the errors of the national interface', async () => {
    const lookup = new OrdLookup(base);
    await assert.rejects(lookup.find('NOPE'), new OrdFailure(404, 'Not found'));
    await assert.rejects(
      lookup.search({}),
      new OrdFailure(406, 'Supplied query must include some query parameters'),
    );
    await assert.rejects(
      lookup.search({ Unknown: 'x' }),
      new OrdFailure(406, 'Unknown argument found.'),
    );
    await assert.rejects(
      lookup.search({ LastChangeDate: '01/01/2019' }),
      new OrdFailure(406, 'Invalid date format.'),
    );
  });

  it('a look-up library reads codes', async () => {
    const lookup = new OrdLookup(base);
    assert.deepEqual(await lookup.codes('roles/RO197'), {
      Roles: [{ id: 'RO197', code: '197', displayName: 'NHS TRUST', primaryRole: 'true' }],
    });
    assert.deepEqual(await lookup.codes('rels/RE6'), {
      Relationships: [{ id: 'RE6', code: '6', displayName: 'IS OPERATED BY' }],
    });
    assert.deepEqual(await lookup.codes('recordclasses/RC1'), {
      RecordClasses: [{ id: 'RC1', code: '1', displayName: 'HSCOrg' }],
    });
  });

  it('scripts get every row once, by total and until a short page', async () => {
    const all = await searchByTotal(base, 'Status=Active', 1000);
    assert.deepEqual(await searchByTotal(base, 'Status=Active', 100), all);
    assert.deepEqual(await searchUntilShort(base, 'Status=Active', 50), all);
    const byName = all.toSorted(
      (a, b) => compare(fold(a.Name), fold(b.Name)) || compare(a.OrgId, b.OrgId),
    );
    assert.deepEqual(all, byName);
  });

  it('requests are logged and counted as those of FHIR are', async () => {
    await fetch(`${base}/organisations?Name=logged&Secret=1`);
    const logged = () => server.log.find(({ parameters }) => parameters === 'Name ?');
    while (logged() === undefined) await wait(20);
    const refused = logged();
    assert.equal(refused?.path, '/ORD/2-0-0/organisations');
    assert.equal(refused?.status, 406);
    const metrics = await (await fetch(`${server.operation}/metrics`)).text();
    const counted = (labels: string) => metrics.includes(`gazetteer_requests_total{${labels}}`);
    assert.ok(counted('interaction="search",status="406",format="json"'), metrics);
    assert.ok(counted('interaction="read",status="404",format="json"'));
  });

  it('scripts find the organisations of a commissioner', async () => {
    const lookup = new OrdLookup(base);
    const [practice] = await searchUntilShort(base, 'RelTypeId=RE4&RelStatus=active', 1000);
    assert.ok(practice !== undefined);
    const { Rels } = await lookup.find(practice.OrgId);
    const commissioner = Rels?.Rel.find(({ id, Status }) => id === 'RE4' && Status === 'Active');
    const target = commissioner?.Target.OrgId.extension ?? '';
    const query = `RelTypeId=RE3,RE4,RE5&TargetOrgId=${target}&RelStatus=active&Limit=1000`;
    const related = await searchUntilShort(base, query.replace('&Limit=1000', ''), 1000);
    assert.ok(related.some(({ OrgId }) => OrgId === practice.OrgId));
    for (const { OrgId } of related.slice(0, 20)) {
      const record = await lookup.find(OrgId);
      assert.ok(
        record.Rels?.Rel.some(
          ({ id, Status, Target }) =>
            /^RE[345]$/.test(id) && Status === 'Active' && Target.OrgId.extension === target,
        ),
        OrgId,
      );
    }
  });
});

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** A server with the sample, which logs requests. */
async function startServer(owner: Owner): Promise<Server> {
  const data = await importedSample(owner);
  return serve(owner, ['--data', data, '--orders-enabled', 'false', '--log-requests', 'true']);
}
