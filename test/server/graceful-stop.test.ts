/** A stop answers everything that was sent before it, and resets no connection. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import type { FhirResponse } from '../../src/fhir/request/request.ts';
import { listen } from './listening.ts';

const BODY_BYTES = 32 * 1024 * 1024;
const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const OK = /^HTTP\/1\.1 200 /;
const LAST = /\r\nConnection: close\r\n/;

const handle = (): FhirResponse => ({ status: 200, headers: [], body: 'fine' });

describe('a stop', { concurrency: true }, () => {
  it('lets an answer that is on its way arrive whole', async (context) => {
    const body = Buffer.alloc(BODY_BYTES, 'x');
    for (const response of [{ body }, { pieces: [body.subarray(0, 1000), body.subarray(1000)] }]) {
      const { server, stop, send } = await listen(context, {
        handle: () => ({ status: 200, headers: [], ...response }),
      });
      const client = send(GET);
      // The first bytes are there, and the rest does not fit into the system's buffers.
      await once(client.socket, 'data');
      client.socket.pause();
      const closed = once(server, 'close');
      stop();
      setTimeout(() => client.socket.resume(), SLOW_MS);
      assert.equal(await client.closed(), undefined);
      await closed;
      assert.ok(client.text.length > BODY_BYTES, `${client.text.length} bytes`);
    }
  });

  it('answers what has been sent and not been read yet, as the last on its connection', async (context) => {
    const { server, stop, send } = await listen(context, { handle });
    const warm = send(GET);
    assert.match(await warm.answer(), OK);
    const closed = once(server, 'close');
    // Nothing of it is read before the stop: both are in one turn of the event loop.
    warm.socket.write(GET);
    stop();
    await closed;
    assert.equal(await warm.closed(), undefined);
    const [, , last = ''] = warm.text.split('HTTP/1.1 200 OK');
    assert.match(last, LAST);
  });

  it('answers all of what was sent at once', async (context) => {
    const { server, stop, send } = await listen(context, { handle });
    const warm = send(GET);
    await warm.answer();
    const closed = once(server, 'close');
    warm.socket.write(GET.repeat(5));
    stop();
    await closed;
    assert.equal(await warm.closed(), undefined);
    assert.equal(warm.text.match(/HTTP\/1\.1 200/g)?.length, 6);
  });

  it('answers on connections that the system has queued', async (context) => {
    const { server, stop, send } = await listen(context, { handle });
    let accepted = 0;
    server.on('connection', () => (accepted += 1));
    const clients = Array.from({ length: 100 }, () => send(GET));
    await Promise.all(clients.map(({ socket }) => once(socket, 'connect')));
    const closed = once(server, 'close');
    stop();
    await closed;
    for (const client of clients) {
      assert.match(await client.answer(), OK);
      assert.equal(await client.closed(), undefined);
    }
    assert.equal(accepted, clients.length);
  });

  it('finishes an answer that is being made', async (context) => {
    let finish = (_: FhirResponse) => {};
    let begin = () => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const { server, stop, send } = await listen(context, {
      handle: () =>
        new Promise((resolve) => {
          finish = resolve;
          begin();
        }),
    });
    const client = send(GET);
    const idle = send('');
    await begun;
    const closed = once(server, 'close');
    stop();
    // What is idle is closed before.
    await idle.closed();
    finish(handle());
    assert.match(await client.answer(), LAST);
    await closed;
    assert.equal(await client.closed(), undefined);
  });

  it('closes idle connections without resetting them', async (context) => {
    const { server, stop, send } = await listen(context, { handle });
    const fresh = send('');
    const warm = send(GET);
    await warm.answer();
    if (fresh.socket.connecting) await once(fresh.socket, 'connect');
    const closed = once(server, 'close');
    stop();
    await closed;
    assert.equal(await fresh.closed(), undefined);
    assert.equal(await warm.closed(), undefined);
  });

  it('lets a client send the rest of a body that was refused', async (context) => {
    const { server, stop, send } = await listen(context, {
      handle: () => ({ status: 401, headers: [], body: 'no' }),
    });
    const client = send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n');
    assert.match(await client.answer(), /^HTTP\/1\.1 401 /);
    const closed = once(server, 'close');
    stop();
    client.socket.write('x'.repeat(200_000));
    await closed;
    assert.equal(await client.closed(), undefined);
  });
});

/** A client that reads this late does not lose anything. */
const SLOW_MS = 300;
