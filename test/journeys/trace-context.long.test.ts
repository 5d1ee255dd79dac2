/** Traces that go through the program: from its callers to the services that it asks. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { serveOnLoopback } from '../loopback.ts';
import { startOtlpReceiver } from '../telemetry/otlp-receiver.ts';
import {
  CALLER,
  get,
  loggedTraces,
  SAMPLED,
  serveSample,
  spanOf,
  TRACE,
  toCollector,
} from '../telemetry/traced-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { gazetteer, SAMPLE, type Server, serve } from './program.ts';

/** A peer, or an issuer without keys, that records the headers of requests. */
async function startRecording(context: TestContext) {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((incoming, outgoing) => {
    seen.push(incoming.headers);
    incoming.resume();
    outgoing.writeHead(200, { 'Content-Type': 'application/json' }).end('{"keys":[]}');
  });
  const port = await serveOnLoopback(context, server);
  return { seen, url: `http://127.0.0.1:${port}` };
}

const ISSUER = 'https://issuer.example';

function withKeysAt(url: string): string[] {
  return [
    '--threads',
    '1',
    '--directory-authenticate',
    '--auth-issuer',
    ISSUER,
    '--auth-jwks-url',
    `${url}/keys`,
  ];
}

/** Sends a token that the server cannot check before it has fetched keys. */
async function ask(server: Server, headers: Readonly<Record<string, string>>) {
  const [header, claims] = [{ alg: 'RS256', kid: 'a' }, { iss: ISSUER }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const authorization = `Bearer ${header}.${claims}.c2ln`;
  await get(`${server.origin}/STU3/Organization/RR8`, { authorization, ...headers });
}

it('without telemetry, a trace is passed on unchanged, and is in the log', async (context) => {
  const issuer = await startRecording(context);
  const { server } = await serveSample(context, withKeysAt(issuer.url));
  await ask(server, SAMPLED);
  const [{ traceparent, tracestate } = {}] = issuer.seen;
  assert.deepEqual({ traceparent, tracestate }, SAMPLED);
  await server.stop();
  assert.deepEqual(loggedTraces(server), [TRACE]);
});

it('a trace that is not valid is neither passed on nor logged', async (context) => {
  const issuer = await startRecording(context);
  const { server } = await serveSample(context, withKeysAt(issuer.url));
  await ask(server, { traceparent: 'not-a-trace', tracestate: 'a=1' });
  assert.ok(issuer.seen.length > 0);
  assert.ok(!issuer.seen.some((headers) => 'traceparent' in headers || 'tracestate' in headers));
  await server.stop();
  assert.deepEqual(loggedTraces(server), [undefined]);
});

it('with telemetry, a request to an issuer names its own span', async (context) => {
  const receiver = await startOtlpReceiver(context);
  const issuer = await startRecording(context);
  const words = [...withKeysAt(issuer.url), ...toCollector(receiver.endpoint)];
  const { server } = await serveSample(context, words);
  await ask(server, SAMPLED);
  assert.equal(await server.stop(), 0);
  const sent = receiver.spans.find(({ kind }) => kind === 3);
  const request = receiver.spans.find(({ kind }) => kind === 2);
  assert.equal(issuer.seen[0]?.traceparent, `00-${TRACE}-${sent?.spanId}-01`);
  assert.equal(sent?.parentSpanId, request?.spanId);
  assert.equal(sent?.attributes['http.response.status_code'], 200);
  assert.ok(!JSON.stringify(sent?.attributes).includes('keys'));
});

it('a fetch continues the trace of its environment, and passes it on', async (context) => {
  const receiver = await startOtlpReceiver(context);
  const peer = await startRecording(context);
  const words = ['--from', `${peer.url}/STU3`, '--data', temporaryFolder(context), '--quiet'];
  const failed = await gazetteer(['fetch', ...words, '--telemetry-endpoint', receiver.endpoint], {
    environment: { TRACEPARENT: SAMPLED.traceparent },
  });
  assert.equal(failed.code, 1);
  const [command, source, request] = ['fetch', 'fetch source', 'GET'].map((name) =>
    spanOf(receiver.spans, name),
  );
  assert.deepEqual(
    [command, source, request].map((span) => [span?.traceId, span?.parentSpanId, span?.status]),
    [
      [TRACE, CALLER, 2],
      [TRACE, command?.spanId, 2],
      [TRACE, source?.spanId, 0],
    ],
  );
  assert.equal(peer.seen[0]?.traceparent, `00-${TRACE}-${request?.spanId}-01`);
});

it('a fetch that a server starts is a part of the trace of the server', async (context) => {
  const receiver = await startOtlpReceiver(context);
  const peer = await startRecording(context);
  const { endpoint } = receiver;
  const server = await serve(context, [
    '--data',
    temporaryFolder(context),
    '--threads',
    '1',
    '--orders-enabled=false',
    '--directory-source',
    `${peer.url}/STU3`,
    ...toCollector(endpoint),
  ]);
  await server.logged(/^a fetch failed$/);
  assert.equal(await server.stop(), 0);
  const [scheduled, command] = ['scheduled fetch', 'fetch'].map((name) =>
    spanOf(receiver.spans, name),
  );
  assert.equal(scheduled?.parentSpanId, undefined);
  assert.deepEqual(
    [command?.traceId, command?.parentSpanId],
    [scheduled?.traceId, scheduled?.spanId],
  );
});

it('an import is a span', async (context) => {
  const receiver = await startOtlpReceiver(context);
  const words = ['--data', temporaryFolder(context), '--telemetry-endpoint', receiver.endpoint];
  const ended = await gazetteer(['import', SAMPLE, '--quiet', ...words]);
  assert.equal(ended.code, 0, ended.stderr);
  const spans = receiver.spans.map(({ name, status }) => [name, status]);
  assert.deepEqual(spans, [['import', 0]]);
});

it('a file of headers that is not valid stops the server, without its content', async (context) => {
  const file = join(temporaryFolder(context), 'headers');
  writeFileSync(file, 'secret\n');
  const ended = await gazetteer([
    'serve',
    '--data',
    temporaryFolder(context),
    '--telemetry-headers-file',
    file,
    '--telemetry-endpoint',
    'http://127.0.0.1:4318',
    '--port',
    '0',
    '--metrics-port',
    '0',
    '--log-format',
    'text',
  ]);
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /Write "Name: value" on each line\.\n$/);
  assert.ok(!ended.stderr.includes('secret'));
});
