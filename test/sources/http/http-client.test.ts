/** Limits of requests that the sources share. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { it } from 'node:test';
import { bytesOf } from '../../../src/sources/http/answer-body.ts';
import { serveOnLoopback } from '../../loopback.ts';
import { createSourceRun } from '../source-run.ts';

it('an answer that never ends is cut off, however often it sends a byte', async (context) => {
  const server = createServer((_, response) => {
    const drip = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(drip));
  });
  const port = await serveOnLoopback(context, server);
  const url = `http://127.0.0.1:${port}/`;
  const run = createSourceRun(context);
  const client = run.createClient({ wording: { work: 'fetch', remedyOf: () => '' } });
  await assert.rejects(
    client.ask({ url, accept: '*/*', answerMsMax: 30 }, ({ chunks }) => bytesOf(url, chunks, 1e6)),
    /cannot be read \(the answer is too slow\); the fetch tried 7 times\. Fetch again later\.$/,
  );
});
