/** A body is read only when everything that can be decided without it is decided. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { JSON_TYPE, type OrderServer, startOrders } from './order-server.ts';

let server: OrderServer;
before(async () => {
  server = await startOrders();
});
after(() => server.close());

/** Sends the head of a request that announces a body; resolves with the beginning of the answer. */
async function sendHead(method: string, path: string, headers: readonly string[]): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  try {
    const all = ['Host: x', 'Content-Length: 1000', ...headers];
    socket.write(`${method} /base/${path} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`);
    const [answer] = await once(socket, 'data');
    return String(answer);
  } finally {
    socket.destroy();
  }
}

const WRITER = 'Authorization: Bearer writer';
const READER = 'Authorization: Bearer reader';
const JSON_BODY = `Content-Type: ${JSON_TYPE}`;
const FORM_BODY = 'Content-Type: application/x-www-form-urlencoded';

describe('a request whose body never comes', { concurrency: true }, () => {
  const cases: readonly (readonly [
    what: string,
    status: number,
    method: string,
    path: string,
    headers: readonly string[],
  ])[] = [
    ['at an unknown path', 404, 'POST', 'nothing', [WRITER, JSON_BODY]],
    ['by a method that is not offered', 405, 'POST', 'OrderResponse/1', [WRITER, JSON_BODY]],
    ['without a token', 401, 'POST', 'OrderResponse', [JSON_BODY]],
    ['with a token that does not allow it', 403, 'PUT', 'OrderResponse/1', [READER, JSON_BODY]],
    ['with an Accept that cannot be met', 406, 'POST', 'OrderResponse', [WRITER, 'Accept: a/b']],
    ['of a type that is not read', 415, 'POST', 'OrderResponse', [WRITER, FORM_BODY]],
    ['of a search, of a wrong type', 415, 'POST', 'STU3/Organization/_search', [JSON_BODY]],
  ];
  for (const [what, status, method, path, headers] of cases) {
    it(`${what} is answered ${status} without waiting for it`, async () => {
      const start = new RegExp(`^HTTP/1\\.1 ${status} `);
      assert.match(await sendHead(method, path, headers), start);
    });
    it(`${what} is answered ${status} in place of 100 Continue`, async () => {
      const start = new RegExp(`^HTTP/1\\.1 ${status} `);
      const answer = await sendHead(method, path, [...headers, 'Expect: 100-continue']);
      assert.match(answer, start);
      assert.match(answer, /\r\nConnection: close\r\n/);
    });
  }
});

it('a client that may send its body gets 100 Continue', async () => {
  const expecting = [WRITER, JSON_BODY, 'Expect: 100-continue'];
  assert.match(await sendHead('POST', 'OrderResponse', expecting), /^HTTP\/1\.1 100 Continue\r\n/);
});

it('a body that is announced too long is refused in place of 100 Continue', async () => {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    'POST /base/STU3/Organization/_search HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n' +
      `${FORM_BODY}\r\nContent-Length: 65537\r\n\r\n`,
  );
  const [answer] = await once(socket, 'data');
  socket.destroy();
  assert.match(String(answer), /^HTTP\/1\.1 413 /);
});
