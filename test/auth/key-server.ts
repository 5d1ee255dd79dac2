/** A server that publishes keys as a test wants it: right, late, elsewhere, too long, not at all. */
import { createServer, type RequestListener } from 'node:http';
import type { TestContext } from 'node:test';
import type { JWK } from 'jose';
import { serveOnLoopback } from '../loopback.ts';

export interface KeyServer {
  readonly url: string;
  readonly requests: () => number;
  answer(listener: RequestListener): void;
  publish(...keys: readonly JWK[]): void;
}

export async function startKeyServer(context: TestContext): Promise<KeyServer> {
  let listener: RequestListener = (_, response) => response.writeHead(404).end();
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    listener(request, response);
  });
  const port = await serveOnLoopback(context, server);
  const answer = (next: RequestListener) => {
    listener = next;
  };
  return {
    url: `http://127.0.0.1:${port}/keys`,
    requests: () => requests,
    answer,
    publish: (...keys) =>
      answer((_, response) => {
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ keys }));
      }),
  };
}
