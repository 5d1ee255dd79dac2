/** A server thread for tests: it reports its number and its messages, and dies on request. */
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import type { ToThread } from '../../src/server/threads.ts';

let told = '';
const server = createServer(({ url }, outgoing) => {
  if (url === '/die') {
    setImmediate(() => {
      throw new Error('asked to die');
    });
  }
  outgoing.setHeader('Connection', 'close');
  outgoing.end(`${workerData.number} ${told}`);
});

parentPort?.on('message', (message: ToThread<string>) => {
  if (message.kind === 'update') told = message.update;
  if (message.kind === 'listen') {
    server.listen({ ...message.listen }, () => parentPort?.postMessage({ kind: 'listening' }));
  }
  if (message.kind === 'stop') server.close(() => parentPort?.close());
});
parentPort?.postMessage({ kind: 'ready' });
