/** Requests of one connection are answered in order, also if the client reads slowly or not at all. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FhirResponse } from '../../src/fhir/request/request.ts';
import { LISTENER_LIMITS } from '../../src/server/http-listener.ts';
import { listen } from './listening.ts';

/** More than what the system holds for a socket. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');

/** Requests that fill several of the pieces in which they are read. */
const MANY = 10_000;

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

describe('a connection', { concurrency: true }, () => {
  it('has one request answered at a time, in the order in which they were sent', async (context) => {
    const begun: string[] = [];
    const finish = new Map<string, (response: FhirResponse) => void>();
    let onBegin = () => {};
    const { send } = await listen(context, {
      handle: ({ path }) => {
        begun.push(path);
        onBegin();
        return new Promise((resolve) => finish.set(path, resolve));
      },
    });
    const next = () => new Promise<void>((resolve) => (onBegin = resolve));
    const paths = ['/1', '/2', '/3'];
    const first = next();
    const client = send(paths.map(request).join(''));
    await first;
    for (const [i, path] of paths.entries()) {
      assert.deepEqual(begun, paths.slice(0, i + 1));
      const following = next();
      finish.get(path)?.({ status: 200, headers: [], body: `answer ${path}\n` });
      if (i + 1 < paths.length) await following;
    }
    while (!client.text.includes('answer /3')) await once(client.socket, 'data');
    assert.deepEqual(client.text.match(/answer .*/g), ['answer /1', 'answer /2', 'answer /3']);
  });

  it('is not read on while many requests wait', async (context) => {
    let finish = (_: FhirResponse) => {};
    const response = { status: 200, headers: [], body: 'fine' };
    let answered = 0;
    const { send, server } = await listen(context, {
      handle: () => {
        answered += 1;
        return answered === 1 ? new Promise((resolve) => (finish = resolve)) : response;
      },
    });
    let waitingMost = 0;
    let begun = 0;
    server.on('request', () => {
      begun += 1;
      waitingMost = Math.max(waitingMost, begun - answered);
    });
    const paused = once(server, 'connection').then(([socket]) => once(socket, 'pause'));
    const text = request('/').repeat(MANY);
    const client = send(text);
    await paused;
    finish(response);
    while (client.text.split('fine').length <= MANY) await once(client.socket, 'data');
    // What has been read in one piece is taken apart in one go.
    const pieceMost = 64 * 1024;
    assert.ok(waitingMost <= 17 + pieceMost / request('/').length, `${waitingMost} waited`);
    assert.equal(answered, MANY);
  });

  it('has a request answered before what follows it is refused', async (context) => {
    let finish = (_: FhirResponse) => {};
    const { send, server } = await listen(context, {
      handle: () => new Promise((resolve) => (finish = resolve)),
    });
    const client = send(`${request('/')}nonsense\r\n\r\n`);
    await once(server, 'clientError');
    finish({ status: 200, headers: [], body: 'fine' });
    await client.closed();
    assert.deepEqual(client.text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  it('has a request answered before one behind it with a broken body is refused', async (context) => {
    let finish = (_: FhirResponse) => {};
    const { send, server } = await listen(context, {
      handle: () => new Promise((resolve) => (finish = resolve)),
    });
    const broken = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n';
    const client = send(request('/') + broken);
    await once(server, 'clientError');
    finish({ status: 200, headers: [], body: 'fine' });
    await client.closed();
    assert.deepEqual(client.text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  it('whose client has closed its own end is answered, also later', async (context) => {
    const { send, server } = await listen(context, {
      handle: async () => {
        await ended;
        return { status: 200, headers: [], body: 'fine' };
      },
    });
    const ended = once(server, 'connection').then(([socket]) => once(socket, 'end'));
    const client = send(request('/'));
    client.socket.end();
    assert.match(await client.answer(), /^HTTP\/1\.1 200 .*fine$/s);
    await client.closed();
  });

  it('is closed where the client takes no byte for as long as it may be idle', async (context) => {
    const { send, server } = await listen(context, {
      limits: { ...LISTENER_LIMITS, idleTimeoutMs: 100 },
      handle: ({ path }) =>
        path === '/pieces'
          ? { status: 200, headers: [], pieces: [LARGE, LARGE] }
          : { status: 200, headers: [], body: LARGE },
    });
    for (const path of ['/', '/pieces']) {
      const connected = once(server, 'connection');
      const { socket } = send(request(path));
      socket.pause();
      const [served] = await connected;
      await once(served, 'close');
    }
  });

  it('gives back a piece when it has been sent, so that the next may have its memory', async (context) => {
    const released: number[] = [];
    const free: ArrayBufferLike[] = [];
    // Many times what the system holds for a socket.
    const pieces = Array.from({ length: 64 }, (_, at) => String.fromCharCode(48 + at));
    const make = function* () {
      for (const each of pieces) {
        const piece = Buffer.from(free.pop() ?? new ArrayBuffer(1024 ** 2));
        yield piece.fill(each);
      }
    };
    const release = (piece: Uint8Array) => {
      released.push(piece[0]!);
      free.push(piece.buffer);
    };
    const { send, server } = await listen(context, {
      handle: () => ({ status: 200, headers: [], pieces: make(), release }),
    });
    const connected = once(server, 'connection');
    const client = send(request('/').replace('HTTP/1.1', 'HTTP/1.0'));
    client.socket.pause();
    // The client begins to read when the socket takes no more.
    const [served] = await connected;
    while (served.writableLength === 0) await nextTurn();
    client.socket.resume();
    await client.closed();
    const body = client.text.slice(client.text.indexOf('\r\n\r\n') + 4);
    assert.ok(body === pieces.map((each) => each.repeat(1024 ** 2)).join(''));
    assert.equal(String.fromCharCode(...released), pieces.join(''));
    assert.ok(free.length < pieces.length, 'memory is used again');
  });

  it('whose client has gone before its answer is there gives back what the answer holds', async (context) => {
    const begun = Promise.withResolvers<void>();
    const faults: unknown[] = [];
    const { send, server } = await listen(context, {
      handle: async () => {
        begun.resolve();
        await closed;
        return { status: 200, headers: [], pieces, onClosed: released.resolve };
      },
      onFault: (error) => faults.push(error),
    });
    const returned = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const pieces: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: LARGE }),
        return: async () => {
          returned.resolve();
          return { done: true, value: undefined };
        },
      }),
    };
    const closed = once(server, 'connection').then(
      ([socket]) => new Promise((resolve) => socket.once('close', resolve)),
    );
    const { socket } = send(request('/'));
    await begun.promise;
    socket.resetAndDestroy();
    await Promise.all([returned.promise, released.promise]);
    assert.deepEqual(faults, []);
  });

  it('stays while the server takes its time', async (context) => {
    const { send, server } = await listen(context, {
      handle: async () => {
        // The idle time begins after the request has arrived, and is over before the answer.
        const isIdle = once(server, 'timeout');
        served?.setTimeout(1);
        await isIdle;
        return { status: 200, headers: [], body: 'fine' };
      },
    });
    let served: Socket | undefined;
    server.once('connection', (socket) => {
      served = socket;
    });
    assert.match(await send(request('/')).answer(), /^HTTP\/1\.1 200 /);
  });
});
