/** Long answers of one thread: their places, who waits, what is kept, and clients that leave or read slowly. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { createLongAnswers } from '../../src/interfaces/answer/long-answers.ts';

const PIECE = Buffer.alloc(64 * 1024);
const SETTINGS = {
  places: { inAll: 4, ofKind: 4, ofClient: 2 },
  waitMs: 0,
  keptBytesMax: 1024 ** 2,
};

function* endless() {
  for (;;) yield PIECE;
}

/** Takes an answer that never ends for a client. */
function takerOf(longAnswers: ReturnType<typeof createLongAnswers>) {
  const pieces = longAnswers.pieces({ kind: 'reports', make: endless });
  return async (address: string, left?: AbortSignal): Promise<Readable> => {
    const source = await pieces(false, () => address, left);
    assert.ok(source instanceof Readable);
    return source;
  };
}

async function textOf(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(pieces)).toString();
}

describe('a place', () => {
  it('is one of a few for a client, and other clients get the rest', async () => {
    const take = takerOf(createLongAnswers(SETTINGS));
    const first = await take('2001:db8::1');
    await take('2001:db8::2');
    await assert.rejects(take('2001:db8::3'), {
      name: 'FhirError',
      message: /Your network address is already downloading reports/,
      headers: ['Retry-After', '5'],
    });
    await take('192.0.2.1');
    await once(first.destroy(), 'close');
    await take('2001:db8::3');
    await take('192.0.2.2');
    await assert.rejects(take('192.0.2.3'), /Too many clients are downloading reports/);
  });

  it('is free when the client leaves, also before it reads', async () => {
    const longAnswers = createLongAnswers(SETTINGS);
    const take = takerOf(longAnswers);
    const left = new AbortController();
    await take('192.0.2.1', left.signal);
    assert.equal(longAnswers.work.counts.running, 1);
    left.abort();
    assert.equal(longAnswers.work.counts.running, 0);
  });

  it('is waited for, and given to the client that waits', async () => {
    const longAnswers = createLongAnswers({ ...SETTINGS, waitMs: 60_000 });
    const take = takerOf(longAnswers);
    const first = await take('192.0.2.1');
    await take('192.0.2.1');
    const third = take('192.0.2.1');
    assert.deepEqual(longAnswers.work.counts, { running: 2, waiting: 1 });
    first.destroy();
    await third;
    assert.deepEqual(longAnswers.work.counts, { running: 2, waiting: 0 });
  });

  it('is given back if the answer cannot be opened', async () => {
    const longAnswers = createLongAnswers(SETTINGS);
    const make = () => {
      throw new Error('fault');
    };
    await assert.rejects(async () => longAnswers.pieces({ kind: 'reports', make })(false), {
      message: 'fault',
    });
    assert.deepEqual(longAnswers.work.counts, { running: 0, waiting: 0 });
  });

  it('is not needed for a short answer', async () => {
    const longAnswers = createLongAnswers({
      ...SETTINGS,
      places: { inAll: 0, ofKind: 0, ofClient: 0 },
    });
    const pieces = longAnswers.pieces({
      kind: 'reports',
      isShort: () => true,
      make: () => [Buffer.from('short')],
    });
    assert.equal(await textOf(await pieces(false)), 'short');
  });

  it('is lost after a minute by a client that reads less than 64 KiB each second', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    const take = takerOf(createLongAnswers(SETTINGS));
    const [slow, fast] = [await take('192.0.2.1'), await take('192.0.2.2')];
    const pieces = fast[Symbol.asyncIterator]();
    await once(slow, 'readable');
    slow.read(1);
    for (let read = 0; read < 60; read++) await pieces.next();
    const cut = once(slow, 'close');
    context.mock.timers.tick(60_000);
    await cut;
    assert.equal(fast.destroyed, false);
  });
});

describe('an answer with a key', () => {
  const owner = {};

  function counted() {
    const made = { times: 0 };
    return {
      made,
      *make() {
        made.times += 1;
        for (let at = 0; at < 10; at++) yield Buffer.from('piece ');
      },
    };
  }

  it('is made once, as it is and as gzip, and needs no place again', async () => {
    const longAnswers = createLongAnswers({
      ...SETTINGS,
      places: { inAll: 1, ofKind: 1, ofClient: 1 },
    });
    const { made, make } = counted();
    const answer = { kind: 'reports', key: { owner, name: 'a' }, make };
    const pieces = longAnswers.pieces(answer);
    for (let request = 0; request < 3; request++) {
      assert.equal(await textOf(await pieces(false)), 'piece '.repeat(10));
    }
    assert.equal(made.times, 1);
    for (let request = 0; request < 3; request++) {
      const bytes = Buffer.concat(await Array.fromAsync(await pieces(true)));
      assert.equal(gunzipSync(bytes).toString(), 'piece '.repeat(10));
    }
    assert.equal(made.times, 2);
    await takerOf(longAnswers)('192.0.2.1');
    assert.equal(await textOf(await pieces(false)), 'piece '.repeat(10));
  });

  it('goes on for a second client when the first one leaves', async () => {
    const longAnswers = createLongAnswers(SETTINGS);
    const { made, make } = counted();
    const pieces = longAnswers.pieces({ kind: 'reports', key: { owner, name: 'a' }, make });
    const left = new AbortController();
    const first = Readable.from(await pieces(false, undefined, left.signal));
    await once(first, 'readable');
    const second = textOf(await pieces(false));
    await nextTurn();
    left.abort();
    first.destroy();
    assert.equal(await second, 'piece '.repeat(10));
    assert.equal(made.times, 1);
  });
});

describe('a text with a key', () => {
  const PLACES = { inAll: 9, ofKind: 9, ofClient: 1 };
  const owner = {};

  /** Asks for one text from several addresses at a time. Its making is never short. */
  function askerOf(longAnswers: ReturnType<typeof createLongAnswers>) {
    const made = { times: 0 };
    const ask = (address: string) =>
      longAnswers.keptText(
        {
          kind: 'lists of events',
          request: { addressOf: () => address },
          key: { owner, name: 'a' },
        },
        async (pause) => {
          for (let turn = pause(); ; turn = pause()) {
            if (turn === undefined) continue;
            await turn;
            made.times += 1;
            return 'text';
          }
        },
      );
    return { made, ask };
  }

  it('is made once for all networks that want it at a time', async () => {
    const { made, ask } = askerOf(createLongAnswers({ ...SETTINGS, places: PLACES }));
    const texts = await Promise.all(['192.0.2.1', '192.0.2.2', '192.0.2.1'].map(ask));
    assert.deepEqual(texts, ['text', 'text', 'text']);
    assert.equal(made.times, 1);
  });

  it('is refused only to a network without a free place, whoever asked first', async () => {
    const longAnswers = createLongAnswers({ ...SETTINGS, places: PLACES });
    await longAnswers.work.enter({ kind: 'reports', client: '192.0.2.1' });
    const { made, ask } = askerOf(longAnswers);
    const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.2'];
    const [first, second, third, fourth] = await Promise.allSettled(addresses.map(ask));
    for (const refused of [first, third]) {
      assert.equal(refused?.status, 'rejected');
      assert.match(String(refused.reason), /Your network address is already downloading/);
      assert.deepEqual(refused.reason.headers, ['Retry-After', '5']);
    }
    for (const answered of [second, fourth]) {
      assert.deepEqual(answered, { status: 'fulfilled', value: 'text' });
    }
    assert.equal(made.times, 1);
    assert.deepEqual(longAnswers.work.counts, { running: 1, waiting: 0 });
  });
});
