/** Pages that do not add up, and syncs that are interrupted between them. */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { manyRecords, type ScriptedPeer, startPeer } from './scripted-peer.ts';
import { createSyncRun, type SyncRun } from './sync-run.ts';

const pageOf = (target: string) => Number(/_page=(\d+)/.exec(target)?.[1] ?? 1);
/** The numbers of the pages that were asked for since the last time. */
const pagesAsked = (peer: ScriptedPeer) =>
  peer
    .asked()
    .filter((target) => target.includes('/Organization'))
    .map(pageOf);

describe('pages that do not add up', () => {
  it('are not published where fewer organisations come than the total says', async (context) => {
    const peer = await startPeer(context, manyRecords(50));
    const run = createSyncRun(context);
    peer.change = (bundle) => ({ ...bundle, total: '51' });
    await assert.rejects(run.sync(peer.url), /says that there are 51 .* pages have 50: nothing is/);
    assert.equal(await run.store.current(), undefined);
    peer.change = (bundle) => bundle;
    peer.asked();
    await run.sync(peer.url);
    assert.deepEqual(pagesAsked(peer), [1, 2, 3]);
  });

  it('are counted by code: the same one twice is one', async (context) => {
    const peer = await startPeer(context, manyRecords(30));
    const run = createSyncRun(context);
    peer.records[25] = peer.records[3]!;
    await assert.rejects(run.sync(peer.url), /says that there are 30 .* pages have 29/);
  });

  it('may go without a total, and with remarks between the matches', async (context) => {
    const peer = await startPeer(context, manyRecords(30));
    const run = createSyncRun(context);
    peer.change = ({ total: _, ...bundle }) => ({
      ...bundle,
      entry: [
        { search: { mode: 'outcome' }, resource: { resourceType: 'OperationOutcome' } },
        ...bundle.entry,
      ],
    });
    assert.equal((await run.sync(peer.url)).report.edition.records, 30);
  });

  it('are fetched again where the total changes on the way', async (context) => {
    const peer = await startPeer(context, manyRecords(45));
    const run = createSyncRun(context);
    let isFirst = true;
    peer.change = (bundle, page) => {
      if (page === 2 && isFirst) peer.records.push({ ...peer.records[0]!, code: 'Q1' });
      if (page === 2) isFirst = false;
      return bundle;
    };
    assert.equal((await run.sync(peer.url)).report.edition.records, 46);
    assert.deepEqual(pagesAsked(peer), [1, 2, 3, 1, 2, 3]);
    assert.ok(
      run.lines.some((line) => /45 organisations became 46\. Starting again\.$/.test(line)),
    );
  });

  it('are given up where the total changes each time', async (context) => {
    const peer = await startPeer(context, manyRecords(30));
    const run = createSyncRun(context);
    let total = 30;
    peer.change = (bundle) => ({ ...bundle, total: total++ });
    await assert.rejects(run.sync(peer.url), /changed while it was read: .*, 3 times in a row\./);
    assert.deepEqual(pagesAsked(peer), [1, 2, 1, 2, 1, 2]);
  });

  it('are given up where they go in circles', async (context) => {
    const peer = await startPeer(context, manyRecords(30));
    const run = createSyncRun(context);
    peer.change = (bundle) => ({
      ...bundle,
      total: undefined,
      link: [{ relation: 'next', url: `${peer.url}/Organization?_page=1` }],
    });
    await assert.rejects(run.sync(peer.url), /The pages of \S+ repeat/);
    assert.deepEqual(pagesAsked(peer), [1, 1]);
  });
});

describe('a next page that is gone', () => {
  it('makes the sync start again', async (context) => {
    const peer = await startPeer(context, manyRecords(50));
    const run = createSyncRun(context);
    let gone = 1;
    peer.answer = ({ url = '' }, response) => {
      if (pageOf(url) !== 3 || gone-- <= 0) return false;
      response.writeHead(410).end();
      return true;
    };
    assert.equal((await run.sync(peer.url)).report.edition.records, 50);
    assert.deepEqual(pagesAsked(peer), [1, 2, 3, 1, 2, 3]);
  });

  it('does so a few times only', async (context) => {
    const peer = await startPeer(context, manyRecords(50));
    const run = createSyncRun(context);
    peer.answer = ({ url = '' }, response) => {
      if (pageOf(url) === 3) response.writeHead(410).end();
      return pageOf(url) === 3;
    };
    await assert.rejects(run.sync(peer.url), /no longer has the next page, 3 times in a row/);
    assert.deepEqual(pagesAsked(peer), [1, 2, 3, 1, 2, 3, 1, 2, 3]);
  });

  it('is an error where it is the first one', async (context) => {
    const peer = await startPeer(context, manyRecords(3));
    peer.answer = ({ url = '' }, response) => {
      if (url.includes('Organization')) response.writeHead(410).end();
      return url.includes('Organization');
    };
    await assert.rejects(createSyncRun(context).sync(peer.url), /answers 410\.$/);
  });
});

/** A sync that ended when it had two of three pages. */
async function interrupt(run: SyncRun, peer: ScriptedPeer): Promise<void> {
  const stop = new AbortController();
  peer.answer = ({ url = '' }) => {
    if (pageOf(url) === 3) stop.abort(new Error('stopped'));
    return pageOf(url) === 3;
  };
  await assert.rejects(run.sync(peer.url, { stopped: stop.signal }), /stopped/);
  peer.answer = () => false;
  assert.deepEqual(pagesAsked(peer), [1, 2, 3]);
  assert.equal(await run.store.current(), undefined);
}

describe('a sync that was interrupted', () => {
  const spoolOf = (run: SyncRun) => join(run.folder, 'organizations.ndjson');
  const stateOf = (run: SyncRun) => join(run.folder, 'state.json');
  for (const [name, harm, pages] of [
    ['continues with the page that it stopped at', () => {}, [3]],
    [
      'passes over half a page that was being written',
      (run: SyncRun) => appendFileSync(spoolOf(run), '{"resourceType":"Organization","id":"P9'),
      [3],
    ],
    [
      'passes over half a state that was being written',
      (run: SyncRun) => writeFileSync(`${stateOf(run)}.new`, '{"peer'),
      [3],
    ],
    [
      'starts again where pages are lost',
      (run: SyncRun) => truncateSync(spoolOf(run), 1000),
      [1, 2, 3],
    ],
    ['starts again without a state', (run: SyncRun) => writeFileSync(stateOf(run), ''), [1, 2, 3]],
    [
      'starts again with a state that is not valid',
      (run: SyncRun) => writeFileSync(stateOf(run), '{"peer":1}'),
      [1, 2, 3],
    ],
    [
      'starts again after a day',
      (run: SyncRun) => {
        run.nowMs += 86_400_000;
      },
      [1, 2, 3],
    ],
  ] as const) {
    it(name, async (context) => {
      const peer = await startPeer(context, manyRecords(50));
      const run = createSyncRun(context);
      await interrupt(run, peer);
      harm(run);
      const { report, isPublished } = await run.sync(peer.url);
      assert.deepEqual([isPublished, report.edition.records], [true, 50]);
      assert.deepEqual(await run.records(), manyRecords(50));
      assert.deepEqual(pagesAsked(peer), pages);
      assert.equal(JSON.parse(readFileSync(stateOf(run), 'utf8')).part, undefined);
    });
  }

  for (const status of [400, 404, 410]) {
    it(`starts again where the page is gone by then: ${status}`, async (context) => {
      const peer = await startPeer(context, manyRecords(50));
      const run = createSyncRun(context);
      await interrupt(run, peer);
      let gone = 1;
      peer.answer = (_, response) => {
        if (gone-- <= 0) return false;
        response.writeHead(status).end();
        return true;
      };
      await run.sync(peer.url);
      assert.deepEqual(pagesAsked(peer), [3, 1, 2, 3]);
    });
  }

  it('is of no use for another peer', async (context) => {
    const peer = await startPeer(context, manyRecords(50));
    const run = createSyncRun(context);
    await interrupt(run, peer);
    await run.sync(peer.url.replace('127.0.0.1', 'localhost')).catch(() => undefined);
    assert.deepEqual(pagesAsked(peer)[0], 1);
  });
});
