/** The load generator of the benchmark: where answers end, and what it sends. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { it, type TestContext } from 'node:test';
import { answerEnd } from '../../bench/answer-end.ts';
import { type Load, MARKER, runLoad } from '../../bench/load.ts';
import { readPeerOptions } from '../../bench/peers/options.ts';
import { serveOnLoopback } from '../loopback.ts';

const LENGTH = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const CHUNKED =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n';
const EMPTY = 'HTTP/1.1 200 OK\r\nETag: "1"\r\n\r\n';

for (const answer of [LENGTH, CHUNKED, EMPTY]) {
  it(`finds the end of ${JSON.stringify(answer)}`, () => {
    const bytes = Buffer.from(answer.repeat(2));
    assert.equal(answerEnd(bytes, 0, 200), answer.length);
    assert.equal(answerEnd(bytes, answer.length, 200), 2 * answer.length);
    for (let length = 0; length < answer.length; length++) {
      assert.equal(answerEnd(bytes.subarray(0, length), 0, 200), undefined, String(length));
    }
  });
}

it('refuses an answer with another status', () => {
  assert.throws(() => answerEnd(Buffer.from(LENGTH), 0, 201), /expected 201, got HTTP\/1.1 200 OK/);
});

for (const kind of [{}, { pipelined: 3 }, { isConnecting: true }]) {
  it(`counts each answer once: ${JSON.stringify(kind)}`, async (context) => {
    const { load, paths, connections } = await startTarget(context);
    const { requests, latenciesMs } = await runLoad({ ...load, ...kind });
    assert.equal(requests, paths.length);
    assert.equal(latenciesMs.length, paths.length);
    if ('isConnecting' in kind) assert.ok(connections() >= requests);
  });
}

it('sends another number each time', async (context) => {
  const { load, paths } = await startTarget(context);
  await runLoad({ ...load, isFresh: true });
  assert.equal(new Set(paths).size, paths.length);
  assert.ok(paths.every((path) => /^\/\d{16}$/.test(path)));
});

async function startTarget(context: TestContext) {
  const paths: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.end('hello');
  }).on('connection', () => {
    connections += 1;
  });
  const port = await serveOnLoopback(context, server);
  const targets = [{ path: `/${MARKER}`, headers: {} }];
  const load: Load = { port, targets, connections: 2, durationMs: 50 };
  return { load, paths, connections: () => connections };
}

it('reads the options of the comparison with peers', () => {
  assert.deepEqual(readPeerOptions(['--sizes', '500,1000', '--orders', '0']), {
    sizes: [500, 1000],
    seconds: 5,
    warmUpSeconds: 60,
    orders: 0,
    heap: '4g',
  });
  assert.throws(() => readPeerOptions(['--sizes', '10']), /--sizes must be a number from 100/);
});
