/** Deliveries to receivers that answer in every way. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { RepositoryError } from '../../src/fhir/stored/repository-error.ts';
import type { Clock } from '../../src/orders/subscriptions/clock.ts';
import { Slots } from '../../src/threads/slots.ts';
import { listenOnLoopback } from '../loopback.ts';
import {
  type Answer,
  changeSubscription,
  createResponses,
  createTestClock,
  createTestStore,
  deleteResponse,
  deliveriesOf,
  idsOf,
  setUp,
  startDeliverer,
  startReceiver,
  subscribe,
  subscriptionOf,
  until,
} from './delivery-place.ts';
import { SECRET } from './example.ts';

describe('deliveries', () => {
  it('are sent in order, signed, with the headers of the subscription', async (context) => {
    const { place, received, id } = await setUp(context);
    const ids = await createResponses(place, 30);
    await until(() => received.length === 30);
    assert.deepEqual(idsOf(received), ids);
    assert.equal(new Set(deliveriesOf(received)).size, 30);
    const [first] = received;
    assert.ok(first);
    const { method, headers, body } = first;
    assert.equal(method, 'POST');
    assert.equal(headers.authorization, 'Bearer 1234');
    assert.equal(headers['x-system'], 'practice');
    assert.equal(headers['content-type'], 'application/json;charset=utf-8');
    assert.equal(headers['gazetteer-resource'], `OrderResponse/${ids[0]}/_history/1`);
    assert.equal(JSON.parse(body).id, ids[0]);
    const [, time = '', signature] =
      /^t=(\d+),v1=(.*)$/.exec(String(headers['gazetteer-signature'])) ?? [];
    assert.ok(Math.abs(Number(time) - Date.now() / 1000) < 60);
    assert.equal(signature, createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex'));
    await until(() => place.states.get(id)?.problem === '');
    const subjects = place.repository.journal.map(({ access }) => access.identity?.subject);
    assert.ok(subjects.includes('practice'));
  });

  it('begin with what is written after the subscription', async (context) => {
    const place = createTestStore();
    const { received, url } = await startReceiver(context);
    await createResponses(place, 3);
    await subscribe(place, url);
    const ids = await createResponses(place, 2);
    startDeliverer(context, place);
    await until(() => received.length === 2);
    assert.deepEqual(idsOf(received), ids);
  });

  it('are only of what matches the criteria', async (context) => {
    const change = { criteria: 'OrderResponse?code=rejected' };
    const { place, received, url } = await setUp(context, undefined, { change });
    await subscribe(place, url, { criteria: 'OrderResponse?code=completed' });
    const ids = await createResponses(place, 3);
    await until(() => received.length >= 3);
    // What the first subscription does not match would have come by now.
    ids.push(...(await createResponses(place, 3)));
    await until(() => received.length >= 6);
    assert.deepEqual(idsOf(received), ids);
  });

  it('are by the newest version of the subscription from its write on', async (context) => {
    const clock = createTestClock();
    // The deliverer looks for changed subscriptions late.
    const sleep: Clock['sleep'] = (ms, signal) =>
      ms === 500 ? pause(150, undefined, { signal }).catch(() => {}) : clock.sleep(ms, signal);
    const place = createTestStore();
    const { received, url } = await startReceiver(context);
    const id = await subscribe(place, url, { criteria: 'OrderResponse?code=rejected' });
    startDeliverer(context, place, { clock: { ...clock, sleep } });
    await until(async () => (await subscriptionOf(place, id)).status === 'active');
    await changeSubscription(place, id, { criteria: 'OrderResponse?code=completed' });
    const ids = await createResponses(place, 3);
    await until(() => received.length >= 3);
    assert.deepEqual(idsOf(received), ids);
    await changeSubscription(place, id, { status: 'off' });
    await createResponses(place, 3);
    await pause(400);
    assert.equal(received.length, 3);
  });

  it('have XML, or no body', async (context) => {
    for (const payload of ['application/xml', ' ']) {
      const change = { channel: { payload } };
      const { place, received } = await setUp(context, undefined, { change });
      const [id] = await createResponses(place);
      await until(() => received.length === 1);
      const [first] = received;
      assert.ok(first);
      const { headers, body } = first;
      if (payload === ' ') assert.deepEqual([headers['content-type'], body], [undefined, '']);
      else assert.match(body, new RegExp(`<OrderResponse .*<id value="${id}"/>`));
    }
  });

  it('tell of a delete without a body', async (context) => {
    const { place, received } = await setUp(context);
    const [id = ''] = await createResponses(place);
    await deleteResponse(place, id);
    await until(() => received.length === 2);
    assert.equal(received[1]?.body, '');
    assert.equal(received[1]?.headers['gazetteer-resource'], `OrderResponse/${id}/_history/2`);
  });

  it('are repeated with the same id, later and later, until they succeed', async (context) => {
    const { place, received, clock } = await setUp(context, (to, _request, count) => {
      to.writeHead(count > 2 && count < 7 ? 500 : 204).end();
    });
    const ids = await createResponses(place, 4);
    await until(() => received.length === 8);
    const [a, b, c, d] = ids;
    assert.deepEqual(idsOf(received), [a, b, c, c, c, c, c, d]);
    assert.equal(new Set(deliveriesOf(received).slice(2, 7)).size, 1);
    assert.deepEqual(clock.pauses, [1000, 2000, 4000, 8000]);
  });

  it('wait for as long as the receiver asks, and at most an hour', async (context) => {
    const date = new Date(Date.now() + 600_000).toUTCString();
    const waits = ['120', '7200', '99999999999', date];
    const { place, received, clock } = await setUp(context, (to, _request, count) => {
      const wait = waits[count - 1];
      to.writeHead(
        wait === undefined ? 200 : 429,
        wait === undefined ? {} : { 'Retry-After': wait },
      );
      to.end();
    });
    await createResponses(place);
    await until(() => received.length === 5);
    assert.deepEqual(clock.pauses.slice(0, 3), [120_000, 3_600_000, 3_600_000]);
  });

  it('end when the receiver answers 410', async (context) => {
    const { place, received, id, hasStatus, problems } = await setUp(context, (to) =>
      to.writeHead(410).end(),
    );
    await createResponses(place, 3);
    await until(() => hasStatus('off'));
    assert.equal((await subscriptionOf(place, id)).error, 'The receiver answered 410.');
    assert.deepEqual(problems, ['The receiver answered 410.']);
    assert.equal(received.length, 1);
  });

  it('end at the end of the subscription', async (context) => {
    const change = { end: new Date(Date.now() - 1000).toISOString() };
    const { place, received, id } = await setUp(context, undefined, { change });
    await until(async () => (await subscriptionOf(place, id)).status === 'off');
    await createResponses(place);
    assert.equal(received.length, 0);
    assert.match((await subscriptionOf(place, id)).error, /end of the subscription has passed/);
  });

  it('end with an error after the set time, and then deliver what was missed', async (context) => {
    let isAway = true;
    const options = { giveUpMs: 60_000 };
    const { place, received, id, hasStatus, deliverer } = await setUp(
      context,
      (to) => to.writeHead(isAway ? 503 : 200).end(),
      { options },
    );
    const ids = await createResponses(place, 3);
    await until(() => hasStatus('error'));
    assert.equal((await subscriptionOf(place, id)).error, 'The receiver answered 503.');
    await until(() => deliverer.facts.active === 0 && deliverer.facts.failing === 1);
    assert.ok(idsOf(received).every((each) => each === ids[0]));
    const before = received.length;
    isAway = false;
    ids.push(...(await createResponses(place, 2)));
    await changeSubscription(place, id, { status: 'requested' });
    await until(() => received.length === before + 5);
    assert.deepEqual(idsOf(received.slice(before)), ids);
    const { status, error } = await subscriptionOf(place, id);
    assert.deepEqual([status, error], ['active', undefined]);
    await until(() => deliverer.facts.failing === 0);
  });

  it('leave out what was erased while the receiver was away', async (context) => {
    const gate = Promise.withResolvers<void>();
    const { place, received } = await setUp(context, async (to, _request, count) => {
      if (count === 1) await gate.promise;
      to.writeHead(count === 1 ? 500 : 200).end();
    });
    const ids = await createResponses(place, 3);
    await until(() => received.length === 1);
    place.erased.add(ids[0] ?? '');
    gate.resolve();
    await until(() => received.length === 3);
    assert.deepEqual(idsOf(received), ids);
  });

  it('are not sent by a server that may not deliver', async (context) => {
    const options = { mayDeliver: () => false };
    const { place, received, deliverer } = await setUp(context, undefined, { options });
    await createResponses(place);
    await until(() => deliverer.facts.active === 0);
    assert.equal(received.length, 0);
  });

  it('go on after a restart; what was not stored is repeated with the same id', async (context) => {
    const { place, received, id, stop } = await setUp(context);
    const ids = await createResponses(place, 3);
    await until(() => received.length === 3);
    await stop();
    const state = place.states.get(id);
    startDeliverer(context, place);
    ids.push(...(await createResponses(place, 2)));
    await until(() => received.length === 5);
    assert.deepEqual(idsOf(received), ids);
    assert.notEqual(state?.position, undefined);
  });

  it('repeat what a kill kept from being stored', async (context) => {
    const place = createTestStore();
    const { received, url } = await startReceiver(context);
    const id = await subscribe(place, url);
    const { stop } = startDeliverer(context, place);
    const [first = ''] = await createResponses(place);
    await until(() => place.states.has(id) && received.length === 1);
    await stop();
    place.states.delete(id);
    startDeliverer(context, place);
    await until(() => received.length === 2);
    assert.deepEqual(idsOf(received), [first, first]);
    assert.equal(new Set(deliveriesOf(received)).size, 1);
  });

  it('go on from the date when the store has another position', async (context) => {
    const { place, received, id, stop } = await setUp(context);
    await createResponses(place, 2);
    await until(() => received.length === 2);
    await stop();
    const state = place.states.get(id);
    assert.ok(state);
    place.states.set(id, { ...state, position: '99999-00000000' });
    startDeliverer(context, place);
    await createResponses(place, 1);
    await until(() => received.length >= 3 && new Set(idsOf(received)).size === 3);
  });

  it('keep to the date when the receiver fails before there is a new position', async (context) => {
    const place = createTestStore();
    const { store } = place;
    const dates: (number | undefined)[] = [];
    const notifications: typeof store.notifications = (request, access, wait) => {
      if (request.position === '0' && access !== undefined) dates.push(request.sinceMs);
      return store.notifications(request, access, wait);
    };
    const { received, url } = await startReceiver(context, (to) => to.writeHead(500).end());
    const id = await subscribe(place, url);
    const writtenAt = new Date().toISOString();
    place.states.set(id, {
      subscription: id,
      position: '99999-00000000',
      writtenAt,
      failingSinceMs: null,
      problem: '',
    });
    const { stop } = startDeliverer(context, place, { store: { ...store, notifications } });
    await createResponses(place);
    await until(() => received.length >= 1 && place.states.get(id)?.position === '0');
    await stop();
    const before = received.length;
    startDeliverer(context, place, { store: { ...store, notifications } });
    await until(() => received.length > before);
    const expected = Date.parse(writtenAt) - 600_000;
    assert.deepEqual(new Set(dates), new Set([expected]));
  });

  it('read one change at a time while the receiver fails', async (context) => {
    const place = createTestStore();
    const { store } = place;
    const counts: number[] = [];
    const notifications: typeof store.notifications = (request, access, wait) => {
      if (access !== undefined) counts.push(request.count);
      return store.notifications(request, access, wait);
    };
    const { received, url } = await startReceiver(context, (to, _request, count) =>
      to.writeHead(count < 4 ? 500 : 200).end(),
    );
    await subscribe(place, url);
    startDeliverer(context, place, { store: { ...store, notifications } });
    await createResponses(place, 3);
    await until(() => received.length === 6);
    assert.deepEqual(counts.slice(counts.indexOf(1)).slice(0, 4), [1, 1, 1, 100]);
  });

  it('give back the place of a change that cannot be encoded', async (context) => {
    const place = createTestStore();
    const slots = new Slots(1);
    const { received, url } = await startReceiver(context);
    const bad = await startReceiver(context);
    const id = await subscribe(place, bad.url, { channel: { payload: 'application/xml' } });
    const { store } = place;
    const notifications: typeof store.notifications = async (request, access, wait) => {
      const result = await store.notifications(request, access, wait);
      if (result.kind !== 'found' || access?.requestId !== `Subscription/${id}`) return result;
      return { ...result, versions: result.versions.map((each) => ({ ...each, text: '{' })) };
    };
    const { problems } = startDeliverer(context, place, {
      slots,
      store: { ...store, notifications },
    });
    await createResponses(place);
    await until(() => problems.length > 0);
    await subscribe(place, url);
    await createResponses(place);
    await until(() => received.length === 1);
  });

  it('do not begin again before the store shows why they have ended', async (context) => {
    const place = createTestStore();
    const { store } = place;
    let looks = 0;
    let isClosed = false;
    const notifications: typeof store.notifications = async (request, access, wait) => {
      const result = await store.notifications(request, access, wait);
      if (result.kind !== 'found' || access !== undefined || !isClosed) return result;
      looks += 1;
      const isOff = ({ text = '' }) => JSON.parse(text).status === 'off';
      return { ...result, versions: result.versions.filter((each) => !isOff(each)) };
    };
    const update: typeof store.update = (change, access) => {
      isClosed = JSON.stringify(change.text).includes('off');
      return store.update(change, access);
    };
    const { received, url } = await startReceiver(context, (to) => to.writeHead(410).end());
    await subscribe(place, url);
    startDeliverer(context, place, { store: { ...store, notifications, update } });
    await createResponses(place);
    await until(() => looks > 5);
    assert.equal(received.length, 1);
  });

  it('survive a store that is away for a while', async (context) => {
    const { place, received } = await setUp(context);
    place.repository.failure = new RepositoryError('away');
    await until(() => place.repository.failure !== undefined);
    place.repository.failure = undefined;
    const ids = await createResponses(place, 3);
    await until(() => received.length === 3);
    assert.deepEqual(idsOf(received), ids);
  });
});

describe('a receiver that', () => {
  const cases: readonly [name: string, answer: Answer, problem: RegExp][] = [
    ['hangs', () => undefined, /did not answer within 0.25 s/],
    [
      'resets the connection',
      (to) => to.socket?.resetAndDestroy(),
      /cannot be reached \(ECONNRESET\)|repeatedly closed/,
    ],
    ['closes the connection', (to) => to.socket?.destroy(), /cannot be reached|repeatedly closed/],
    [
      'switches to another protocol',
      (to) => to.socket?.end('HTTP/1.1 101 A\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n'),
      /closed the connection without an answer/,
    ],
    [
      'redirects',
      (to) => to.writeHead(302, { Location: 'http://169.254.169.254/latest' }).end(),
      /answered 302. The server does not follow redirects/,
    ],
  ];
  for (const [name, answer, problem] of cases) {
    it(`${name} gets the notification again`, async (context) => {
      let isBroken = true;
      const { place, received, id } = await setUp(context, (to, request, count) => {
        if (isBroken) answer(to, request, count);
        else to.end();
      });
      const [first] = await createResponses(place);
      await until(() => problem.test(place.states.get(id)?.problem ?? ''));
      isBroken = false;
      await until(() => place.states.get(id)?.problem === '');
      assert.ok(idsOf(received).every((each) => each === first));
    });
  }

  it('answers byte by byte does not use up the time of others', async (context) => {
    const slow = createServer((socket) => {
      const answer = `HTTP/1.1 200 OK\r\nX-Long: ${'a'.repeat(10_000)}`;
      let at = 0;
      const timer = setInterval(() => socket.write(answer[at++] ?? 'a'), 5);
      socket.on('error', () => undefined).on('close', () => clearInterval(timer));
    });
    context.after(() => void slow.close());
    const port = await listenOnLoopback(slow);
    const { place, received } = await setUp(context);
    const id = await subscribe(place, `http://127.0.0.1:${port}/`);
    await createResponses(place, 5);
    await until(() => received.length === 5);
    await until(() => /within 0.25 s/.test(place.states.get(id)?.problem ?? ''));
  });

  it('has a body without end has got the notification', async (context) => {
    const { place, received } = await setUp(context, (to) => void to.writeHead(200).write('a'));
    const ids = await createResponses(place, 2);
    await until(() => received.length === 2);
    assert.deepEqual(idsOf(received), ids);
  });

  it('is slow holds up no other, however many are', async (context) => {
    const { place, received } = await setUp(context);
    const slow = await startReceiver(context, () => undefined);
    for (let at = 0; at < 70; at++) await subscribe(place, slow.url);
    await createResponses(place, 20);
    await until(() => received.length === 20);
  });

  it('has another address at the connection gets nothing', async (context) => {
    let lookups = 0;
    const place = createTestStore();
    const { received, port } = await startReceiver(context);
    const id = await subscribe(place, `https://hooks.example:${port}/`);
    startDeliverer(context, place, {
      allowed: ['hooks.example'],
      resolve: (_name, _options, callback) => {
        lookups += 1;
        callback(null, [{ address: '127.0.0.1', family: 4 }]);
      },
    });
    await createResponses(place);
    await until(() => /private address 127.0.0.1/.test(place.states.get(id)?.problem ?? ''));
    assert.ok(lookups > 0);
    assert.equal(received.length, 0);
  });

  it('is named in capital letters is reached by TLS', async (context) => {
    const place = createTestStore();
    const { received, port } = await startReceiver(context);
    const id = await subscribe(place, `HTTPS://127.0.0.1:${port}/`);
    startDeliverer(context, place);
    await createResponses(place);
    await until(() => /cannot be reached/.test(place.states.get(id)?.problem ?? ''));
    assert.equal(received.length, 0);
  });

  it('the operator no longer allows gets nothing', async (context) => {
    const options = { allowed: ['other.example'] };
    const { place, received, id } = await setUp(context, undefined, { options });
    await createResponses(place);
    await until(() => /sends nothing to/.test(place.states.get(id)?.problem ?? ''));
    assert.equal(received.length, 0);
  });
});
