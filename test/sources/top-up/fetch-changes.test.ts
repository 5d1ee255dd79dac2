/** Changes between releases from R4 and ORD: what is requested, applied, continued and refused. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { ChangesOptions, FetchReport } from '../../../src/sources/fetch/fetch-options.ts';
import { fetchOrdChanges } from '../../../src/sources/fetch/fetch-ord-changes.ts';
import { fetchR4Changes } from '../../../src/sources/fetch/fetch-r4-changes.ts';
import { ordWording, r4Wording } from '../../../src/sources/fetch/fetch-wording.ts';
import { createSourceRun } from '../source-run.ts';
import { type NationalServer, startNational } from './national-server.ts';
import { createTopUpRun, type TopUpRun } from './top-up-fixture.ts';

interface ChangesRun extends TopUpRun {
  readonly national: NationalServer;
  r4(key?: string): Promise<FetchReport>;
  ord(): Promise<FetchReport>;
}

async function createChangesRun(context: TestContext): Promise<ChangesRun> {
  const run = await createTopUpRun(context);
  const national = await startNational(context);
  for (const [code, record] of await run.whole()) {
    if (record.isReferenceOnly !== true) national.records.set(code, record);
  }
  const options = (kind: 'r4' | 'ord', key?: string): ChangesOptions => ({
    ...run.options,
    allowShrink: true,
    client: run.createClient({
      requestsPerSecond: 4,
      wording: kind === 'r4' ? r4Wording : ordWording,
      ...(key !== undefined && { headers: { apikey: key }, secret: key }),
    }),
    baseUrl: national[kind],
    folder: join(run.data.fetch, kind),
    overlapDays: 7,
  });
  return Object.assign(run, {
    national,
    r4: (key?: string) => fetchR4Changes(options('r4', key)),
    ord: () => fetchOrdChanges(options('ord')),
  });
}

/** Changes the name of a record on a day. */
function rename({ national }: ChangesRun, code: string, name: string, lastUpdated: string): void {
  const record = national.records.get(code);
  if (record !== undefined) national.records.set(code, { ...record, name, lastUpdated });
}

for (const kind of ['r4', 'ord'] as const) {
  describe(`changes of ${kind}`, () => {
    it('become an edition that says so, and only once', async (context) => {
      const run = await createChangesRun(context);
      rename(run, 'A81001', 'RENAMED', '2020-05-03');
      const { report, isPublished, fetched } = await run[kind]();
      assert.deepEqual([isPublished, fetched, report.edition.number], [true, 'changes', 2]);
      assert.equal(report.edition.source, `changes to edition 1: ${run.national[kind]}`);
      assert.equal(report.edition.publicationDate, '2020-05-03');
      const records = await run.whole();
      assert.equal(records.get('A81001')?.name, 'RENAMED');
      assert.ok(records.get('RR8')?.telecoms.some(({ system }) => system === 'fax'));
      const again = await run[kind]();
      assert.deepEqual([again.isPublished, again.report.edition.number], [false, 2]);
    });

    it('are requested since the newest change, minus the overlap', async (context) => {
      const run = await createChangesRun(context);
      await run[kind]();
      const [first] = run.national.asked();
      assert.equal(
        first,
        kind === 'r4'
          ? '/fhir/Organization?lastChangeDate=gt2020-03-30' +
              '&_revinclude=OrganizationAffiliation:primary-organization&_count=100'
          : '/ORD/2-0-0/sync?LastChangeDate=2020-03-30',
      );
    });

    it('are requested at the rate that is allowed', async (context) => {
      const run = await createChangesRun(context);
      rename(run, 'A81001', 'RENAMED', '2020-05-03');
      await run[kind]();
      const requests = run.national.asked().length;
      assert.deepEqual(
        run.pauses,
        Array.from({ length: requests - 1 }, () => 250),
      );
    });

    it('continue where a fetch stopped', async (context) => {
      const run = await createChangesRun(context);
      for (const code of ['A81001', 'QWO', 'RR8']) rename(run, code, `${code} NEW`, '2020-05-03');
      const last = kind === 'r4' ? /_offset=2/ : /organisations\/(?!A81001|QWO)/;
      run.national.answer = ({ url = '' }, response) => {
        if (last.test(url)) response.writeHead(500).end();
        return last.test(url);
      };
      await assert.rejects(run[kind](), /answers 500\. Fetch again later\.$/);
      assert.equal((await run.store.current())?.number, 1);
      run.national.answer = () => false;
      run.national.asked();
      const { report } = await run[kind]();
      const names = [...(await run.whole()).values()].slice(0, 3).map(({ name }) => name);
      assert.deepEqual(names, ['A81001 NEW', 'QWO NEW', 'RR8 NEW']);
      assert.equal(report.edition.number, 2);
      if (kind === 'r4') assert.match(run.national.asked()[0] ?? '', /_offset=2$/);
    });

    it('need an edition', async (context) => {
      const { data, options, createClient } = createSourceRun(context);
      const national = await startNational(context);
      const fetchChanges = kind === 'r4' ? fetchR4Changes : fetchOrdChanges;
      await assert.rejects(
        fetchChanges({
          ...options,
          client: createClient({ wording: r4Wording }),
          baseUrl: national[kind],
          folder: join(data.fetch, kind),
          overlapDays: 7,
        }),
        /^SourceError: The directory has no edition to which changes from http.* Fetch or import a release first\.$/,
      );
    });

    for (const [name, status, headers, body, message] of [
      [
        'a page',
        200,
        {},
        '<html>',
        /did not answer with a (page of a search|list of organisations)/,
      ],
      [
        'a long pause',
        429,
        { 'Retry-After': '7200' },
        '',
        /answers 429; it requests a pause of 120 minutes/,
      ],
      [
        'a redirect',
        302,
        { Location: 'https://elsewhere.example/' },
        '',
        /does not follow redirects/,
      ],
      ['not found', 404, {}, '', /answers 404\. Check (r4|ord)\.url\.$/],
    ] as const) {
      it(`change nothing if the service answers with ${name}`, async (context) => {
        const run = await createChangesRun(context);
        run.national.answer = (_, response) => {
          response.writeHead(status, headers).end(body);
          return true;
        };
        await assert.rejects(run[kind](), message);
        assert.equal((await run.store.current())?.number, 1);
      });
    }
  });
}

describe('changes of r4', () => {
  it('have relationships and removals', async (context) => {
    const run = await createChangesRun(context);
    const practice = run.national.records.get('A81001');
    assert.ok(practice !== undefined);
    run.national.records.set('A81001', {
      ...practice,
      lastUpdated: '2020-05-03',
      relationships: [
        { type: '4', uniqueId: 12, isActive: true, periods: [], target: { code: 'RR8' } },
      ],
    });
    run.national.removed.set('QWO', '2020-05-02');
    const { report } = await run.r4();
    assert.equal(report.edition.removed, 1);
    assert.equal((await run.whole()).get('A81001')?.relationships?.[0]?.target.code, 'RR8');
  });

  it('send the API key, and never show it', async (context) => {
    const run = await createChangesRun(context);
    run.national.apiKey = 'the-right-key';
    await run.r4('the-right-key');
    await assert.rejects(run.r4('the-wrong-key'), ({ message }: Error) => {
      assert.match(
        message,
        /answers 401 \("Invalid API key"\)\. Check the API key of --r4-key-file\.$/,
      );
      assert.ok(!message.includes('the-wrong-key'));
      return true;
    });
  });
});

it('a record that disappears after the list of ORD was made is left out', async (context) => {
  const run = await createChangesRun(context);
  rename(run, 'A81001', 'RENAMED', '2020-05-03');
  rename(run, 'QWO', 'RENAMED TOO', '2020-05-03');
  run.national.answer = ({ url = '' }, response) => {
    if (url.endsWith('/organisations/QWO')) response.writeHead(404).end();
    return url.endsWith('/organisations/QWO');
  };
  await run.ord();
  const records = await run.whole();
  assert.equal(records.get('A81001')?.name, 'RENAMED');
  assert.equal(records.get('QWO')?.name, 'AN ICB');
});
