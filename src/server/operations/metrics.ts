/** The metrics of `/metrics`, and where their samples come from. */
import { DELAY_BOUNDS, DURATION_BOUNDS, type Histogram } from './counters.ts';
import { encodeMetrics, type HistogramValue, type Metric, type Sample } from './exposition.ts';
import type { FetchFacts, ServerFacts } from './server-facts.ts';

interface DeclaredMetric extends Metric {
  readonly samples: (facts: ServerFacts) => readonly Sample[];
}

export const METRICS: readonly DeclaredMetric[] = [
  {
    name: 'gazetteer_requests_total',
    type: 'counter',
    help: 'Requests answered.',
    labels: ['interaction', 'status', 'format'],
    samples: ({ counters }) =>
      counters.requests.map(({ interaction, status, format, count }) => ({
        labels: [interaction, status, format],
        value: count,
      })),
  },
  {
    name: 'gazetteer_request_duration_seconds',
    type: 'histogram',
    help: 'Time from the request until the server wrote the answer to the socket.',
    labels: ['interaction'],
    samples: ({ counters }) =>
      [...counters.durations]
        .filter(([, { buckets }]) => buckets.some((count) => count > 0))
        .map(([interaction, histogram]) => ({
          labels: [interaction],
          value: withBounds(histogram, DURATION_BOUNDS),
        })),
  },
  {
    name: 'gazetteer_service_requests_total',
    type: 'counter',
    help: 'Requests to each service, such as the legacy interface of the directory.',
    labels: ['service'],
    samples: ({ counters, serviceNames }) =>
      serviceNames.map((name, place) => one(counters.services[place] ?? 0, name)),
  },
  {
    name: 'gazetteer_refused_requests_total',
    type: 'counter',
    help: 'Requests that a limit of the server refused.',
    labels: ['limit'],
    samples: ({ counters }) => [...counters.refusals].map(([limit, value]) => one(value, limit)),
  },
  gauge('gazetteer_connections', 'Open connections of clients.', (facts) => facts.connections),
  gauge(
    'gazetteer_edition_number',
    'Number of the edition that is served.',
    ({ edition }) => edition?.number,
  ),
  gauge(
    'gazetteer_edition_age_seconds',
    'Time since the edition that is served was imported.',
    ({ edition, nowS }) => edition && Math.max(0, nowS - edition.publishedAtS),
  ),
  gauge(
    'gazetteer_records',
    'Records in the edition that is served.',
    ({ edition }) => edition?.records,
  ),
  {
    name: 'gazetteer_imports_total',
    type: 'counter',
    help: 'Imports that published an edition, since the data folder was made.',
    labels: [],
    samples: ({ imports }) => [one(imports)],
  },
  gauge(
    'gazetteer_import_timestamp_seconds',
    'When the import of the edition that is served began.',
    ({ edition }) => edition?.importedAtS,
  ),
  {
    name: 'gazetteer_import_changes',
    type: 'gauge',
    help: 'Records by which the edition that is served differs from the one before it.',
    labels: ['change'],
    samples: ({ edition }) =>
      edition === undefined
        ? []
        : [
            one(edition.added, 'added'),
            one(edition.changed, 'changed'),
            one(edition.removed, 'removed'),
          ],
  },
  ofSources(
    'gazetteer_fetch_timestamp_seconds',
    'Time of the last fetch from the source.',
    ({ lookedAtS }) => lookedAtS,
  ),
  ofSources(
    'gazetteer_fetch_success_timestamp_seconds',
    'Time of the last successful fetch from the source.',
    ({ succeededAtS }) => succeededAtS,
  ),
  ofSources(
    'gazetteer_fetch_failures',
    'Failed fetches from the source since the last success.',
    ({ failures }) => failures,
  ),
  {
    name: 'gazetteer_fetch_outcome',
    type: 'gauge',
    help: 'Always 1; the label has the outcome of the last fetch: published, unchanged or failed.',
    labels: ['source', 'outcome'],
    samples: ({ fetches }) =>
      fetches?.sources.map(({ name, outcome }) => one(1, name, outcome)) ?? [],
  },
  gauge(
    'gazetteer_fetch_next_timestamp_seconds',
    'Time of the next fetch.',
    ({ fetches }) => fetches?.nextAtS,
  ),
  gauge(
    'gazetteer_threads',
    'Server threads that listen.',
    ({ counters }) => counters.threads.filter(({ isListening }) => isListening).length,
  ),
  {
    name: 'gazetteer_replaced_threads_total',
    type: 'counter',
    help: 'Server threads that died and were replaced.',
    labels: [],
    samples: ({ replacedThreads }) => [one(replacedThreads)],
  },
  {
    name: 'gazetteer_event_loop_delay_seconds',
    type: 'histogram',
    help: 'Delay of a timer in a server thread, measured ten times a second.',
    labels: ['thread'],
    samples: ({ counters }) =>
      counters.threads.map(({ delay }, thread) => ({
        labels: [thread],
        value: withBounds(delay, DELAY_BOUNDS),
      })),
  },
  {
    name: 'gazetteer_thread_memory_bytes',
    type: 'gauge',
    help: 'Memory of one server thread: heap_used, heap_total, external.',
    labels: ['thread', 'kind'],
    samples: ({ counters }) =>
      counters.threads.flatMap(({ heapUsedBytes, heapTotalBytes, externalBytes }, thread) => [
        one(heapUsedBytes, thread, 'heap_used'),
        one(heapTotalBytes, thread, 'heap_total'),
        one(externalBytes, thread, 'external'),
      ]),
  },
  counter(
    'gazetteer_order_calls_total',
    'Calls to the store of order responses, including refused accesses.',
    ({ orders }) => orders?.operations,
  ),
  counter(
    'gazetteer_order_versions_total',
    'Versions of order responses written.',
    ({ orders }) => orders?.writes,
  ),
  counter(
    'gazetteer_order_commits_total',
    'Transactions of the store of order responses, each with one sync of the disk.',
    ({ orders }) => orders?.batches,
  ),
  counter(
    'gazetteer_order_failures_total',
    'Calls to the store of order responses that failed.',
    ({ orders }) => orders?.failures,
  ),
  gauge(
    'gazetteer_order_wal_bytes',
    'Size of the write-ahead log of order responses.',
    ({ orders }) => orders?.walBytes,
  ),
  gauge(
    'gazetteer_order_losses',
    'Number of losses of stored order responses that no operator has confirmed.',
    ({ orders }) => orders?.losses,
  ),
  {
    name: 'gazetteer_build_info',
    type: 'gauge',
    help: 'Always 1; the version is in the label.',
    labels: ['version'],
    samples: ({ version }) => [one(1, version)],
  },
  gauge(
    'process_resident_memory_bytes',
    'Resident memory of the process, editions included.',
    (facts) => facts.residentBytes,
  ),
  {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    help: 'CPU time of the process, user and system.',
    labels: [],
    samples: ({ cpuSeconds }) => [one(cpuSeconds)],
  },
  gauge(
    'process_start_time_seconds',
    'When the process started, since 1970.',
    (facts) => facts.startedAtS,
  ),
];

/** The body of `/metrics`. */
export function metricsText(facts: ServerFacts): string {
  return encodeMetrics(metricSamples(facts));
}

/** Every metric with its samples. */
export function metricSamples(
  facts: ServerFacts,
): readonly (readonly [metric: Metric, samples: readonly Sample[]])[] {
  return METRICS.map((metric) => [metric, metric.samples(facts)]);
}

function gauge(
  name: string,
  help: string,
  valueIn: (facts: ServerFacts) => number | undefined,
): DeclaredMetric {
  const samples = (facts: ServerFacts) => {
    const value = valueIn(facts);
    return value === undefined ? [] : [one(value)];
  };
  return { name, type: 'gauge', help, labels: [], samples };
}

function ofSources(
  name: string,
  help: string,
  valueIn: (source: FetchFacts['sources'][number]) => number | undefined,
): DeclaredMetric {
  const samples = ({ fetches }: ServerFacts) =>
    fetches?.sources.flatMap((source) => {
      const value = valueIn(source);
      return value === undefined ? [] : [one(value, source.name)];
    }) ?? [];
  return { name, type: 'gauge', help, labels: ['source'], samples };
}

function counter(
  name: string,
  help: string,
  valueIn: (facts: ServerFacts) => number | undefined,
): DeclaredMetric {
  return { ...gauge(name, help, valueIn), type: 'counter' };
}

function one(value: number, ...labels: (string | number)[]): Sample {
  return { labels, value };
}

function withBounds({ buckets, sum }: Histogram, bounds: readonly number[]): HistogramValue {
  return { bounds, buckets, sum };
}
