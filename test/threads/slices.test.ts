/** Slices of long work leave time for others. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Work } from '../../src/threads/work.ts';
import { scriptedTurns } from './scripted-turns.ts';

const places = { inAll: 3, ofKind: 2, ofClient: 2 };

describe('slices', () => {
  it('of one client leave three times their time to others that wait', async () => {
    const turns = scriptedTurns(() => 1);
    const work = new Work({ places, waitMs: 0 }, turns);
    const jobs = await Promise.all(
      ['reports', 'tables'].map((kind) => work.enter({ kind, client: 'a' })),
    );
    const slice = () => {
      turns.clock.now += 4;
    };
    for (let round = 0; round < 10; round++) {
      await Promise.all(jobs.map((place) => place.slice(slice)));
    }
    await jobs[0]!.slice(() => {});
    const used = 20 * 4;
    assert.equal(turns.clock.now, used + 3 * used);
  });

  it('go on at once while nobody waits', async () => {
    const turns = scriptedTurns(() => 0);
    const work = new Work({ places, waitMs: 0 }, turns);
    const place = await work.enter({ kind: 'reports', client: 'a' });
    for (let round = 0; round < 10; round++) {
      await place.slice(() => {
        turns.clock.now += 4;
      });
    }
    assert.equal(turns.clock.now, 40);
  });

  it('of different clients do not begin in the same turn', async () => {
    const turns = scriptedTurns(() => 1);
    const work = new Work({ places: { inAll: 16, ofKind: 16, ofClient: 1 }, waitMs: 0 }, turns);
    const begun: number[] = [];
    const jobs = Array.from({ length: 16 }, async (_, at) => {
      const place = await work.enter({ kind: 'reports', client: `client ${at}` });
      for (let slice = 0; slice < 3; slice++) {
        await place.slice(() => {
          begun.push(turns.clock.turn);
          turns.clock.now += 8;
        });
      }
    });
    await Promise.all(jobs);
    assert.equal(begun.length, 3 * 16);
    assert.equal(new Set(begun).size, begun.length);
    assert.equal(work.sliceCount, begun.length);
  });

  it('of all clients together leave as much time to others that wait', async () => {
    const turns = scriptedTurns(() => 1);
    const work = new Work({ places: { inAll: 16, ofKind: 16, ofClient: 1 }, waitMs: 0 }, turns);
    let used = 0;
    const jobs = Array.from({ length: 16 }, async (_, at) => {
      const place = await work.enter({ kind: 'reports', client: `client ${at}` });
      for (let slice = 0; slice < 3; slice++) {
        await place.slice(() => {
          turns.clock.now += 8;
          used += 8;
        });
      }
    });
    await Promise.all(jobs);
    // The last one need not be followed by others.
    assert.ok(turns.clock.now >= 2 * used - 8, `${turns.clock.now} ms`);
  });

  it('leave others several turns, also long ones: each accepts one connection', async () => {
    const turns = scriptedTurns(() => 20);
    const work = new Work({ places, waitMs: 0 }, turns);
    const begun: number[] = [];
    const jobs = ['a', 'b', 'c'].map(async (client) => {
      const place = await work.enter({ kind: client, client });
      await place.slice(() => {
        begun.push(turns.clock.turn);
        turns.clock.now += 8;
      });
    });
    await Promise.all(jobs);
    const between = begun.slice(1).map((turn, at) => turn - begun[at]!);
    assert.ok(Math.min(...between) >= 8, `${between} turns`);
  });

  // When short slices shared a turn, the server began work for queued clients before it noticed that
  // they had left. In `bench leaving`, new connections then waited for seconds.
  it('that are short leave at least eight turns to others, so that the thread accepts connections', async () => {
    const turns = scriptedTurns(() => 4);
    const work = new Work({ places, waitMs: 0 }, turns);
    const begun: number[] = [];
    const short = () => {
      begun.push(turns.clock.turn);
      turns.clock.now += 0.125;
    };
    const job = () => ({ kind: 'reports', client: 'a' });
    await Promise.all(Array.from({ length: 20 }, () => work.run(job, short)));
    const between = begun.slice(1).map((turn, at) => turn - begun[at]!);
    assert.ok(Math.min(...between) >= 8, `${between} turns`);
  });

  it('do not begin while one waits for something else', async () => {
    const turns = scriptedTurns(() => 4);
    const work = new Work({ places, waitMs: 0 }, turns);
    const slow = Promise.withResolvers<void>();
    const begun: number[] = [];
    const job = () => ({ kind: 'reports', client: 'a' });
    const first = work.run(job, () => slow.promise);
    const second = work.run(job, () => begun.push(turns.clock.turn));
    await second;
    assert.equal(begun[0]! >= 2, true);
    slow.resolve();
    await first;
  });

  it('of jobs that go on for others after their client has left do neither', async () => {
    const turns = scriptedTurns(() => 1);
    const work = new Work({ places, waitMs: 0 }, turns);
    const begun: number[] = [];
    const jobs = ['a', 'b'].map(async (client) => {
      const place = await work.enter({ kind: 'reports', client });
      place.end();
      for (let slice = 0; slice < 3; slice++) {
        await place.slice(() => {
          begun.push(turns.clock.turn);
          turns.clock.now += 8;
        });
      }
    });
    await Promise.all(jobs);
    assert.equal(begun.length, 2 * 3);
    assert.equal(new Set(begun).size, begun.length);
  });

  it('of one client do not wait for those of another', async () => {
    const work = new Work({ places, waitMs: 0 });
    const slow = await work.enter({ kind: 'reports', client: 'a' });
    const other = await work.enter({ kind: 'reports', client: 'b' });
    const { promise, resolve } = Promise.withResolvers<void>();
    const unfinished = slow.slice(() => promise);
    assert.equal(await other.slice(() => 'made'), 'made');
    resolve();
    await unfinished;
  });

  it('that fail reject, and the next ones run', async () => {
    const work = new Work({ places, waitMs: 0 });
    const place = await work.enter({ kind: 'reports', client: 'a' });
    const fault = new Error('fault');
    await assert.rejects(
      place.slice(() => {
        throw fault;
      }),
      fault,
    );
    assert.equal(await place.slice(() => 'made'), 'made');
  });
});
