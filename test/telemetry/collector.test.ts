/** Exports to a collector: the times of spans, what is reported if it fails, and the end of a server. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { openSpanExport, reportFailures } from '../../src/telemetry/span-export.ts';
import { startOtlpReceiver } from './otlp-receiver.ts';

const createFailing = () => new Int32Array(new SharedArrayBuffer(4));

async function setUp(context: TestContext) {
  const receiver = await startOtlpReceiver(context);
  const failing = createFailing();
  const collector = {
    endpoint: receiver.endpoint,
    headers: {},
    serviceName: 'gazetteer',
    version: '0',
    instanceId: 'one',
    samplingRatio: 1,
    failing,
  };
  const spans = await openSpanExport(collector, () => {});
  spans.start({ name: 'work', kind: 'internal' }, undefined).end();
  return { receiver, failing, spans, close: spans.close };
}

it('a collector gets the last spans at the end', async (context) => {
  const { receiver, close } = await setUp(context);
  await close();
  assert.deepEqual(
    receiver.spans.map(({ name }) => name),
    ['work'],
  );
});

it('a collector that failed last gets nothing at the end', async (context) => {
  const { receiver, failing, close } = await setUp(context);
  Atomics.store(failing, 0, 1);
  await close();
  assert.deepEqual(receiver.headers, []);
});

it('a span begins and ends within its parent', async (context) => {
  const { receiver, spans, close } = await setUp(context);
  for (let i = 0; i < 200; i++) {
    const parent = spans.start({ name: 'parent', kind: 'server' }, undefined);
    // Another part of a millisecond each time.
    const from = performance.now();
    while (performance.now() < from + 0.37);
    const child = spans.start({ name: 'child', kind: 'internal' }, parent.context);
    child.end();
    parent.end();
  }
  await close();
  const byId = new Map(receiver.spans.map((span) => [span.spanId, span]));
  const children = receiver.spans.filter(({ name }) => name === 'child');
  assert.equal(children.length, 200);
  for (const { startNs, endNs, parentSpanId = '' } of children) {
    const parent = byId.get(parentSpanId);
    assert.ok(parent && parent.startNs <= startNs && endNs <= parent.endNs);
  }
});

it('a problem has the code of the error, if there is one', () => {
  class ExportError extends Error {
    code: string | undefined;
  }
  const problems = ['ECONNREFUSED', undefined].map((code) => {
    const error = Object.assign(new ExportError('the export failed'), { code });
    const exporter = {
      export: (_data: object, done: (result: { code: number; error: Error }) => void) =>
        done({ code: 1, error }),
    };
    const found: string[] = [];
    reportFailures(exporter, createFailing(), (problem) => found.push(problem));
    exporter.export({}, () => {});
    return found;
  });
  assert.deepEqual(problems, [
    ['traces: ECONNREFUSED: the export failed'],
    ['traces: the export failed'],
  ]);
});
