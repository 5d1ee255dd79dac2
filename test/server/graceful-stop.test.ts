/** A stop waits for clients that read slowly. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { it } from 'node:test';
import { createListener } from '../../src/server/http-listener.ts';

/** More than what the system holds for a socket. */
const BODY_BYTES = 32 * 1024 * 1024;

it('an answer that is on its way when the server stops arrives whole', async () => {
  const body = Buffer.alloc(BODY_BYTES, 'x');
  let answered = () => {};
  const answering = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const { server, stop } = createListener({
    handle: () => ({ status: 200, headers: [], body }),
    idPrefix: 'test-',
    onAnswer: () => answered(),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const slow = connect(port, '127.0.0.1');
  slow.pause();
  slow.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const idle = connect(port, '127.0.0.1');
  await once(idle, 'connect');
  await answering;
  const closed = once(server, 'close');
  stop();
  let received = 0;
  slow.on('data', (chunk) => {
    received += chunk.length;
  });
  slow.resume();
  await once(slow, 'close');
  await closed;
  assert.ok(received > BODY_BYTES, `${received} bytes of more than ${BODY_BYTES}`);
});
