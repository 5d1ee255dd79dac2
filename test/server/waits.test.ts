/** Requests that wait for changes: limits for each client and in all, disconnects, and a stop. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import type { Handle } from '../../src/fhir/handle.ts';
import { FhirError } from '../../src/fhir/request/fhir-error.ts';
import type { FhirResponse } from '../../src/fhir/request/request.ts';
import { type GateLimits, waitingRequests } from '../../src/server/limits/gate.ts';
import { listenTo } from './gated-listening.ts';

const ENDED: FhirResponse = { status: 200, headers: [], body: 'ended' };

/** Waits until the signal aborts. The path names the client; `/` leaves that to the listener. */
const handleWaiting: Handle = async ({ path, beginWait }) => {
  try {
    const wait = beginWait?.(path === '/' ? undefined : path);
    assert.ok(wait);
    if (!wait.signal.aborted) await once(wait.signal, 'abort');
    wait.end();
    return ENDED;
  } catch (error) {
    assert.ok(error instanceof FhirError);
    return { status: 503, headers: error.headers, body: error.message };
  }
};

async function setUp(context: TestContext, limits: Partial<GateLimits> = {}) {
  const listening = await listenTo(context, { handle: handleWaiting }, limits);
  const { memory } = listening;
  const waiting = async (count: number) => {
    while (waitingRequests(memory) !== count) await new Promise(setImmediate);
  };
  return { ...listening, waiting };
}

describe('requests that wait', () => {
  it('are refused above the limit of a client, and of the server', async (context) => {
    const { open, waiting, refusals } = await setUp(context, { waiting: 3, waitingPerClient: 2 });
    for (const path of ['/a', '/a', '/']) await open(path);
    await waiting(3);
    const refused = await (await open('/a')).answer();
    assert.match(refused, /^HTTP\/1\.1 503 /);
    assert.match(refused, /\r\nRetry-After: \d/);
    assert.match(refused, /Too many of your requests/);
    assert.match(await (await open('/b')).answer(), /Too many requests wait for changes/);
    assert.deepEqual(refusals, ['waits', 'waits']);
    await waiting(3);
  });

  it('end when the client disconnects, and no longer count', async (context) => {
    const { open, waiting } = await setUp(context);
    const clients = [await open('/'), await open('/')];
    await waiting(2);
    clients[0]?.socket.resetAndDestroy();
    await waiting(1);
    clients[1]?.socket.destroy();
    await waiting(0);
  });

  it('are answered at once when the client ends its side', async (context) => {
    const { open, waiting } = await setUp(context);
    const client = await open('/');
    await waiting(1);
    client.socket.end();
    assert.match(await client.answer(), /ended$/);
    await waiting(0);
  });

  it('are answered when the server stops', async (context) => {
    const { open, waiting, stop, server } = await setUp(context);
    const clients = [await open('/'), await open('/')];
    await waiting(2);
    const closed = once(server, 'close');
    stop();
    for (const client of clients) assert.match(await client.answer(), /ended$/);
    await closed;
  });
});

it('work hears when its client has left', async (context) => {
  const { promise: heard, resolve } = Promise.withResolvers<unknown>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const handle: Handle = async ({ leftSignal }) => {
    const signal = leftSignal!();
    assert.equal(signal.aborted, false);
    begin();
    await once(signal, 'abort');
    resolve(signal.reason);
    return ENDED;
  };
  const { open } = await listenTo(context, { handle });
  const client = await open('/');
  await begun;
  client.socket.destroy();
  assert.ok((await heard) instanceof FhirError);
});
