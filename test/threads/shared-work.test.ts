/** Work that several requests wait for stops when the last of them leaves. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type SharedWorkOptions, shareWork } from '../../src/threads/shared-work.ts';

/** Work that goes on until it may end. */
function openWork(options: SharedWorkOptions = {}) {
  const state = { mayEnd: false, pieces: 0 };
  const work = shareWork(async (pause) => {
    while (!state.mayEnd) {
      await pause();
      await nextTurn();
      state.pieces += 1;
    }
    return 'done';
  }, options);
  return { state, work };
}

describe('shared work', () => {
  it('goes on for those who stay', async () => {
    const { state, work } = openWork();
    const one = new AbortController();
    const left = work.wait(one.signal);
    const stays = work.wait(new AbortController().signal);
    one.abort(new Error('left'));
    await assert.rejects(left, /left/);
    assert.equal(work.isStopped, false);
    state.mayEnd = true;
    assert.equal(await stays, 'done');
    assert.equal(await work.wait(), 'done');
  });

  it('stops at its next pause when all have left', async () => {
    const { work } = openWork();
    const clients = [new AbortController(), new AbortController()];
    const waits = clients.map(({ signal }) => work.wait(signal));
    for (const client of clients) client.abort(new Error('left'));
    for (const wait of waits) await assert.rejects(wait, /left/);
    assert.equal(work.isStopped, true);
    await assert.rejects(work.wait(), /aborted/);
  });

  it('goes on without a signal', async () => {
    const { state, work } = openWork();
    const client = new AbortController();
    const stays = work.wait();
    const left = work.wait(client.signal);
    client.abort(new Error('left'));
    await assert.rejects(left, /left/);
    state.mayEnd = true;
    assert.equal(await stays, 'done');
  });

  it('is not waited for by who has left before', async () => {
    const { state, work } = openWork();
    await assert.rejects(work.wait(AbortSignal.abort(new Error('left'))), /left/);
    state.mayEnd = true;
    assert.equal(await work.wait(), 'done');
  });

  it('fails for all who wait', async () => {
    const work = shareWork(async () => {
      throw new Error('broken');
    });
    await assert.rejects(work.wait(), /broken/);
    await assert.rejects(work.wait(new AbortController().signal), /broken/);
  });

  it('must begin anew when it has failed, also while nobody waits', async () => {
    for (const whenLeft of ['stop', 'sleep'] as const) {
      const broken = Promise.withResolvers<never>();
      const work = shareWork(() => broken.promise, { whenLeft });
      const client = new AbortController();
      const left = work.wait(client.signal);
      client.abort(new Error('left'));
      await assert.rejects(left, /left/);
      broken.reject(new Error('broken'));
      await nextTurn();
      assert.equal(work.isStopped, true, whenLeft);
    }
  });

  it('sleeps when all have left, and goes on where it is for the next one', async (context) => {
    // Each piece takes a slice.
    let now = 0;
    context.mock.method(performance, 'now', () => {
      now += 10;
      return now;
    });
    const { state, work } = openWork({ whenLeft: 'sleep' });
    const client = new AbortController();
    const left = work.wait(client.signal);
    while (state.pieces < 3) await nextTurn();
    client.abort(new Error('left'));
    await assert.rejects(left, /left/);
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    const { pieces } = state;
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    assert.equal(state.pieces, pieces);
    assert.equal(work.isStopped, false);
    const stays = work.wait(new AbortController().signal);
    while (state.pieces === pieces) await nextTurn();
    assert.ok(state.pieces > pieces);
    state.mayEnd = true;
    assert.equal(await stays, 'done');
  });
});
