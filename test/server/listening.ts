/** A listener on a separate port and raw connections to it, for tests of sockets. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createListener, type ListenerOptions } from '../../src/server/http-listener.ts';
import { serveOnLoopback } from '../loopback.ts';

export interface Client {
  readonly socket: Socket;
  /** What has come so far. */
  readonly text: string;
  /** Resolves with the whole of the first answer. */
  answer(): Promise<string>;
  /** Resolves when the connection is closed, with the code of what broke it, if anything did. */
  closed(): Promise<string | undefined>;
}

/** Everything ends with the test. */
export async function listen(
  context: TestContext,
  options: Pick<ListenerOptions, 'handle'> & Partial<ListenerOptions>,
) {
  const { server, stop, secure } = createListener({ idPrefix: 'test-', ...options });
  const port = await serveOnLoopback(context, server);

  /** Connects, and sends the text as soon as it can. */
  const send = (sent: string): Client => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    context.after(() => socket.destroy());
    return clientOf(socket, sent);
  };
  return { server, stop, secure, port, send };
}

function clientOf(socket: Socket, sent: string): Client {
  let error: string | undefined;
  const client = {
    socket,
    text: '',
    answer: async () => {
      while (!isWhole(client.text)) {
        if (socket.closed) throw new Error(`closed after ${JSON.stringify(client.text)}`);
        await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      }
      return client.text;
    },
    closed: async () => {
      if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
      return error;
    },
  };
  socket.on('data', (chunk) => {
    client.text += chunk;
  });
  socket.on('end', () => socket.end());
  socket.on('error', ({ message }) => {
    error = message;
  });
  if (sent !== '') socket.write(sent);
  return client;
}

function isWhole(text: string): boolean {
  const [head = '', body] = text.split('\r\n\r\n');
  const length = Number(/\r\nContent-Length: (\d+)/.exec(head)?.[1] ?? 0);
  return body !== undefined && Buffer.byteLength(body) >= length;
}
