/** What the table of metrics is made of: kinds of metrics, and their samples. */
import type { SourceStatus } from '../../../directory/edition/fetch-status.ts';
import type { DeliveryFacts } from '../../../orders/subscriptions/delivery-store.ts';
import type { Metric, Sample } from '../../../server/monitoring/operation-server.ts';
import type { ServerFacts } from './running-server.ts';

export interface DeclaredMetric extends Metric {
  /** One value without labels, or a sample for each combination of labels. */
  readonly samples: (facts: ServerFacts) => number | readonly Sample[] | undefined;
}

export function gauge(
  name: string,
  help: string,
  samples: DeclaredMetric['samples'],
  labels: DeclaredMetric['labels'] = [],
): DeclaredMetric {
  return { name, type: 'gauge', help, labels, samples };
}

export function counter(...metric: Parameters<typeof gauge>): DeclaredMetric {
  return { ...gauge(...metric), type: 'counter' };
}

export function ofSources(
  name: string,
  help: string,
  valueIn: (source: SourceStatus) => number | undefined,
): DeclaredMetric {
  const samples = ({ fetches }: ServerFacts) =>
    Object.entries(fetches?.sources ?? {}).flatMap(([source, status]) => {
      const value = valueIn(status);
      return value === undefined ? [] : [one(value, source)];
    });
  return gauge(name, help, samples, ['source']);
}

export function outcomesOf(
  counts: Pick<DeliveryFacts, 'delivered' | 'failed'> | undefined,
): Sample[] | undefined {
  return counts && (['delivered', 'failed'] as const).map((each) => one(counts[each], each));
}

export function one(value: Sample['value'], ...labels: Sample['labels']): Sample {
  return { labels, value };
}

export function secondsOf(instant: string | undefined): number | undefined {
  return instant === undefined ? undefined : Date.parse(instant) / 1000;
}

export function ageSecondsOf(ms: number | null): number {
  return ms === null ? 0 : Math.max(0, (Date.now() - ms) / 1000);
}
