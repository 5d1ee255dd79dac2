/** The socket's side: limits, time-outs, faults; real sockets, and a core that says little. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { LISTENER_LIMITS } from '../../src/server/http-listener.ts';
import { forgetConnections, openConnections } from '../../src/server/limits/gate.ts';
import { listenTo } from './gated-listening.ts';

const DATE = 'Sat, 01 Apr 2017 00:00:00 GMT';
const OK = /^HTTP\/1\.1 200 /;
const BUSY = /^HTTP\/1\.1 503 [\s\S]*\r\nRetry-After: \d+\r\n/;

describe('a listener', { concurrency: true }, () => {
  it('answers a fault with 500 only to its request, without details of the fault', async (context) => {
    const faults: unknown[] = [];
    const answers = new Map<string, number>();
    const { open } = await listenTo(context, {
      handle: (request) => {
        if (request.path === '/fault') throw new Error('secret');
        return { status: 200, headers: [], body: 'fine' };
      },
      onFault: (_, { id, path }) => faults.push([id, path]),
      onAnswer: ({ path }, { status }) => answers.set(path, status),
    });
    const [bad, good] = await Promise.all([open('/fault', 'X-Request-Id: mine'), open('/')]);
    assert.match(await bad.answer(), /^HTTP\/1\.1 500 /);
    assert.match(bad.text, /"resourceType":"OperationOutcome".*"exception".* request id mine\./);
    assert.doesNotMatch(bad.text, /secret/);
    assert.match(await good.answer(), OK);
    assert.deepEqual(faults, [['mine', '/fault']]);
    assert.equal(answers.get('/fault'), 500);
    assert.match(await (await open('/')).answer(), OK);
  });

  it('answers 431 to headers that are too long, and reports it', async (context) => {
    const told: number[] = [];
    const { open } = await listenTo(context, {
      limits: { ...LISTENER_LIMITS, headerBytesMax: 2000 },
      onClientError: (status) => told.push(status),
    });
    assert.match(await (await open(`/${'x'.repeat(1000)}`)).answer(), OK);
    const long = await open(`/${'x'.repeat(3000)}`);
    assert.match(await long.answer(), /^HTTP\/1\.1 431 [\s\S]*longer than 2000 bytes/);
    assert.deepEqual(told, [431]);
  });

  it('answers 413 to a longer body than is allowed, announced or not', async (context) => {
    const { send } = await listenTo(context, {
      limits: { ...LISTENER_LIMITS, bodyBytesMax: 1000 },
    });
    const post = (header: string, body: string) =>
      send(`POST / HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n${body}`).answer();
    assert.match(await post('Content-Length: 1000', 'x'.repeat(1000)), OK);
    const tooLong = /^HTTP\/1\.1 413 [\s\S]*longer than 1000 bytes/;
    assert.match(await post('Content-Length: 1001', ''), tooLong);
    const chunk = `3e9\r\n${'x'.repeat(1001)}\r\n`;
    assert.match(await post('Transfer-Encoding: chunked', chunk), tooLong);
  });

  it('refuses headers that must come once and came twice, and a missing Host', async (context) => {
    const { send } = await listenTo(context, {});
    const cases: readonly (readonly [
      status: number,
      version: string,
      headers: readonly string[],
    ])[] = [
      [200, '1.1', ['Host: x', 'Authorization: a', 'If-None-Match: a', 'If-None-Match: b']],
      [200, '1.0', []],
      [400, '1.1', []],
      [400, '1.1', ['Host: x', 'host: x']],
      [400, '1.0', ['Host: x', 'Host: y']],
      [400, '1.1', ['Host: x', 'Authorization: a', 'AUTHORIZATION: a']],
      [400, '1.1', ['Host: x', 'Content-Type: a/b', 'content-type: a/b']],
      [400, '1.1', ['Host: x', 'If-None-Exist: identifier=a', 'if-none-exist: identifier=b']],
      [400, '1.1', ['Host: x', `If-Modified-Since: ${DATE}`, `If-Modified-Since: ${DATE}`]],
      [400, '1.1', ['Host: x', `If-Unmodified-Since: ${DATE}`, `if-unmodified-since: ${DATE}`]],
      [400, '1.1', ['Host: x', 'apikey: a', 'ApiKey: b']],
      [400, '1.1', ['Host: x', 'Origin: https://a.example', 'Origin: https://b.example']],
      [400, '1.1', ['Host: x', 'Content-Length: 0', 'Content-Length: 0']],
      [200, '1.1', ['Host: x', 'If-Match: "1"', 'If-Match: "2"', 'Accept: a/b', 'Accept: a/c']],
      [200, '1.1', ['Host: x', 'Prefer: return=minimal', 'Prefer: handling=lenient']],
    ];
    for (const [status, version, headers] of cases) {
      const client = send(`${[`GET / HTTP/${version}`, ...headers].join('\r\n')}\r\n\r\n`);
      assert.match(await client.answer(), new RegExp(`^HTTP/1.1 ${status} `), String(headers));
    }
  });

  it('refuses an invalid Host', async (context) => {
    const { send } = await listenTo(context, {});
    const ask = async (host: string) =>
      (await send(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`).answer()).split(' ')[1];
    const valid = ['', 'a', 'a_b.example:8080', 'a:', '192.0.2.1:80', '[::1]', '[2001:db8::1]:80'];
    for (const host of [...valid, 'a%20b', "!$&'()*+,;=~"])
      assert.equal(await ask(host), '200', host);
    const invalid = [
      'a b/@',
      'a b',
      'a/b',
      'a@b',
      'a:b',
      '::1',
      '[::1',
      'a?',
      'a#',
      'a%2',
      'a, b',
      '\xe9',
    ];
    for (const host of invalid) assert.equal(await ask(host), '400', host);
  });

  it('answers 501 to a transfer coding other than chunked', async (context) => {
    const { send } = await listenTo(context, {});
    const ask = async (method: string, ...codings: readonly string[]) => {
      const lines = codings.map((coding) => `Transfer-Encoding: ${coding}\r\n`).join('');
      return (
        await send(`${method} / HTTP/1.1\r\nHost: x\r\n${lines}\r\n0\r\n\r\n`).answer()
      ).split(' ')[1];
    };
    assert.equal(await ask('POST', 'Chunked'), '200');
    assert.equal(await ask('POST', 'gzip'), '501');
    assert.equal(await ask('POST', 'gzip, chunked'), '501');
    assert.equal(await ask('GET', 'gzip', 'chunked'), '501');
  });

  it('answers CONNECT with 405 in its turn, and closes the connection', async (context) => {
    const told: number[] = [];
    const { send } = await listenTo(context, { onClientError: (status) => told.push(status) });
    const connect = 'CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n';
    const alone = send(connect);
    await alone.closed();
    assert.match(alone.text, /^HTTP\/1\.1 405 [\s\S]*\r\nAllow:\r\n[\s\S]*not a proxy/);
    const second = send(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx${connect}`);
    await second.closed();
    assert.deepEqual(second.text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 405']);
    assert.deepEqual(told, [405, 405]);
  });

  it('names what of a body cannot be read', async (context) => {
    const { send } = await listenTo(context, {});
    const chunked = 'Transfer-Encoding: chunked';
    const cases: readonly (readonly [reason: RegExp, headers: readonly string[], body: string])[] =
      [
        [/length of the body is not clear/, ['Content-Length: 1', chunked], 'x'],
        [/length of the body is not clear/, [chunked, 'Content-Length: 1'], 'x'],
        [/length of the body is not clear/, ['Content-Length: 1', 'Content-Length: 2'], 'x'],
        [/length of the body is not clear/, ['Content-Length: 1x'], 'x'],
        [/length of a chunk is not valid/, [chunked], 'zz\r\n'],
        [/End each with CR LF/, [chunked], '1\r\nxyz'],
        [/ended before the whole request arrived/, ['Content-Length: 2'], 'x'],
      ];
    for (const [reason, headers, body] of cases) {
      const lines = ['POST / HTTP/1.1', 'Host: x', ...headers, '', body];
      const client = send(lines.join('\r\n'));
      client.socket.end();
      assert.match(await client.answer(), /^HTTP\/1\.1 400 /, String(headers));
      assert.match(client.text, reason, String(headers));
    }
  });

  it('answers 408 to a request that does not arrive in time', async (context) => {
    const limits = { ...LISTENER_LIMITS, headersTimeoutMs: 100, requestTimeoutMs: 200 };
    const { send } = await listenTo(context, {
      limits,
      handle: () => ({ status: 200, headers: [] }),
    });
    const slow = send('GET / HTTP/1.1\r\nHost: x\r\n');
    await once(slow.socket, 'close');
    assert.match(slow.text, /^HTTP\/1\.1 408 [\s\S]*"timeout"/);
  });

  it('closes a connection that is idle for too long', async (context) => {
    const { open, server } = await listenTo(context, {
      limits: { ...LISTENER_LIMITS, idleTimeoutMs: 100 },
    });
    // The idle time begins with the answer, however long the request takes to arrive.
    server.timeout = 0;
    const client = await open('/');
    assert.match(await client.answer(), OK);
    await client.closed();
  });

  it('answers 503 to connections beyond the limit, and others when there is room again', async (context) => {
    const { open, memory, refusals } = await listenTo(context, {}, { connections: 2 });
    const first = await open('/');
    assert.match(await first.answer(), OK);
    const second = await open('/');
    assert.match(await second.answer(), OK);
    assert.equal(openConnections(memory), 2);
    const third = await open('/');
    assert.match(await third.answer(), BUSY);
    assert.match(third.text, /\r\nConnection: close\r\n/);
    if (!third.socket.closed) await once(third.socket, 'close');
    first.socket.destroy();
    // The server hears of it in its own time: a new connection is let in as soon as it has.
    for (;;) {
      const next = await open('/');
      if (OK.test(await next.answer())) break;
    }
    assert.ok(refusals.every((refusal) => refusal === 'connections'));
    forgetConnections(memory, 0);
    assert.equal(openConnections(memory), 0);
  });

  it('answers 429 to a client that has too many connections, until it closes one', async (context) => {
    const { open, memory } = await listenTo(context, {}, { connectionsPerClient: 2 });
    const clients = [await open('/'), await open('/')];
    for (const client of clients) assert.match(await client.answer(), OK);
    const third = await open('/');
    assert.match(await third.answer(), /^HTTP\/1\.1 429 [\s\S]*\r\nRetry-After: \d+\r\n/);
    assert.match(third.text, /\r\nConnection: close\r\n/);
    await third.closed();
    clients[0]?.socket.destroy();
    // The server hears of it in its own time.
    while (openConnections(memory) > 1) await new Promise(setImmediate);
    assert.match(await (await open('/')).answer(), OK);
  });

  it('warns of nothing when a client resets the connection in the middle of an answer', async (context) => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    context.after(() => process.off('warning', note));
    const closed = Promise.withResolvers<void>();
    const { send } = await listenTo(context, {
      handle: async (request) => {
        await request.readBody?.('resource');
        const left = request.leftSignal?.();
        const pieces = async function* () {
          while (left?.aborted !== true) {
            yield Buffer.alloc(16 * 1024);
            await new Promise(setImmediate);
          }
        };
        return { status: 200, headers: [], pieces: pieces(), onClosed: closed.resolve };
      },
    });
    const client = send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
    await once(client.socket, 'data');
    client.socket.resetAndDestroy();
    await closed.promise;
    await new Promise(setImmediate);
    assert.deepEqual(warnings, []);
  });

  it('answers 503 where bodies take too much memory, of the server or of a client', async (context) => {
    const cases = [
      { bodyBytesInFlight: 1000, clients: ['a', 'b', 'c'] },
      { bodyBytesPerClient: 1000, clients: ['a', 'a', 'a'] },
    ];
    for (const { clients, ...limits } of cases) {
      const { send, memory, refusals } = await listenTo(
        context,
        { clientAddressOf: ({ headers }) => String(headers.from) },
        limits,
      );
      const post = (client = '', length = 0) =>
        send(`POST / HTTP/1.1\r\nHost: x\r\nFrom: ${client}\r\nContent-Length: ${length}\r\n\r\n`);
      const [first, second, third] = clients;
      // Alone it may be as large as the limit of one body allows.
      const slow = post(first, 5000);
      slow.socket.write('x'.repeat(4000));
      while (!memory.bodies.amounts.includes(4000)) await new Promise(setImmediate);
      const other = post(second, 600);
      other.socket.write('x'.repeat(600));
      assert.match(await other.answer(), BUSY);
      assert.deepEqual(refusals, ['bodies']);
      slow.socket.write('x'.repeat(1000));
      assert.match(await slow.answer(), OK);
      const last = post(third, 600);
      last.socket.write('x'.repeat(600));
      assert.match(await last.answer(), OK);
    }
  });

  it('answers 429 with Retry-After to a client that asks too often', async (context) => {
    const { send, refusals } = await listenTo(
      context,
      { clientAddressOf: ({ headers }) => String(headers.from) },
      { requestsPerSecond: 1 },
    );
    const from = (client: string) => `GET / HTTP/1.1\r\nHost: x\r\nFrom: ${client}\r\n\r\n`;
    // In one piece, so that no second passes between them.
    const client = send(from('a') + from('a') + from('b'));
    while (client.text.match(/HTTP\/1\.1 /g)?.length !== 3) await once(client.socket, 'data');
    const [first, again, other] = client.text.split(/(?=HTTP\/1\.1 )/);
    assert.match(first ?? '', OK);
    assert.match(again ?? '', /^HTTP\/1\.1 429 [\s\S]*\r\nRetry-After: 1\r\n/);
    assert.match(other ?? '', OK);
    assert.deepEqual(refusals, ['rate']);
  });

  it('answers 503 while the event loop is late', async (context) => {
    const delay = { lastingMs: 0 };
    const { open, refusals } = await listenTo(context, {}, { delayMs: 50 }, delay);
    const statuses = [];
    for (const lastingMs of [0, 50, 51, 2000, 10]) {
      delay.lastingMs = lastingMs;
      statuses.push((await (await open('/')).answer()).split(' ')[1]);
    }
    assert.deepEqual(statuses, ['200', '200', '503', '503', '200']);
    assert.deepEqual(refusals, ['overload', 'overload']);
  });

  it('has no limit of delay or rate where these are 0', async (context) => {
    const { open } = await listenTo(context, {}, {}, { lastingMs: 1_000_000 });
    for (let i = 0; i < 20; i++) assert.match(await (await open('/')).answer(), OK);
  });
});
