/** Receivers of notifications that do not do what they should, each with a subscription to every change. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { subscribe } from '../../test/cluster/subscribers.ts';
import { serveOnLoopback } from '../../test/loopback.ts';
import type { Owner } from '../../test/owner.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const SLOW_MS = 3000;

const BAD: readonly Answer[] = [
  // Slow.
  async (request, response) => {
    request.resume();
    await delay(SLOW_MS, undefined, { ref: false });
    response.end();
  },
  // In error.
  (request, response) => {
    request.resume();
    response.writeHead(500).end();
  },
  // Hanging: it never answers.
  (request) => {
    request.resume();
  },
  // It ends the connection.
  (request) => {
    request.socket.destroy();
  },
];

export async function startBadReceivers(
  owner: Owner,
  origin: string,
  token: string,
): Promise<void> {
  for (const answer of BAD) {
    const port = await serveOnLoopback(owner, createServer(answer));
    await subscribe(origin, token, `http://127.0.0.1:${port}/`);
  }
}
