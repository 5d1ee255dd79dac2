/** Ports: which platforms share them, and what is said when one cannot be had. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { it } from 'node:test';
import { canSharePort, reservePort } from '../../src/server/sockets/port.ts';
import { listenOnLoopback } from '../loopback.ts';

it('a port is shared where the platform shares connections out', () => {
  const platforms = ['linux', 'freebsd', 'darwin', 'win32', 'openbsd'];
  assert.deepEqual(platforms.filter(canSharePort), ['linux', 'freebsd']);
});

it('a port that cannot be had is refused with the flag to change', async (context) => {
  const other = createServer();
  context.after(() => other.close());
  const taken = await listenOnLoopback(other);
  await assert.rejects(reservePort('127.0.0.1', taken), {
    name: 'ServerError',
    message: /is taken by another program\. .*--port\.$/,
  });
  await assert.rejects(reservePort('192.0.2.1', 0), {
    name: 'ServerError',
    message: /^192\.0\.2\.1 is not an address of this machine\. .*--host/,
  });
});

it('a free port is reserved until it is released', {
  skip: !canSharePort() && 'this platform cannot share a port between threads',
}, async (context) => {
  const { port, release } = await reservePort('127.0.0.1', 0);
  context.after(release);
  assert.notEqual(port, 0);
  const other = createServer();
  context.after(() => other.close());
  other.listen(port, '127.0.0.1');
  const [error] = await once(other, 'error');
  assert.equal(error.code, 'EADDRINUSE');
  const thread = createServer();
  context.after(() => thread.close());
  thread.listen({ port, host: '127.0.0.1', reusePort: true });
  await once(thread, 'listening');
  release();
  // Connections now reach the thread alone.
  const connected = once(thread, 'connection');
  const client = connect(port, '127.0.0.1');
  context.after(() => client.destroy());
  const [served] = await connected;
  context.after(() => served.destroy());
});
