/** The editions that a sync publishes, and when it fetches everything or only changes. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { importEdition } from '../../../src/directory/import/import-edition.ts';
import { manyRecords, startPeer } from './scripted-peer.ts';
import { createSyncRun, type SyncRun } from './sync-run.ts';

const DAY_MS = 86_400_000;
const EVERYTHING = ['/STU3/metadata', '/STU3/Organization'];

/** The targets of a peer's pages, without what the retired service left unencoded. */
const plain = (targets: readonly string[]) =>
  targets.map((target) => target.replace('note=a%20b|c&_count=20&', ''));

describe('a sync from pages', () => {
  it('publishes everything that a peer in legacy JSON has', async (context) => {
    const records = manyRecords(45);
    const peer = await startPeer(context, records);
    const run = createSyncRun(context);
    const { report, isPublished, fetched } = await run.sync(peer.url);
    assert.deepEqual(
      [isPublished, fetched, report.read, report.imported],
      [true, 'everything', 45, 45],
    );
    assert.deepEqual(plain(peer.asked()), [
      ...EVERYTHING,
      '/STU3/Organization?_page=2',
      '/STU3/Organization?_page=3',
    ]);
    assert.deepEqual(await run.records(), records);
    assert.deepEqual(report.warnings, {});
    const current = await run.store.current();
    assert.deepEqual([current?.source, current?.publicationDate], [peer.url, '2026-09-01']);
  });

  it('sends requests within the rate limit', async (context) => {
    const peer = await startPeer(context, manyRecords(45));
    const run = createSyncRun(context);
    await run.sync(peer.url);
    assert.deepEqual(run.pauses, [200, 200, 200]);
  });

  it('then asks for changes since the newest date less the overlap, and merges them', async (context) => {
    const records = manyRecords(45);
    const peer = await startPeer(context, records);
    const run = createSyncRun(context);
    await run.sync(peer.url);
    peer.asked();
    const changed = { ...records[1]!, name: 'ANOTHER', isActive: false, lastUpdated: '2026-09-10' };
    const added = { ...records[0]!, code: 'Q1', lastUpdated: '2026-09-12' };
    // P045 is gone there, which only a sync of everything can find.
    peer.records = [records[0]!, changed, ...records.slice(2, 44), added];
    const { report, fetched } = await run.sync(peer.url, { overlapDays: 3 });
    const first = '/STU3/Organization?_lastUpdated=gt2026-08-29';
    assert.deepEqual(plain(peer.asked()), [first, `${first}&_page=2`, `${first}&_page=3`]);
    assert.deepEqual([fetched, report.read, report.imported], ['changes', 45, 45]);
    assert.deepEqual(await run.records(), [records[0], changed, ...records.slice(2), added]);
    const { edition } = report;
    assert.deepEqual([edition.added, edition.changed, edition.removed], [1, 1, 0]);
    assert.equal(edition.publicationDate, '2026-09-12');
    await run.sync(peer.url, { overlapDays: 3 });
    assert.deepEqual(plain(peer.asked()), ['/STU3/Organization?_lastUpdated=gt2026-09-09']);
  });

  it('publishes nothing where nothing has changed', async (context) => {
    const peer = await startPeer(context, manyRecords(30));
    const run = createSyncRun(context);
    await run.sync(peer.url);
    for (const isFull of [false, true]) {
      const { isPublished, report } = await run.sync(peer.url, { isFull });
      assert.equal(isPublished, false);
      assert.equal(report.edition.number, 1);
    }
    assert.equal((await run.store.list()).length, 1);
  });

  it('leaves everything as it was where no change is found at all', async (context) => {
    const peer = await startPeer(context, manyRecords(3));
    const run = createSyncRun(context);
    await run.sync(peer.url);
    peer.records = [];
    const { isPublished, report } = await run.sync(peer.url);
    assert.deepEqual([isPublished, report.read, report.edition.number], [false, 0, 1]);
    assert.equal((await run.records()).length, 3);
  });

  it('keeps the record it has of what cannot be imported any more', async (context) => {
    const peer = await startPeer(context, manyRecords(3));
    const run = createSyncRun(context);
    await run.sync(peer.url);
    peer.records = [{ ...peer.records[0]!, lastUpdated: '2026-09-10', roles: [] }];
    const { isPublished, report } = await run.sync(peer.url);
    assert.equal(isPublished, false);
    assert.deepEqual(report.leftOut, { 'no-role': { count: 1, examples: ['P001: line 1'] } });
    assert.deepEqual(await run.records(), manyRecords(3));
  });

  for (const [name, options, days] of [
    ['after as many days as the setting says', {}, 30],
    ['when it is asked to', { isFull: true }, 1],
  ] as const) {
    it(`fetches everything again ${name}, and finds removals`, async (context) => {
      const peer = await startPeer(context, manyRecords(30));
      const run = createSyncRun(context);
      await run.sync(peer.url);
      peer.records.pop();
      run.nowMs += days * DAY_MS;
      peer.asked();
      const { report, fetched } = await run.sync(peer.url, options);
      assert.equal(fetched, 'everything');
      assert.deepEqual(plain(peer.asked()), [...EVERYTHING, '/STU3/Organization?_page=2']);
      assert.deepEqual([report.edition.records, report.edition.removed], [29, 1]);
    });
  }

  it('counts the days from the last time that everything was fetched', async (context) => {
    const peer = await startPeer(context, manyRecords(3));
    const run = createSyncRun(context);
    await run.sync(peer.url);
    const ways: string[] = [];
    for (let day = 10; day <= 40; day += 10) {
      run.nowMs += 10 * DAY_MS;
      ways.push((await run.sync(peer.url)).fetched);
    }
    assert.deepEqual(ways, ['changes', 'changes', 'everything', 'changes']);
  });

  it('does not wait for a date in the future', async (context) => {
    const peer = await startPeer(context, [
      ...manyRecords(2),
      { ...manyRecords(1)[0]!, code: 'Z1', lastUpdated: '9999-01-01' },
    ]);
    const run = createSyncRun(context);
    await run.sync(peer.url);
    peer.asked();
    await run.sync(peer.url);
    assert.deepEqual(peer.asked(), ['/STU3/Organization?_lastUpdated=gt2026-08-25']);
  });

  it('fetches everything after another import, a rollback, and from another address', async (context) => {
    const peer = await startPeer(context, manyRecords(3));
    const run = createSyncRun(context);
    await run.sync(peer.url);
    await importOther(run);
    assert.equal((await run.sync(peer.url)).fetched, 'everything');
    await run.store.rollback(1);
    assert.equal((await run.sync(peer.url)).fetched, 'everything');
    assert.equal((await run.sync(peer.url)).fetched, 'changes');
    const other = peer.url.replace('127.0.0.1', 'localhost');
    assert.equal((await run.sync(other)).fetched, 'everything');
    assert.equal((await run.sync(peer.url)).fetched, 'everything');
  });

  it('continues with changes where it ended between publishing and saying so', async (context) => {
    const peer = await startPeer(context, manyRecords(3));
    const run = createSyncRun(context);
    await run.sync(peer.url);
    const state = readFileSync(join(run.folder, 'state.json'));
    peer.records.push({ ...peer.records[0]!, code: 'Q1' });
    await run.sync(peer.url);
    writeFileSync(join(run.folder, 'state.json'), state);
    assert.deepEqual(
      [(await run.sync(peer.url)).fetched, (await run.store.current())?.number],
      ['changes', 2],
    );
  });

  it('refuses to drop many organisations, and publishes what came once it is allowed', async (context) => {
    const peer = await startPeer(context, manyRecords(40));
    const run = createSyncRun(context);
    await run.sync(peer.url);
    peer.records.length = 30;
    peer.asked();
    await assert.rejects(
      run.sync(peer.url, { isFull: true }),
      /does not have 10 of the 40 .*--allow-shrink/,
    );
    assert.equal((await run.records()).length, 40);
    await assert.rejects(run.sync(peer.url, { isFull: true }), /--allow-shrink/);
    assert.equal(peer.asked().length, 6);
    const { report } = await run.sync(peer.url, { isFull: true, allowShrink: true });
    assert.deepEqual(peer.asked(), []);
    assert.equal(report.edition.records, 30);
  });

  it('says in its own words how many are missing, and what to do if that is right', async (context) => {
    const peer = await startPeer(context, manyRecords(1300));
    const run = createSyncRun(context);
    await run.sync(peer.url);
    peer.records.length = 200;
    await assert.rejects(run.sync(peer.url, { isFull: true }), {
      name: 'SourceError',
      message:
        `${peer.url} does not have 1,100 of the 1,300 organisations (85 %) of edition 1. ` +
        'If this is correct, sync again with --allow-shrink.',
    });
  });

  it('drops as many as a tenth without being allowed to', async (context) => {
    const peer = await startPeer(context, manyRecords(40));
    const run = createSyncRun(context);
    await run.sync(peer.url);
    peer.records.length = 36;
    assert.equal((await run.sync(peer.url, { isFull: true })).report.edition.removed, 4);
  });

  for (const allowShrink of [false, true]) {
    it(`publishes nothing of a peer that is empty: --allow-shrink ${allowShrink}`, async (context) => {
      const peer = await startPeer(context, []);
      const run = createSyncRun(context);
      const message = `${peer.url} has no organisations. Nothing was published.`;
      for (const requests of [2, 2]) {
        peer.asked();
        const refused = { name: 'SourceError', message };
        await assert.rejects(run.sync(peer.url, { allowShrink }), refused);
        assert.equal(peer.asked().length, requests);
      }
      assert.equal(await run.store.current(), undefined);
    });
  }

  it('keeps the order of codes, so that entity tags of what stays the same stay the same', async (context) => {
    const records = manyRecords(3);
    const peer = await startPeer(context, records);
    const run = createSyncRun(context);
    await run.sync(peer.url);
    const role = { code: '76', isPrimary: true, isActive: true, periods: [] };
    peer.records = [{ ...records[0]!, code: 'A1', roles: [role] }, ...records];
    for (const isFull of [false, true]) {
      await run.sync(peer.url, { isFull });
      const arrays = await run.store.load(2);
      const { roles } = JSON.parse(Buffer.from(arrays['code-systems']!).toString());
      assert.deepEqual(
        roles.map(({ code }: { code: string }) => code),
        ['177', '76'],
      );
    }
  });

  it('leaves nothing behind but a small private file', async (context) => {
    const peer = await startPeer(context, manyRecords(30));
    const run = createSyncRun(context);
    await run.sync(peer.url);
    assert.equal(existsSync(join(run.folder, 'organizations.ndjson')), false);
    assert.equal(statSync(run.folder).mode & 0o777, 0o700);
    assert.equal(statSync(join(run.folder, 'state.json')).mode & 0o777, 0o600);
  });
});

async function importOther({ store, nowMs }: SyncRun): Promise<void> {
  const { rows, codes } = {
    rows: manyRecords(2),
    codes: { roles: [], relationships: [], recordClasses: [] },
  };
  await importEdition({
    store,
    source: 'release.xml',
    read: async (receiver) => {
      for (const record of rows) receiver.record(record);
      receiver.codeSystems(codes);
      receiver.manifest({
        publicationDate: new Date(nowMs).toISOString().slice(0, 10),
        publicationType: 'Full',
      });
    },
    onProgress: () => {},
    onBuild: () => {},
    keep: 3,
    allowShrink: true,
    stopped: new AbortController().signal,
  });
}
