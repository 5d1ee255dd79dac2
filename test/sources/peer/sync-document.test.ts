/** A peer that is Gazetteer: one document, and nothing at all where that is known. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { linesOf, resourceOf } from '../fhir/fhir-fixture.ts';
import { manyRecords, type ScriptedPeer, sendJson, startPeer } from './scripted-peer.ts';
import { createSyncRun } from './sync-run.ts';

const DOCUMENT = '/editions/current.ndjson';

/** A Gazetteer of an earlier version has no document in the form of the release. */
function asked(peer: ScriptedPeer): string[] {
  return peer.asked().filter((target) => target !== '/editions/current.xml');
}

/** A peer that answers as Gazetteer does; `send` answers in place of the document where it says so. */
async function startGazetteer(context: TestContext, count: number) {
  const peer = await startPeer(context, manyRecords(count));
  const gazetteer = {
    etag: 'W/"1-ndjson"',
    send: (_: ServerResponse) => false,
  };
  peer.answer = ({ url, headers }, response) => {
    if (url === '/STU3/metadata') {
      sendJson(response, {
        resourceType: 'CapabilityStatement',
        fhirVersion: '3.0.2',
        software: { name: 'Gazetteer' },
      });
    } else if (url !== DOCUMENT) {
      return false;
    } else if (!gazetteer.send(response)) {
      const { etag } = gazetteer;
      if (headers['if-none-match'] === etag) {
        response.writeHead(304).end();
      } else {
        response.writeHead(200, { 'Content-Type': 'application/fhir+ndjson', ETag: etag });
        response.end(documentOf(peer));
      }
    }
    return true;
  };
  return { peer, gazetteer };
}

const documentOf = ({ records }: ScriptedPeer) =>
  linesOf(records.map((record) => resourceOf(record)));

describe('a sync from a Gazetteer', () => {
  it('takes one request, and none of the document where its entity tag is the same', async (context) => {
    const { peer, gazetteer } = await startGazetteer(context, 30);
    const run = createSyncRun(context);
    const first = await run.sync(peer.url);
    assert.deepEqual([first.isPublished, first.fetched], [true, 'everything']);
    assert.deepEqual(await run.records(), manyRecords(30));
    assert.deepEqual(asked(peer), ['/STU3/metadata', DOCUMENT]);
    const second = await run.sync(peer.url);
    assert.deepEqual([second.isPublished, second.fetched], [false, 'nothing']);
    assert.deepEqual(readdirSync(run.folder), ['state.json']);
    peer.records.pop();
    gazetteer.etag = 'W/"2-ndjson"';
    const third = await run.sync(peer.url);
    assert.deepEqual([third.report.edition.records, third.report.edition.removed], [29, 1]);
    assert.deepEqual(asked(peer), [DOCUMENT, DOCUMENT]);
  });

  it('publishes nothing of a document that is empty', async (context) => {
    const { peer } = await startGazetteer(context, 0);
    const run = createSyncRun(context);
    await assert.rejects(run.sync(peer.url), {
      name: 'SourceError',
      message: `${peer.url} has no organisations. Nothing was published.`,
    });
  });

  it('reads the document again when it is asked to, or when something else is current', async (context) => {
    const { peer } = await startGazetteer(context, 30);
    const run = createSyncRun(context);
    await run.sync(peer.url);
    assert.equal((await run.sync(peer.url, { isFull: true })).fetched, 'everything');
    const { peer: other } = await startGazetteer(context, 29);
    await run.sync(other.url);
    await run.store.rollback(1);
    assert.equal((await run.sync(other.url)).fetched, 'everything');
    assert.equal((await run.store.current())?.records, 29);
  });

  it('begins anew where the document is cut off', async (context) => {
    const { peer, gazetteer } = await startGazetteer(context, 30);
    const run = createSyncRun(context);
    let cuts = 1;
    gazetteer.send = (response) => {
      if (cuts-- <= 0) return false;
      response.writeHead(200, { 'Content-Type': 'application/fhir+ndjson' });
      response.write(documentOf(peer).slice(0, 5000));
      setTimeout(() => response.destroy(), 20);
      return true;
    };
    await run.sync(peer.url);
    assert.deepEqual(await run.records(), manyRecords(30));
    assert.deepEqual(asked(peer), ['/STU3/metadata', DOCUMENT, DOCUMENT]);
  });

  for (const [name, spoil] of [
    ['is not there', (response: ServerResponse) => response.writeHead(404).end()],
    [
      'is a page for people',
      (response: ServerResponse) =>
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>'),
    ],
  ] as const) {
    it(`reads pages where the document ${name}`, async (context) => {
      const { peer, gazetteer } = await startGazetteer(context, 30);
      const run = createSyncRun(context);
      gazetteer.send = (response) => {
        spoil(response);
        return true;
      };
      await run.sync(peer.url);
      assert.deepEqual(await run.records(), manyRecords(30));
      assert.equal(asked(peer).length, 4);
      assert.equal((await run.sync(peer.url)).fetched, 'changes');
    });
  }

  it('goes over to pages where the document is gone, and back', async (context) => {
    const { peer, gazetteer } = await startGazetteer(context, 3);
    const run = createSyncRun(context);
    await run.sync(peer.url);
    gazetteer.send = (response) => {
      response.writeHead(404).end();
      return true;
    };
    assert.equal((await run.sync(peer.url)).fetched, 'changes');
    gazetteer.send = () => false;
    asked(peer);
    await run.sync(peer.url, { isFull: true });
    assert.deepEqual(asked(peer), ['/STU3/metadata', DOCUMENT]);
  });

  it('refuses a document that is larger than may be unpacked', async (context) => {
    const { peer } = await startGazetteer(context, 30);
    const run = createSyncRun(context);
    await assert.rejects(run.sync(peer.url, { bytesMax: 3000 }), /more than 3000 bytes/);
    assert.equal(await run.store.current(), undefined);
  });
});
