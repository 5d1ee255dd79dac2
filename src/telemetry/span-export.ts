/**
 * Records spans with OpenTelemetry, and sends them to a collector in batches, over OTLP with HTTP
 * and JSON. The packages of OpenTelemetry take 20 MB and most servers do not use them, so users
 * install them separately.
 */
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import type { Span as OtelSpan, SpanContext } from '@opentelemetry/api';
import { systemReason } from '../fhir/request/system-reason.ts';
import { wallClockMs } from '../threads/wall-clock.ts';
import type { TraceContext } from './trace-context.ts';
import type { SpanEnd, SpanRecorder, SpanStart, TraceSpan } from './tracing.ts';

/** Telemetry does not work with these settings. The program prints the message without a stack. */
export class TelemetryError extends Error {
  override readonly name = 'TelemetryError';
}

/** The collector, and what each span says of this server. */
export interface CollectorOptions {
  /** The base address, without a slash at the end. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly version: string;
  /** The same in all threads of a process. */
  readonly instanceId: string;
  /** The share of traces to record, of those that begin here. A caller decides about its own traces. */
  readonly samplingRatio: number;
  /** A cell that all threads share: 1 if the last export failed. */
  readonly failing: Int32Array<SharedArrayBuffer>;
}

/** Called with the reason when an export fails, and no thread has reported it since a success. */
export type OnExportProblem = (problem: string) => void;

export interface SpanExport extends SpanRecorder {
  /** Sends the remaining spans. Never rejects. */
  close(): Promise<void>;
}

/** The packages, and the versions that the tests use. */
export const OPEN_TELEMETRY_PACKAGES: Readonly<Record<string, string>> = {
  '@opentelemetry/api': '1.10.0',
  '@opentelemetry/exporter-trace-otlp-http': '0.301.0',
  '@opentelemetry/resources': '3.1.0',
  '@opentelemetry/sdk-trace': '3.1.0',
};

/** The modules of the packages. */
export interface TracePackages {
  readonly api: typeof import('@opentelemetry/api');
  readonly sdk: typeof import('@opentelemetry/sdk-trace');
  readonly otlp: typeof import('@opentelemetry/exporter-trace-otlp-http');
  readonly resources: typeof import('@opentelemetry/resources');
}

/** Rejects with a `TelemetryError` if a package is not installed. */
export async function loadTracePackages(): Promise<TracePackages> {
  try {
    const [api, sdk, otlp, resources] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
    return { api, sdk, otlp, resources };
  } catch (error) {
    const isMissing =
      error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw error;
    const names = Object.entries(OPEN_TELEMETRY_PACKAGES).map((each) => each.join('@'));
    throw new TelemetryError(
      'telemetry.endpoint is set, but the packages of OpenTelemetry are not installed. Run this ' +
        'command in the folder where gazetteer-fhir is installed, with -g if it is installed ' +
        `globally: npm install ${names.join(' ')}`,
    );
  }
}

/** Rejects with a `TelemetryError` if the packages are not installed. */
export async function openSpanExport(
  collector: CollectorOptions,
  onProblem: OnExportProblem,
): Promise<SpanExport> {
  const { endpoint, headers, serviceName, version, instanceId, samplingRatio } = collector;
  const { api, sdk, otlp, resources } = await loadTracePackages();
  subscribe(REQUEST_START, limitExport);
  const url = `${endpoint}/v1/traces`;
  const exporter = new otlp.OTLPTraceExporter({ url, headers, timeoutMillis: EXPORT_MS_MAX });
  const end = reportFailures(exporter, collector.failing, onProblem);
  const root = new sdk.TraceIdRatioBasedSampler(samplingRatio);
  const provider = new sdk.TracerProvider({
    // The settings override `OTEL_RESOURCE_ATTRIBUTES`.
    resource: resources
      .detectResources({ detectors: [resources.resourceAttributesEnvDetector] })
      .merge(
        resources.resourceFromAttributes({
          'service.name': serviceName,
          'service.version': version,
          'service.instance.id': instanceId,
        }),
      ),
    sampler: new sdk.ParentBasedSampler({ root }),
    // The queue is limited. While the collector does not answer, further spans are dropped.
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, ...BATCHES })],
  });
  const tracer = provider.getTracer('gazetteer', version);
  const kinds = {
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    internal: api.SpanKind.INTERNAL,
  };
  return {
    // Without a time, a span would begin at a whole millisecond, and could end after its parent.
    start: ({ name, kind, attributes = {}, startMs = wallClockMs() }: SpanStart, parent) => {
      const spanOptions = { kind: kinds[kind], attributes: { ...attributes }, startTime: startMs };
      return spanOf(tracer.startSpan(name, spanOptions, contextOf(parent, api)), api);
    },
    close: () => {
      end();
      return provider.shutdown().catch(() => {});
    },
  };
}

const BATCHES = { maxQueueSize: 2048, maxExportBatchSize: 512, scheduledDelayMillis: 1000 };

/** https://nodejs.org/api/diagnostics_channel.html#http */
const REQUEST_START = 'http.client.request.start';

/** The longest time of an export, and so the longest delay of a stop by a slow collector. */
const EXPORT_MS_MAX = 3_000;

/**
 * Ends an export at its time limit. The limit of the exporter is one of silence: a collector that
 * sends its answer in small pieces would keep the server from ending.
 */
function limitExport(message: unknown): void {
  if (!(message instanceof Object && 'request' in message)) return;
  const { request } = message;
  // An import would load the module without telemetry too.
  const { ClientRequest } = process.getBuiltinModule('node:http');
  if (!(request instanceof ClientRequest)) return;
  if (!String(request.getHeader('user-agent')).includes(EXPORTER)) return;
  const end = () => request.destroy(new Error('Request timed out'));
  const limit = setTimeout(end, EXPORT_MS_MAX);
  request.once('close', () => clearTimeout(limit));
}

/** In the user agent of the exporter. */
const EXPORTER = 'OTel-OTLP-Exporter-JavaScript';

interface ExportResult {
  /** 0: the collector has accepted the data. */
  readonly code: number;
  readonly error?: Error;
}

/**
 * Reports the first failure after a success. Call the function that it returns before the last
 * export, which a collector that failed last does not get: the end of a server would wait for it.
 */
export function reportFailures<Data>(
  exporter: { export(data: Data, done: (result: ExportResult) => void): void },
  failing: CollectorOptions['failing'],
  onProblem: OnExportProblem,
): () => void {
  const send = exporter.export.bind(exporter);
  let isEnding = false;
  exporter.export = (data, done) => {
    if (isEnding && Atomics.load(failing, 0) === 1) {
      done({ code: FAILED });
      return;
    }
    send(data, (result) => {
      const isFailure = result.code !== 0;
      const wasFailing = Atomics.exchange(failing, 0, Number(isFailure));
      if (isFailure && wasFailing === 0) onProblem(`traces: ${problemOf(result.error)}`);
      done(result);
    });
  };
  return () => {
    isEnding = true;
  };
}

const FAILED = 1;

/** The error code and a limited part of the message: the answer of a collector can have any length. */
function problemOf(error: Error | undefined): string {
  if (error === undefined) return 'the export failed';
  const code = 'code' in error && error.code !== undefined ? `${error.code}: ` : '';
  return (code + error.message).slice(0, PROBLEM_LENGTH_MAX);
}

const PROBLEM_LENGTH_MAX = 200;

function contextOf(parent: TraceContext | undefined, api: TracePackages['api']) {
  if (parent === undefined) return api.ROOT_CONTEXT;
  const { traceId, spanId, flags, state } = parent;
  const context: SpanContext = {
    traceId,
    spanId,
    traceFlags: flags,
    isRemote: true,
    ...(state !== '' && { traceState: api.createTraceState(state) }),
  };
  return api.trace.setSpanContext(api.ROOT_CONTEXT, context);
}

function spanOf(span: OtelSpan, api: TracePackages['api']): TraceSpan {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  return {
    context: { traceId, spanId, flags: traceFlags, state: traceState?.serialize() ?? '' },
    rename: (name, attributes) => {
      span.updateName(name);
      span.setAttributes({ ...attributes });
    },
    end: ({ attributes = {}, error, endMs = wallClockMs() }: SpanEnd = {}) => {
      span.setAttributes({ ...attributes });
      if (error !== undefined) {
        span.setAttribute('error.type', error);
        span.setStatus({ code: api.SpanStatusCode.ERROR });
      }
      span.end(endMs);
    },
  };
}

/** Reads `Name: value` on each line. Empty lines are ignored. */
export function readHeaders(file: string): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new TelemetryError(
      `The file of telemetry.headersFile cannot be read: ${systemReason(error)}. Check its path and permissions.`,
    );
  }
  const lines = text.split('\n').map((line) => line.trim());
  return Object.fromEntries(
    lines
      .filter((line) => line !== '')
      .map((line) => {
        const [, name, value] = HEADER.exec(line) ?? [];
        if (name !== undefined && value !== undefined) return [name, value];
        throw new TelemetryError(
          `${file} has a line that is not a header. Write "Name: value" on each line.`,
        );
      }),
  );
}

const HEADER = /^([\w!#$%&'*+.^`|~-]+): *([!-~][ -~]*)$/;
