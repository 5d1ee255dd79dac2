/** The editions that a sync publishes, and what it requests for them. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { importEdition } from '../../../src/directory/import/import-edition.ts';
import { rollBack } from '../../../src/directory/import/roll-back.ts';
import { LINES, manyRecords, RELEASE, releaseOf, startPeer } from './scripted-peer.ts';
import { createSyncRun, type SyncRun } from './sync-run.ts';

async function codesOf(run: SyncRun): Promise<string[]> {
  return (await run.records()).map(({ code }) => code);
}

describe('a sync', () => {
  it('takes one request, and downloads nothing if the entity tag is the same', async (context) => {
    const peer = await startPeer(context, manyRecords(30));
    const run = createSyncRun(context);
    const first = await run.sync(peer.url);
    assert.deepEqual(
      [first.isPublished, first.fetched, first.report.read],
      [true, 'everything', 30],
    );
    assert.deepEqual(first.report.warnings, {});
    assert.deepEqual(peer.asked(), [RELEASE]);
    const current = await run.store.current();
    assert.deepEqual([current?.source, current?.publicationDate], [peer.url, '2026-08-28']);
    const second = await run.sync(peer.url);
    assert.deepEqual([second.isPublished, second.fetched], [false, 'nothing']);
    assert.equal((await run.store.list()).length, 1);
  });

  it('follows what was changed, added and removed', async (context) => {
    const records = manyRecords(30);
    const peer = await startPeer(context, records);
    const run = createSyncRun(context);
    await run.sync(peer.url);
    const added = { ...records[0]!, code: 'Q1' };
    peer.records = [
      records[0]!,
      { ...records[1]!, name: 'ANOTHER' },
      ...records.slice(2, 29),
      added,
    ];
    peer.etag = 'W/"2"';
    const { edition } = (await run.sync(peer.url)).report;
    assert.deepEqual([edition.added, edition.changed, edition.removed], [1, 1, 1]);
    assert.equal((await run.records())[1]?.name, 'ANOTHER');
    assert.deepEqual(
      await codesOf(run),
      peer.records.map(({ code }) => code),
    );
  });

  it('downloads again on request, and publishes nothing if nothing has changed', async (context) => {
    const peer = await startPeer(context, manyRecords(30));
    const run = createSyncRun(context);
    await run.sync(peer.url);
    const { fetched, isPublished, report } = await run.sync(peer.url, { isFull: true });
    assert.deepEqual([fetched, isPublished, report.edition.number], ['everything', false, 1]);
  });

  it('reads FHIR if the peer has no release', async (context) => {
    const peer = await startPeer(context, manyRecords(30));
    peer.hasRelease = false;
    const run = createSyncRun(context);
    await run.sync(peer.url);
    assert.deepEqual(await run.records(), manyRecords(30));
    assert.deepEqual(peer.asked(), [RELEASE, LINES]);
    assert.equal((await run.sync(peer.url)).fetched, 'nothing');
    peer.records.pop();
    peer.etag = 'W/"2"';
    assert.equal((await run.sync(peer.url)).report.edition.removed, 1);
  });

  for (const [name, spoil] of [
    ['has no edition there', (response: ServerResponse) => response.writeHead(404).end()],
    ['has other media types', (response: ServerResponse) => response.writeHead(406).end()],
    [
      'has a page for people there',
      (response: ServerResponse) =>
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>'),
    ],
  ] as const) {
    it(`says what to do if the peer ${name}, which is then no Gazetteer`, async (context) => {
      const peer = await startPeer(context, manyRecords(30));
      peer.answer = (_, response) => {
        spoil(response);
        return true;
      };
      await assert.rejects(createSyncRun(context).sync(peer.url), {
        name: 'SourceError',
        message:
          `${peer.url} does not offer its edition: ${peer.origin}${RELEASE} is not a release. ` +
          'A sync copies only from a Gazetteer, by the FHIR base in its links. From another ' +
          'server, save all Organizations of STU3 in a file, and import it.',
      });
      assert.deepEqual(peer.asked(), [RELEASE, LINES]);
    });
  }

  it('downloads everything after another import, a rollback, and from another address', async (context) => {
    const peer = await startPeer(context, manyRecords(3));
    const run = createSyncRun(context);
    await run.sync(peer.url);
    await importOther(run);
    assert.equal((await run.sync(peer.url, { allowShrink: true })).fetched, 'everything');
    await rollBack(run.store, 1);
    assert.equal((await run.sync(peer.url)).fetched, 'everything');
    assert.equal((await run.sync(peer.url)).fetched, 'nothing');
    const other = peer.url.replace('127.0.0.1', 'localhost');
    assert.equal((await run.sync(other)).fetched, 'everything');
    assert.equal((await run.sync(peer.url)).fetched, 'everything');
  });

  for (const [name, spoil] of [
    ['is lost', ''],
    ['is not valid', '{"peer":1}'],
    [
      'is that of an earlier version',
      '{"peer":"PEER","way":"document","inStep":{"number":1,"publishedAt":"x","fullAt":"2026-09-15T12:00:00Z","etag":"W/\\"1\\""}}',
    ],
  ] as const) {
    it(`downloads everything if the state ${name}`, async (context) => {
      const peer = await startPeer(context, manyRecords(3));
      const run = createSyncRun(context);
      await run.sync(peer.url);
      writeFileSync(join(run.folder, 'state.json'), spoil.replace('PEER', peer.url));
      const { fetched, isPublished } = await run.sync(peer.url);
      assert.deepEqual([fetched, isPublished], ['everything', false]);
    });
  }

  it('refuses to drop many organisations', async (context) => {
    const peer = await startPeer(context, manyRecords(40));
    const run = createSyncRun(context);
    await run.sync(peer.url);
    peer.records.length = 30;
    peer.etag = 'W/"2"';
    for (const isFull of [false, true]) {
      await assert.rejects(run.sync(peer.url, { isFull }), /10 of the 40 .*--allow-shrink/);
    }
    assert.equal((await run.records()).length, 40);
    const { report } = await run.sync(peer.url, { allowShrink: true });
    assert.equal(report.edition.records, 30);
  });

  it('drops as many as a tenth without --allow-shrink', async (context) => {
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
      const message = new RegExp(`^${peer.url} has no organisation that can be imported`);
      await assert.rejects(run.sync(peer.url, { allowShrink }), { name: 'SourceError', message });
      assert.equal(await run.store.current(), undefined);
    });
  }

  it('begins again if the download is cut off', async (context) => {
    const peer = await startPeer(context, manyRecords(30));
    const run = createSyncRun(context);
    let cuts = 1;
    peer.answer = (_, response) => {
      cuts -= 1;
      if (cuts < 0) return false;
      response.writeHead(200, { 'Content-Type': 'application/xml' });
      response.write(releaseOf(peer).slice(0, 5000));
      setTimeout(() => response.destroy(), 20);
      return true;
    };
    await run.sync(peer.url);
    assert.equal((await run.records()).length, 30);
    assert.deepEqual(peer.asked(), [RELEASE, RELEASE]);
  });

  it('changes nothing if it is stopped', async (context) => {
    const peer = await startPeer(context, manyRecords(30));
    const run = createSyncRun(context);
    const stop = new AbortController();
    peer.answer = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/xml' }).write('<');
      stop.abort(new Error('stopped'));
      return true;
    };
    await assert.rejects(run.sync(peer.url, { stopped: stop.signal }), /stopped/);
    assert.equal(await run.store.current(), undefined);
    assert.deepEqual(readdirSync(run.folder), []);
  });

  it('refuses a download that is larger than may be unpacked', async (context) => {
    const peer = await startPeer(context, manyRecords(30));
    const run = createSyncRun(context);
    await assert.rejects(
      run.sync(peer.url, { bytesMax: 3000 }),
      /more than 3000 bytes\. If this is correct, raise import\.unpackedMax\.$/,
    );
    assert.equal(await run.store.current(), undefined);
  });

  it('leaves nothing behind but a small private file', async (context) => {
    const peer = await startPeer(context, manyRecords(30));
    const run = createSyncRun(context);
    await run.sync(peer.url);
    assert.deepEqual(readdirSync(run.folder), ['state.json']);
    assert.equal(statSync(run.folder).mode & 0o777, 0o700);
    assert.equal(statSync(join(run.folder, 'state.json')).mode & 0o777, 0o600);
    assert.equal(JSON.parse(readFileSync(join(run.folder, 'state.json'), 'utf8')).peer, peer.url);
  });
});

async function importOther({ store, nowMs }: SyncRun): Promise<void> {
  await importEdition({
    store,
    source: 'release.xml',
    read: async (receiver) => {
      for (const record of manyRecords(2)) receiver.record(record);
      receiver.codeSystems({ roles: [], relationships: [], recordClasses: [] });
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
