/** Connections count from their beginning, also where the TLS handshake is never finished. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { connect as connectSecurely } from 'node:tls';
import { type GateLimits, openConnections } from '../../src/server/limits/gate.ts';
import { readCertificate } from '../../src/server/sockets/certificate.ts';
import { listenTo } from './gated-listening.ts';

const TLS = join(import.meta.dirname, 'tls');
const CERTIFICATE = readCertificate({
  certificate: join(TLS, 'first.pem'),
  key: join(TLS, 'first-key.pem'),
});

describe('a TLS handshake that is not finished', { concurrency: true }, () => {
  for (const [limits, status] of [
    [{ connections: 2 }, 503],
    [{ connectionsPerClient: 2 }, 429],
  ] as const) {
    it(`counts as a connection: ${Object.keys(limits)}`, async (context) => {
      const { send, ask, memory } = await listenSecurely(context, limits);
      assert.match(await ask(), /^HTTP\/1\.1 200 /);
      const silent = [send(''), send('')];
      while (openConnections(memory) < silent.length) await new Promise(setImmediate);
      assert.match(await ask(), new RegExp(`^HTTP/1\\.1 ${status} `));
      for (const { socket } of silent) socket.destroy();
      while (openConnections(memory) > 0) await new Promise(setImmediate);
      assert.match(await ask(), /^HTTP\/1\.1 200 /);
    });
  }

  it('does not hold up a stop', async (context) => {
    const { server, send, stop } = await listenSecurely(context, {});
    const silent = send('');
    await once(server, 'connection');
    const closed = once(server, 'close');
    stop();
    await silent.closed();
    await closed;
  });
});

/** `ask` resolves with the answer to a request on a new connection, when that is closed. */
async function listenSecurely(context: TestContext, limits: Partial<GateLimits>) {
  const listening = await listenTo(context, { isSecure: true }, limits);
  const { port, memory } = listening;
  listening.secure(CERTIFICATE);
  const ask = async (): Promise<string> => {
    const before = openConnections(memory);
    const socket = connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false });
    context.after(() => socket.destroy());
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    while (openConnections(memory) > before) await new Promise(setImmediate);
    return text;
  };
  return { ...listening, ask };
}
