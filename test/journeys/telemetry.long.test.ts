/** Spans as a collector gets them, and servers whose collector does not answer. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { LOG_FIELDS } from '../../scripts/reference-log.ts';
import { freePort } from '../loopback.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../telemetry/otlp-receiver.ts';
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
import { ROOT } from '../tidy/source-files.ts';
import type { LogLine, Server } from './program.ts';
import { tokenFor } from './token.ts';

describe('a server with a collector', () => {
  const owner = { after };
  /** The path of each request, and the name of its span. */
  const requests: readonly (readonly [string, string])[] = [
    ['/STU3/Organization/RR8', 'GET /STU3/Organization/{id}'],
    ['/STU3/Organization?name=Kanfeld', 'GET /STU3/Organization'],
    ['/R4/Organization/RR8', 'GET /R4/Organization/{id}'],
    ['/ORD/2-0-0/organisations/RR8', 'GET /ORD/2-0-0/organisations/{code}'],
    ['/organizations/RR8', 'GET /organizations/{code}'],
    ['/Kanfeld/1998-03-19', 'GET'],
  ];
  let receiver: OtlpReceiver;
  let server: Server;
  let log: readonly LogLine[] = [];

  before(async () => {
    receiver = await startOtlpReceiver(owner);
    const headers = join(temporaryFolder(owner), 'headers');
    writeFileSync(headers, 'Authorization: Bearer secret\n\nX-Tenant: one\n');
    const words = toCollector(receiver.endpoint, '--telemetry-headers-file', headers);
    const started = await serveSample(owner, [...words, '--threads', '1']);
    server = started.server;
    for (const [path] of requests) await get(server.origin + path);
    const token = await tokenFor(started.data, '--scope', 'system/OrderResponse.*');
    const created = await fetch(`${server.origin}/OrderResponse`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/xml+fhir',
        ...SAMPLED,
      },
      body: readFileSync(join(ROOT, 'sample/order-response.xml')),
    });
    assert.equal(created.status, 201, await created.text());
    // The server sends the spans that wait before it ends.
    assert.equal(await server.stop(), 0);
    log = server.log;
  });

  it('sends spans of a request, its interaction and the store, each in its parent', () => {
    const chain = ['POST /OrderResponse', 'create OrderResponse', 'store create'];
    const found = [...chain, 'store transaction'].map((name) => spanOf(receiver.spans, name));
    assert.deepEqual(
      found.map(({ traceId, parentSpanId, kind }) => [traceId, parentSpanId, kind]),
      [
        [TRACE, CALLER, 2],
        [TRACE, found[0]?.spanId, 1],
        [TRACE, found[1]?.spanId, 1],
        [TRACE, found[2]?.spanId, 1],
      ],
    );
    const [request, interaction, call, transaction] = found;
    assert.equal(request?.traceState, SAMPLED.tracestate);
    assert.deepEqual(request?.attributes, {
      'http.request.method': 'POST',
      'http.route': '/OrderResponse',
      'http.response.status_code': 201,
      'network.protocol.version': '1.1',
      'url.scheme': 'http',
    });
    assert.deepEqual(interaction?.attributes, {
      'fhir.interaction': 'create',
      'fhir.resource.type': 'OrderResponse',
    });
    assert.equal(transaction?.attributes['db.operation.batch.size'], 1);
    assert.ok(call !== undefined && transaction !== undefined);
    assert.ok(transaction.startNs <= transaction.endNs && transaction.endNs <= call.endNs);
    const { resource } = call;
    assert.deepEqual(
      [resource['service.name'], typeof resource['service.instance.id']],
      ['gazetteer', 'string'],
    );
  });

  it('names spans by routes, and never by ids or values of a request', () => {
    const { spans } = receiver;
    const names = spans.filter(({ kind }) => kind === 2).map(({ name }) => name);
    const expected = [...requests.map(([, name]) => name), 'POST /OrderResponse'];
    assert.deepEqual(names.toSorted(), expected.toSorted());
    const text = JSON.stringify(spans, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    for (const value of ['RR8', 'Kanfeld', '1998-03-19', '127.0.0.1']) {
      assert.ok(!text.includes(value), value);
    }
    const search = spanOf(spans, 'search-type Organization');
    assert.equal(search.parentSpanId, spanOf(spans, 'GET /STU3/Organization').spanId);
  });

  it('sends the headers of its file, and never logs them', () => {
    const [sent] = receiver.headers;
    assert.deepEqual([sent?.authorization, sent?.['x-tenant']], ['Bearer secret', 'one']);
    assert.ok(!JSON.stringify(log).includes('secret'));
  });

  it('logs the trace of each request', () => {
    const traces = receiver.spans.filter(({ kind }) => kind === 2).map(({ traceId }) => traceId);
    assert.deepEqual(loggedTraces(server).toSorted(), traces.toSorted());
  });

  it('logs only fields that the reference lists', () => {
    const known = new Set(['level', 'time', 'msg', 'code', ...Object.keys(LOG_FIELDS)]);
    const fields = new Set(log.flatMap((line) => Object.keys(line)));
    assert.deepEqual(
      [...fields].filter((field) => !known.has(field)),
      [],
    );
  });
});

it('records the traces that callers record, and of others the share of the setting', async (context) => {
  const receiver = await startOtlpReceiver(context);
  const words = toCollector(receiver.endpoint, '--telemetry-sampling-ratio', '0');
  const { server } = await serveSample(context, [...words, '--threads', '1']);
  const url = `${server.origin}/STU3/Organization/RR8`;
  await get(url);
  await get(url, { traceparent: `00-${TRACE}-${CALLER}-00` });
  await get(url, SAMPLED);
  assert.equal(await server.stop(), 0);
  const recorded = receiver.spans.filter(({ kind }) => kind === 2);
  assert.deepEqual(
    recorded.map(({ parentSpanId }) => parentSpanId),
    [CALLER],
  );
});

describe('a collector', () => {
  const cases: readonly (readonly [string, (context: TestContext) => Promise<string>])[] = [
    ['that is away', async () => `http://127.0.0.1:${await freePort()}`],
    ['that never answers', async (context) => (await startOtlpReceiver(context, 'never')).endpoint],
  ];
  for (const [name, endpointOf] of cases) {
    it(`${name} is logged once, and requests are answered`, async (context) => {
      const endpoint = await endpointOf(context);
      const { server } = await serveSample(context, [...toCollector(endpoint), '--threads', '2']);
      const url = `${server.origin}/STU3/Organization/RR8`;
      // More spans than the queues of both threads take.
      for (let batch = 0; batch < 90; batch++) {
        const statuses = await Promise.all(Array.from({ length: 30 }, () => get(url)));
        assert.ok(statuses.every((status) => status === 200));
      }
      await server.logged(/^cannot send telemetry$/);
      assert.equal(await server.stop(), 0);
      assert.equal(server.log.at(-1)?.msg, 'stopped');
      const problems = server.log.filter(({ code }) => code === 'GZ601');
      assert.equal(problems.length, 1);
    });
  }
});

it('ends although the answer of a collector never ends', async (context) => {
  const { endpoint } = await startOtlpReceiver(context, 'endless');
  const { server } = await serveSample(context, [...toCollector(endpoint), '--threads', '1']);
  assert.equal(await get(`${server.origin}/STU3/Organization/RR8`), 200);
  assert.equal(await server.stop(), 0);
});
