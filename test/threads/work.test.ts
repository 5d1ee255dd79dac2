/** Long work has a place, waits for one, and leaves time for others. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { NoPlaceError, Work } from '../../src/threads/work.ts';
import { scriptedTurns } from './scripted-turns.ts';

const places = { inAll: 3, ofKind: 2, ofClient: 2 };

describe('places', () => {
  it('are limited in all, for a kind and for a client', async () => {
    const work = new Work({ places, waitMs: 0 });
    const enter = (kind: string, client: string) => work.enter({ kind, client });
    await enter('reports', 'a');
    await enter('reports', 'b');
    await assert.rejects(enter('reports', 'c'), { name: 'NoPlaceError', taken: 'ofKind' });
    await enter('tables', 'a');
    await assert.rejects(enter('lists', 'a'), { name: 'NoPlaceError', taken: 'ofClient' });
    await assert.rejects(enter('lists', 'c'), { name: 'NoPlaceError', taken: 'inAll' });
    assert.deepEqual(work.counts, { running: 3, waiting: 0 });
  });

  it('go to the first that waits and may have them, and to nobody else', async () => {
    const work = new Work({ places, waitMs: 60_000 });
    const [first, second, third] = await Promise.all(
      ['a', 'a', 'b'].map((client, at) => work.enter({ kind: `kind ${at}`, client })),
    );
    const admitted: string[] = [];
    const wait = async (client: string) => {
      const place = await work.enter({ kind: `of ${client}`, client });
      admitted.push(client);
      return place;
    };
    const all = [wait('a'), wait('c'), wait('d')];
    third!.end();
    third!.end();
    const ofC = await all[1]!;
    assert.deepEqual(admitted, ['c']);
    first!.end();
    const ofA = await all[0]!;
    second!.end();
    await all[2];
    assert.deepEqual(admitted, ['c', 'a', 'd']);
    ofC.end();
    ofA.end();
    assert.deepEqual(work.counts, { running: 1, waiting: 0 });
  });

  it('go to all that wait for the one that ends, each for another reason', async () => {
    const one = { inAll: 3, ofKind: 1, ofClient: 1 };
    const work = new Work({ places: one, waitMs: 60_000 });
    const first = await work.enter({ kind: 'reports', client: 'a' });
    const ofKind = work.enter({ kind: 'reports', client: 'b' });
    const ofClient = work.enter({ kind: 'tables', client: 'a' });
    const last = work.enter({ kind: 'tables', client: 'a' });
    assert.deepEqual(work.counts, { running: 1, waiting: 3 });
    first.end();
    assert.deepEqual(work.counts, { running: 2, waiting: 1 });
    (await ofKind).end();
    (await ofClient).end();
    (await last).end();
    assert.deepEqual(work.counts, { running: 0, waiting: 0 });
  });

  it('are not kept for a client that left while it waited', async () => {
    const work = new Work({ places: { ...places, inAll: 1 }, waitMs: 60_000 });
    const place = await work.enter({ kind: 'reports' });
    const left = new AbortController();
    const waiting = work.enter({ kind: 'reports', left: left.signal });
    const reason = new Error('left');
    left.abort(reason);
    await assert.rejects(waiting, reason);
    place.end();
    assert.deepEqual(work.counts, { running: 0, waiting: 0 });
    await assert.rejects(work.enter({ kind: 'reports', left: left.signal }), reason);
  });

  it('are not given to a client that leaves in the same moment, before or after', async () => {
    for (const isBefore of [true, false]) {
      const work = new Work({ places: { ...places, inAll: 1 }, waitMs: 60_000 });
      const place = await work.enter({ kind: 'reports' });
      const left = new AbortController();
      const reason = new Error('left');
      const waiting = work.enter({ kind: 'reports', left: left.signal });
      if (isBefore) left.abort(reason);
      place.end();
      if (!isBefore) left.abort(reason);
      await assert.rejects(waiting, reason);
      assert.deepEqual(work.counts, { running: 0, waiting: 0 });
    }
  });

  it('are waited for by a bounded number of jobs', async () => {
    const work = new Work({ places: { ...places, inAll: 1 }, waitMs: 60_000 });
    const first = await work.enter({ kind: 'reports' });
    const waiting = Array.from({ length: 256 }, () => work.enter({ kind: 'reports' }));
    await assert.rejects(work.enter({ kind: 'reports' }), { taken: 'waiting' });
    first.end();
    for (const place of waiting) (await place).end();
    assert.deepEqual(work.counts, { running: 0, waiting: 0 });
  });

  it('are refused by an error that says which were taken', () => {
    assert.equal(new NoPlaceError('ofClient').taken, 'ofClient');
  });
});

describe('a pause that nothing awaits', () => {
  it('keeps no slice from the next piece, or from the next job of the client', async () => {
    for (const isOver of [false, true]) {
      const turns = scriptedTurns(() => 10);
      const work = new Work({ places, waitMs: 60_000 }, turns);
      const enter = () => work.enter({ kind: 'reports', client: 'a' });
      const [place, other] = [await enter(), await enter()];
      let ahead: Promise<void> | undefined;
      const piece = () => place.slice(() => ahead);
      await place.slice(() => {
        turns.clock.now += 10;
        if (!isOver) ahead = Promise.resolve(place.pause());
      });
      // What reads ahead goes on between two pieces.
      if (isOver) ahead = Promise.resolve(place.pause());
      await piece();
      ahead = Promise.resolve(place.pause());
      place.end();
      await other.slice(() => {});
      await ahead;
      await place.pause();
      await other.slice(() => {});
      other.end();
      assert.deepEqual(work.counts, { running: 0, waiting: 0 });
    }
  });
});

describe('a job in slices', () => {
  const job = (client: string) => () => ({ kind: 'lists', client });

  it('takes no place if it ends within its first slice', async () => {
    const turns = scriptedTurns(() => 1);
    const work = new Work({ places: { inAll: 0, ofKind: 0, ofClient: 0 }, waitMs: 0 }, turns);
    const made = await work.run(job('a'), async (pause) => {
      turns.clock.now += 7;
      assert.equal(pause(), undefined);
      return 'made';
    });
    assert.equal(made, 'made');
  });

  it('needs a place for its second slice, and gives it back', async () => {
    const turns = scriptedTurns(() => 1);
    const work = new Work({ places, waitMs: 0 }, turns);
    const counts: number[] = [];
    await work.run(job('a'), async (pause) => {
      for (let piece = 0; piece < 3; piece++) {
        turns.clock.now += 9;
        await pause();
        counts.push(work.counts.running);
      }
    });
    assert.deepEqual(counts, [1, 1, 1]);
    assert.equal(work.counts.running, 0);
    const full = new Work({ places: { ...places, inAll: 0 }, waitMs: 0 }, turns);
    const refused = full.run(job('a'), async (pause) => {
      turns.clock.now += 9;
      await pause();
    });
    await assert.rejects(refused, { name: 'NoPlaceError', taken: 'inAll' });
  });

  it('gives nothing to what reads ahead after it has ended', async () => {
    for (const slices of [0, 1, 2]) {
      const turns = scriptedTurns(() => 10);
      const work = new Work({ places, waitMs: 60_000 }, turns);
      const jobOf = () => ({ kind: 'reports', client: 'a' });
      let ahead: Promise<void> | undefined;
      await work.run(jobOf, async (pause) => {
        for (let slice = 0; slice < slices; slice++) {
          turns.clock.now += 10;
          await pause();
        }
        turns.clock.now += 10;
        // Two pauses that nothing in the job awaits: one has begun when it ends, one begins later.
        ahead = Promise.resolve(pause()).then(() => {
          turns.clock.now += 10;
          return pause();
        });
      });
      await ahead;
      assert.deepEqual(work.counts, { running: 0, waiting: 0 });
      // The next job of the client waits for no slice of the one before.
      await work.run(jobOf, async (pause) => {
        turns.clock.now += 10;
        await pause();
      });
      assert.deepEqual(work.counts, { running: 0, waiting: 0 });
    }
  });

  it('has a quarter of the time while others wait, with all other jobs of its client', async () => {
    const turns = scriptedTurns(() => 1);
    const work = new Work({ places, waitMs: 0 }, turns);
    let used = 0;
    const use = async (pause: () => Promise<void> | undefined) => {
      for (let piece = 0; piece < 500; piece++) {
        turns.clock.now += 1;
        used += 1;
        await pause();
      }
    };
    const jobs = ['reports', 'tables'].map((kind) => work.run(() => ({ kind, client: 'a' }), use));
    await Promise.all(jobs);
    assert.equal(used, 1000);
    // The first slice of each job, and the last one of all, need not be followed by others.
    assert.ok(turns.clock.now >= 4 * used - 3 * 3 * 9, `${turns.clock.now} ms`);
  });

  it('begins in another turn than those that come with it', async () => {
    const turns = scriptedTurns(() => 1);
    const work = new Work({ places, waitMs: 0 }, turns);
    const begun: number[] = [];
    const run = (client: string) =>
      work.run(job(client), () => {
        begun.push(turns.clock.turn);
        turns.clock.now += 7;
      });
    await Promise.all(Array.from({ length: 16 }, (_, at) => run(`client ${at}`)));
    assert.equal(begun.length, 16);
    assert.equal(new Set(begun).size, begun.length);
  });

  it('does not wait for the slices of all others before its first', async () => {
    const turns = scriptedTurns(() => 1);
    const many = { inAll: 16, ofKind: 16, ofClient: 1 };
    const work = new Work({ places: many, waitMs: 60_000 }, turns);
    let isOver = false;
    const long = Array.from({ length: 16 }, (_, at) =>
      work.run(job(`client ${at}`), async (pause) => {
        while (!isOver) {
          turns.clock.now += 9;
          await pause();
        }
      }),
    );
    while (work.sliceCount < 40) await nextTurn();
    const before = work.sliceCount;
    await work.run(job('another'), () => {});
    assert.ok(work.sliceCount - before <= 3, `${work.sliceCount - before} slices`);
    isOver = true;
    await Promise.all(long);
  });

  it('makes nothing if its client leaves before its first slice', async () => {
    const turns = scriptedTurns(() => 1);
    const work = new Work({ places, waitMs: 0 }, turns);
    const left = new AbortController();
    const reason = new Error('left');
    const made: string[] = [];
    const first = work.run(job('a'), () => made.push('first'));
    const second = work.run(
      () => ({ kind: 'lists', client: 'b', left: left.signal }),
      () => made.push('second'),
    );
    const third = work.run(job('c'), () => made.push('third'));
    left.abort(reason);
    await assert.rejects(second, reason);
    await Promise.all([first, third]);
    assert.deepEqual(made, ['first', 'third']);
    assert.equal(work.sliceCount, 2);
  });

  /** Work without an end, of a client that can leave. */
  function endlessWork(turnMs: number) {
    const turns = scriptedTurns(() => turnMs);
    const work = new Work({ places, waitMs: 0 }, turns);
    const left = new AbortController();
    const done = { pieces: 0 };
    const run = (afterPiece: () => void = () => {}) =>
      work.run(
        () => ({ kind: 'lists', client: 'a', left: left.signal }),
        async (pause) => {
          for (;;) {
            turns.clock.now += 9;
            done.pieces += 1;
            afterPiece();
            await pause();
          }
        },
      );
    return { turns, work, left, done, run };
  }

  it('ends between two slices when its client has left', async () => {
    const { work, left, done, run } = endlessWork(0);
    const reason = new Error('left');
    await assert.rejects(
      run(() => done.pieces === 5 && left.abort(reason)),
      reason,
    );
    assert.equal(done.pieces, 5);
    assert.equal(work.counts.running, 0);
  });

  it('ends at once when its client leaves while others have their time', async () => {
    // Turns pass, but each is so short that the rest after a slice is long.
    const { turns, work, left, done, run } = endlessWork(0.2);
    const reason = new Error('left');
    const endless = run();
    while (done.pieces < 2) await nextTurn();
    left.abort(reason);
    await assert.rejects(endless, reason);
    assert.equal(work.counts.running, 0);
    const other = work.run(job('a'), async (pause) => {
      turns.clock.now += 9;
      await pause();
      return 'made';
    });
    assert.equal(await other, 'made');
  });

  it('lets another job of its client go on when it fails', async () => {
    const turns = scriptedTurns(() => 0);
    const work = new Work({ places, waitMs: 0 }, turns);
    const fault = new Error('fault');
    const run = (isBad: boolean) =>
      work.run(job('a'), async (pause) => {
        turns.clock.now += 9;
        await pause();
        if (isBad) throw fault;
        return 'made';
      });
    await assert.rejects(run(true), fault);
    assert.equal(await run(false), 'made');
  });
});
