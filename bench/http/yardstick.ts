/** The yardstick: a bare `node:http` server that sends given bytes with given headers. */
import { createServer } from 'node:http';
import type { Recorded } from './record.ts';

const answers = new Map<string, { status: number; headers: string[]; body: Buffer }>();

const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? '');
  if (answer === undefined) throw new Error(`no answer for ${request.url}`);
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
});

/** Told once, over the channel to the parent: what to answer to which path. */
process.on('message', (recorded: readonly Recorded[]) => {
  for (const { path, status, headers, body } of recorded) {
    answers.set(path, { status, headers: [...headers], body: Buffer.from(body, 'base64') });
  }
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(typeof address === 'object' && address !== null ? address.port : 0);
  });
});
