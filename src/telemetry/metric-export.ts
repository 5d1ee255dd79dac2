/** Sends the metrics of `/metrics` to a collector, from the same samples. */
import type { Attributes, HrTime } from '@opentelemetry/api';
import type { MetricData } from '@opentelemetry/sdk-metrics';
import type { HistogramValue, Metric, Sample } from '../server/operations/exposition.ts';
import {
  type CollectorOptions,
  EXPORT_MS_MAX,
  exporterOptions,
  type OnExportProblem,
  reportFailures,
  resourceOf,
} from './collector.ts';
import { loadMetricPackages } from './packages.ts';

export interface MetricExportOptions extends CollectorOptions {
  readonly intervalMs: number;
  /** The time when counters began to count, in seconds since 1970. */
  readonly startedAtS: number;
  readonly samples: () => Promise<
    readonly (readonly [metric: Metric, samples: readonly Sample[]])[]
  >;
  readonly onProblem: OnExportProblem;
}

export interface MetricExport {
  /** Sends the metrics a last time. Never rejects. */
  close(): Promise<void>;
}

type MetricSdk = Awaited<ReturnType<typeof loadMetricPackages>>['sdk'];

/** Rejects with a `TelemetryError` if the packages are not installed. */
export async function openMetricExport(options: MetricExportOptions): Promise<MetricExport> {
  const { api, sdk, otlp, resources } = await loadMetricPackages();
  const exporter = new otlp.OTLPMetricExporter(exporterOptions(options, 'metrics'));
  const end = reportFailures(exporter, options, 'metrics', options.onProblem);
  const resource = resourceOf(options, resources);
  const scope = { name: 'gazetteer', version: options.version };
  const collect = async () => {
    const endTime = hrTimeOf(Date.now());
    const startTime = hrTimeOf(options.startedAtS * 1000);
    const metrics = (await options.samples())
      .filter(([, samples]) => samples.length > 0)
      .map(([metric, samples]) =>
        metricData(metric, samples, { startTime, endTime }, sdk, api.ValueType.DOUBLE),
      );
    return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
  };
  const reader = new sdk.PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: options.intervalMs,
    exportTimeoutMillis: Math.min(options.intervalMs, EXPORT_MS_MAX + COLLECT_MS_MAX),
    metricProducers: [{ collect }],
  });
  const provider = new sdk.MeterProvider({ resource, readers: [reader] });
  const close = () => {
    end();
    return provider.shutdown().catch(() => {});
  };
  return { close };
}

/** The longest time to collect the samples before the export. */
const COLLECT_MS_MAX = 1_000;

interface Times {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

function metricData(
  { name, type, help, labels }: Metric,
  samples: readonly Sample[],
  times: Times,
  { AggregationTemporality, DataPointType }: MetricSdk,
  valueType: MetricData['descriptor']['valueType'],
): MetricData {
  const family = {
    descriptor: { name, description: help, unit: unitOf(name), valueType },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const attributesOf = (sample: Sample): Attributes =>
    Object.fromEntries(labels.map((label, i) => [label, String(sample.labels[i] ?? '')]));
  if (type === 'histogram') {
    const dataPoints = samples.flatMap((sample) =>
      typeof sample.value === 'number'
        ? []
        : [{ ...times, attributes: attributesOf(sample), value: histogramOf(sample.value) }],
    );
    return { ...family, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = samples.flatMap((sample) =>
    typeof sample.value === 'number'
      ? [{ ...times, attributes: attributesOf(sample), value: sample.value }]
      : [],
  );
  if (type === 'gauge') return { ...family, dataPointType: DataPointType.GAUGE, dataPoints };
  return { ...family, dataPointType: DataPointType.SUM, dataPoints, isMonotonic: true };
}

function histogramOf({ bounds, buckets, sum }: HistogramValue) {
  return {
    buckets: { boundaries: [...bounds], counts: [...buckets] },
    sum,
    count: buckets.reduce((total, count) => total + count, 0),
  };
}

/** The unit of a metric, in https://ucum.org. Names of metrics end with their unit. */
function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return 's';
  return name.endsWith('_bytes') ? 'By' : '1';
}

function hrTimeOf(ms: number): HrTime {
  return [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
}
