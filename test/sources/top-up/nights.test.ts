/** Nights of staying current, simulated: a release, five top-ups from two services, the next release. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { fetchOrdChanges } from '../../../src/sources/fetch/fetch-ord-changes.ts';
import { fetchR4Changes } from '../../../src/sources/fetch/fetch-r4-changes.ts';
import { fetchRelease } from '../../../src/sources/fetch/fetch-release.ts';
import { ordWording, r4Wording, trudWording } from '../../../src/sources/fetch/fetch-wording.ts';
import { organisation, releaseXml } from '../release-file/release-fixture.ts';
import { makeZip } from '../release-file/zip-fixture.ts';
import { KEY, type PublishedRelease, startTrud, type TrudServer } from '../trud/trud-server.ts';
import { type NationalServer, startNational } from './national-server.ts';
import { createTopUpRun, type TopUpRun } from './top-up-fixture.ts';

const CODES = Array.from({ length: 20 }, (_, i) => `P${String(i + 1).padStart(2, '0')}`);

interface Organisation {
  name: string;
  changed: string;
}

function releaseOf(
  organisations: ReadonlyMap<string, Organisation>,
  releaseDate: string,
): PublishedRelease {
  const elements = [...organisations].map(([code, { name, changed }]) =>
    organisation(`<Name>${name}</Name><LastChangeDate value="${changed}"/>`, {
      code,
      roles:
        '<Roles><Role id="RO177" uniqueRoleId="1" primaryRole="true"><Status value="Active"/></Role></Roles>',
    }),
  );
  const day = releaseDate.replaceAll('-', '');
  const content = releaseXml(elements, { publicationDate: releaseDate });
  return {
    name: `hscorgrefdataxml_data_9.0.0_${day}000001.zip`,
    releaseDate,
    bytes: makeZip([{ name: `HSCOrgRefData_Full_${day}.xml`, content }]),
  };
}

/** The two kinds of fetches of a night. */
function fetches(run: TopUpRun, trud: TrudServer, national: NationalServer) {
  const release = () =>
    fetchRelease({
      ...run.options,
      allowShrink: true,
      trud: { url: trud.url, key: KEY },
      client: run.createClient({ wording: trudWording, secret: KEY }),
      folder: join(run.data.fetch, 'trud'),
      includeArchive: false,
      isAgain: false,
    });
  const changes = (kind: 'r4' | 'ord') =>
    (kind === 'r4' ? fetchR4Changes : fetchOrdChanges)({
      ...run.options,
      client: run.createClient({ wording: kind === 'r4' ? r4Wording : ordWording }),
      baseUrl: national[kind],
      folder: join(run.data.fetch, kind),
      overlapDays: 7,
    });
  return { release, changes };
}

it('editions, differences and the report of what the top-ups had wrong', async (context) => {
  const run = await createTopUpRun(context);
  const truth = new Map(
    CODES.map((code) => [code, { name: `${code} OLD`, changed: '2026-09-01' }]),
  );
  const trud = await startTrud(context, releaseOf(truth, '2026-09-25'));
  const national = await startNational(context, 5);
  const { release, changes } = fetches(run, trud, national);
  run.nowMs = Date.parse('2026-09-26T03:00:00Z');
  assert.equal((await release()).report.edition.number, 2);
  for (const [code, record] of await run.whole()) national.records.set(code, record);

  const rename = (code: string, name: string, changed: string, isTrue = true) => {
    const record = national.records.get(code);
    assert.ok(record !== undefined, code);
    national.records.set(code, { ...record, name, lastUpdated: changed });
    if (isTrue) truth.set(code, { name, changed });
  };
  const nights: [string, 'r4' | 'ord', () => void][] = [
    ['2026-10-01', 'r4', () => rename('P01', 'P01 NEW', '2026-09-30')],
    ['2026-10-02', 'ord', () => rename('P02', 'P02 NEW', '2026-10-01')],
    // The service says something that the release does not confirm.
    ['2026-10-03', 'r4', () => rename('P03', 'P03 WRONG', '2026-10-02', false)],
    ['2026-10-04', 'ord', () => rename('P04', 'P04 NEW', '2026-10-03')],
    // Too late for the release.
    ['2026-10-05', 'r4', () => rename('P05', 'P05 NEW', '2026-10-04', false)],
  ];
  const numbers: number[] = [];
  for (const [day, kind, happen] of nights) {
    run.nowMs = Date.parse(`${day}T03:00:00Z`);
    happen();
    assert.equal((await release()).fetched, 'nothing');
    const { report, isPublished } = await changes(kind);
    assert.equal(isPublished, true, day);
    assert.equal(report.edition.removed, 0);
    assert.match(
      report.edition.source,
      new RegExp(`^changes to edition ${report.edition.number - 1}: `),
    );
    numbers.push(report.edition.number);
  }
  assert.deepEqual(numbers, [3, 4, 5, 6, 7]);
  const names = async () => [...(await run.whole()).values()].slice(0, 5).map(({ name }) => name);
  assert.deepEqual(await names(), ['P01 NEW', 'P02 NEW', 'P03 WRONG', 'P04 NEW', 'P05 NEW']);

  truth.set('P03', { name: 'P03 RIGHT', changed: '2026-10-02' });
  truth.set('P04', { name: 'P04 NEWER', changed: '2026-10-05' });
  trud.release = releaseOf(truth, '2026-10-30');
  run.nowMs = Date.parse('2026-10-31T03:00:00Z');
  const { report } = await release();
  assert.deepEqual([report.edition.number, report.edition.source], [8, trud.release.name]);
  const { topUps } = report;
  assert.deepEqual([topUps?.editions, topUps?.records, topUps?.newer, topUps?.older], [5, 5, 1, 1]);
  assert.equal((topUps?.confirmed ?? 0) + (topUps?.different.count ?? 0), 3);
  assert.ok(topUps?.different.examples.some((example) => example.startsWith('P03: Name')));
  assert.deepEqual(await names(), ['P01 NEW', 'P02 NEW', 'P03 RIGHT', 'P04 NEWER', 'P05 OLD']);
  const kept = (await run.store.list()).filter(({ isOnDisk }) => isOnDisk);
  assert.deepEqual(
    kept.map(({ number }) => number),
    [6, 7, 8],
  );
});
