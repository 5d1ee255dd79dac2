/** Editions are announced to receivers that answer in every way. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { AllowedHosts } from '../../src/orders/subscriptions/allowed-hosts.ts';
import { createReceivers } from '../../src/orders/subscriptions/receivers.ts';
import { type ReceiverStates, Webhooks } from '../../src/orders/subscriptions/webhooks.ts';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import { createReceiverStatesFile } from '../../src/storage/sqlite/server-file-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import {
  type Answer,
  createTestClock,
  type Received,
  startReceiver,
  TIMEOUT_MS,
  until,
} from './delivery-place.ts';
import { SECRET } from './example.ts';

/** A store with editions, and servers that announce them to one receiver. */
async function setUp(context: TestContext, answer?: Answer, path = '') {
  const { received, url: origin } = await startReceiver(context, answer);
  const url = origin + path;
  const folder = openDataFolder(temporaryFolder(context));
  const states = createReceiverStatesFile(() => folder);
  const store = { current: 3, served: 3 };
  const accepted: number[] = [];
  const problems: string[] = [];
  /** `saves` replaces how states are saved. */
  const start = (its: ReceiverStates = states) => {
    let looks = 0;
    const clock = createTestClock();
    const webhooks = new Webhooks({
      urls: [url],
      secret: SECRET,
      states: its,
      clock,
      receivers: createReceivers({
        hosts: new AllowedHosts(['127.0.0.1']),
        timeoutMs: TIMEOUT_MS,
        now: clock.now,
      }),
      current: async () => {
        looks += 1;
        const { current: number, served } = store;
        return {
          number,
          isServed: number === served,
          body: async (before) => JSON.stringify({ edition: number, previous: before }),
        };
      },
      onAccepted: (_url, edition) => accepted.push(edition),
      onProblem: (_url, problem) => problems.push(problem),
    });
    context.after(() => webhooks.stop());
    const publish = (number: number) => {
      Object.assign(store, { current: number, served: number });
      webhooks.look();
    };
    /** Resolves when there is nothing to announce. */
    const looked = async () => {
      const before = looks;
      webhooks.look();
      await until(() => looks > before);
    };
    return { webhooks, clock, publish, looked };
  };
  return { received, store, states, file: folder.webhooks, accepted, problems, start };
}

const editionsOf = (received: readonly Received[]) =>
  received.map(({ body }) => JSON.parse(body).edition);
const deliveriesOf = (received: readonly Received[]) =>
  received.map(({ headers }) => headers['gazetteer-delivery']);

describe('receivers of webhooks', () => {
  it('get editions that become current from now on, also by a rollback', async (context) => {
    const { received, accepted, start } = await setUp(context);
    const { webhooks, publish, looked } = start();
    await looked();
    assert.equal(received.length, 0);
    for (const number of [4, 3, 4]) {
      publish(number);
      await until(() => accepted.at(-1) === number);
    }
    assert.deepEqual(
      received.map(({ body }) => JSON.parse(body)),
      [
        { edition: 4, previous: 3 },
        { edition: 3, previous: 4 },
        { edition: 4, previous: 3 },
      ],
    );
    assert.equal(new Set(deliveriesOf(received)).size, 3);
    const [{ headers, body } = assert.fail()] = received;
    assert.equal(headers['content-type'], 'application/json;charset=utf-8');
    assert.equal(headers['gazetteer-resource'], 'editions/4');
    const [, time = '', signature] =
      /^t=(\d+),v1=(.*)$/.exec(String(headers['gazetteer-signature'])) ?? [];
    assert.equal(signature, createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex'));
    assert.deepEqual(webhooks.facts, { failing: 0, delivered: 3, failed: 0 });
  });

  it('get the same notification again until they accept it', async (context) => {
    const answer: Answer = (response, _request, count) => {
      response.writeHead(count < 4 ? 500 : 200, count === 1 ? { 'Retry-After': '60' } : {}).end();
    };
    const { received, accepted, problems, start } = await setUp(context, answer);
    const { webhooks, clock, publish, looked } = start();
    await looked();
    publish(4);
    await until(() => accepted.length === 1);
    assert.deepEqual(editionsOf(received), [4, 4, 4, 4]);
    assert.equal(new Set(deliveriesOf(received)).size, 1);
    assert.deepEqual(clock.pauses, [60_000, 2_000, 4_000]);
    assert.deepEqual(problems, ['The receiver answered 500.']);
    assert.deepEqual(webhooks.facts, { failing: 0, delivered: 1, failed: 3 });
  });

  it('get after a restart what became current before it', async (context) => {
    const { received, store, accepted, start } = await setUp(context);
    const first = start();
    await first.looked();
    await first.webhooks.stop();
    Object.assign(store, { current: 5, served: 5 });
    start();
    await until(() => accepted.length === 1);
    assert.deepEqual(editionsOf(received), [5]);
    const again = start();
    await again.looked();
    assert.equal(received.length, 1);
  });

  it('get a repeat with the same id if the server was killed before it stored the answer', async (context) => {
    const { received, states, accepted, store, start } = await setUp(context);
    const first = start();
    await first.looked();
    await first.webhooks.stop();
    /** Stores nothing of an edition that was accepted. */
    const forgetful: ReceiverStates = {
      exclusively: (receiver, action) =>
        states.exclusively(receiver, (known, save) =>
          action(known, async (state) => {
            if (state.accepted === state.sent) throw new Error('killed');
            await save(state);
          }),
        ),
    };
    const killed = start(forgetful);
    killed.publish(4);
    // It sends the notification again and again.
    await until(() => received.length > 0);
    await killed.webhooks.stop();
    const sent = received.length;
    start();
    await until(() => accepted.length === 1);
    assert.equal(new Set(deliveriesOf(received)).size, 1);
    assert.equal(received.length, sent + 1);
    // The receiver has 4, although the server does not know it. So it gets a notification of the rollback.
    const killedAgain = start(forgetful);
    killedAgain.publish(5);
    await until(() => received.length > sent + 1);
    await killedAgain.webhooks.stop();
    Object.assign(store, { current: 4, served: 4 });
    start();
    await until(() => accepted.length === 2);
    assert.deepEqual(accepted, [4, 4]);
    assert.equal(editionsOf(received).at(-1), 4);
  });

  it('get the edition after a damaged file of what they accepted is mended', async (context) => {
    const { received, file, problems, start } = await setUp(context);
    const first = start();
    await first.looked();
    await first.webhooks.stop();
    const saved = readFileSync(file, 'utf8');
    for (const damaged of [saved.slice(0, -5), '', '3', 'null', '[]']) {
      writeFileSync(file, damaged);
      const second = start();
      second.publish(4);
      await until(() => problems.length > 0);
      assert.equal(readFileSync(file, 'utf8'), damaged);
      assert.deepEqual(problems.splice(0), [
        `${file}: this is not what the program wrote; restore it, or delete it and receivers get ` +
          'the next edition',
      ]);
      await second.webhooks.stop();
    }
    assert.deepEqual(received, []);
    writeFileSync(file, saved);
    start();
    await until(() => received.length > 0);
    assert.deepEqual(editionsOf(received), [4]);
  });

  it('get the edition when the server has it, not before', async (context) => {
    const { received, store, accepted, start } = await setUp(context);
    const { looked, publish } = start();
    await looked();
    store.current = 4;
    await looked();
    await looked();
    assert.equal(received.length, 0);
    publish(4);
    await until(() => accepted.length === 1);
  });

  it('may answer a redirect, which is not followed, or 410', async (context) => {
    const other = await startReceiver(context);
    const answer: Answer = (response, _request, count) => {
      if (count === 1) response.writeHead(307, { Location: other.url }).end();
      else response.writeHead(count === 2 ? 410 : 200).end();
    };
    const { received, accepted, problems, start } = await setUp(context, answer);
    const { publish, looked } = start();
    await looked();
    publish(4);
    await until(() => received.length === 2);
    await looked();
    assert.deepEqual(problems, [
      'The receiver answered 307. The server does not follow redirects.',
      'The receiver answered 410.',
    ]);
    publish(5);
    await until(() => accepted.length === 1);
    assert.deepEqual(editionsOf(received), [4, 4, 5]);
    assert.equal(other.received.length, 0);
  });

  it('get a notification from one of two servers', async (context) => {
    let isHeld = false;
    const { received, states, accepted, start } = await setUp(context);
    const shared: ReceiverStates = {
      exclusively: async (receiver, action) => {
        if (isHeld) return undefined;
        isHeld = true;
        try {
          return await states.exclusively(receiver, action);
        } finally {
          isHeld = false;
        }
      },
    };
    const [a, b] = [start(shared), start(shared)];
    await a.looked();
    await b.looked();
    a.publish(4);
    b.publish(4);
    await until(() => accepted.length > 0);
    await a.looked();
    await b.looked();
    assert.deepEqual(editionsOf(received), [4]);
  });
});
