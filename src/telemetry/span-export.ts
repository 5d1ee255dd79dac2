/** Records spans with OpenTelemetry, and sends them to a collector in batches. */
import type { Span as OtelSpan, SpanContext } from '@opentelemetry/api';
import { wallClockMs } from '../threads/wall-clock.ts';
import {
  type CollectorOptions,
  exporterOptions,
  type OnExportProblem,
  reportFailures,
  resourceOf,
} from './collector.ts';
import { loadTracePackages, type TracePackages } from './packages.ts';
import type { SpanEnd, SpanRecorder, SpanStart, TraceSpan } from './span.ts';
import type { TraceContext } from './trace-context.ts';

export interface SpanExport extends SpanRecorder {
  /** Sends the remaining spans. Never rejects. */
  close(): Promise<void>;
}

export interface SpanExportOptions extends CollectorOptions {
  /** The share of traces to record, of those that begin here. A caller decides about its own traces. */
  readonly samplingRatio: number;
  readonly onProblem: OnExportProblem;
}

/** Rejects with a `TelemetryError` if the packages are not installed. */
export async function openSpanExport(options: SpanExportOptions): Promise<SpanExport> {
  const packages = await loadTracePackages();
  const { api, sdk, otlp, resources } = packages;
  const exporter = new otlp.OTLPTraceExporter(exporterOptions(options, 'traces'));
  const end = reportFailures(exporter, options, 'traces', options.onProblem);
  const root = new sdk.TraceIdRatioBasedSampler(options.samplingRatio);
  const provider = new sdk.TracerProvider({
    resource: resourceOf(options, resources),
    sampler: new sdk.ParentBasedSampler({ root }),
    // The queue is limited. While the collector does not answer, further spans are dropped.
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, ...BATCHES })],
  });
  const tracer = provider.getTracer('gazetteer', options.version);
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

type Api = TracePackages['api'];

function contextOf(parent: TraceContext | undefined, api: Api) {
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

function spanOf(span: OtelSpan, api: Api): TraceSpan {
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
