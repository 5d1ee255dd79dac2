/** A server thread for tests: it reports its number and its messages, and dies on request. */
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, ToThread } from '../../src/server/threads.ts';

export interface TestUpdate {
  readonly kind: string;
  readonly text: string;
}

const told = new Map<string, string>();
const server = createServer(({ url }, outgoing) => {
  if (url === '/die') {
    setImmediate(() => {
      throw new Error('asked to die');
    });
  }
  outgoing.setHeader('Connection', 'close');
  outgoing.end(`${[workerData.number, ...told.values()].join(' ')}`);
});

const post = (message: FromThread) => parentPort?.postMessage(message);
server.on('error', ({ message, code }: NodeJS.ErrnoException) =>
  post({ kind: 'failed', message, code }),
);

parentPort?.on('message', (message: ToThread<TestUpdate>) => {
  if (message.kind === 'update') told.set(message.update.kind, message.update.text);
  if (message.kind === 'listen') {
    server.listen({ ...message.listen }, () => post({ kind: 'listening' }));
  }
  if (message.kind === 'stop') server.close(() => parentPort?.close());
});
post({ kind: 'ready' });
