/** Writes metrics in the text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/ */

export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
}

export interface Sample {
  /** In the order of the metric's labels. */
  readonly labels: readonly (string | number)[];
  readonly value: number | HistogramValue;
}

export interface HistogramValue {
  readonly bounds: readonly number[];
  /** The count of each bucket alone. There is one more bucket than bounds. */
  readonly buckets: readonly number[];
  readonly sum: number;
}

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Leaves out metrics without samples. */
export function encodeMetrics(
  families: Iterable<readonly [metric: Metric, samples: readonly Sample[]]>,
): string {
  const lines: string[] = [];
  for (const [metric, samples] of families) {
    if (samples.length === 0) continue;
    lines.push(`# HELP ${metric.name} ${metric.help.replace(/[\\\n]/g, escapeCharacter)}`);
    lines.push(`# TYPE ${metric.name} ${metric.type}`);
    for (const { labels, value } of samples) {
      const pairs = metric.labels.map((name, i) => pairOf(name, labels[i] ?? ''));
      if (typeof value === 'number') lines.push(lineOf(metric.name, pairs, value));
      else lines.push(...histogramLines(metric.name, pairs, value));
    }
  }
  return `${lines.join('\n')}\n`;
}

/** In the text format, the count of a bucket includes all lower buckets. */
function histogramLines(name: string, pairs: readonly string[], value: HistogramValue): string[] {
  let count = 0;
  const lines = value.buckets.map((inBucket, i) => {
    count += inBucket;
    const bound = value.bounds[i] ?? '+Inf';
    return lineOf(`${name}_bucket`, [...pairs, pairOf('le', bound)], count);
  });
  return [...lines, lineOf(`${name}_sum`, pairs, value.sum), lineOf(`${name}_count`, pairs, count)];
}

function lineOf(name: string, pairs: readonly string[], value: number): string {
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
}

function pairOf(name: string, value: string | number): string {
  return `${name}="${String(value).replace(/[\\\n"]/g, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  return character === '\n' ? '\\n' : `\\${character}`;
}
