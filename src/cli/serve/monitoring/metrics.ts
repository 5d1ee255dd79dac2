/** The metrics of `/metrics`: a table with the samples of each, and its values in a running server. */

import { SOFTWARE } from '../../../config/version.ts';
import { openConnections, waitingRequests } from '../../../server/limits/gate.ts';
import {
  DELAY_BOUNDS,
  DURATION_BOUNDS,
  readCounters,
} from '../../../server/monitoring/counters.ts';
import { descriptorLimit, openDescriptors } from '../../../server/monitoring/file-descriptors.ts';
import { countLostLines } from '../../../server/monitoring/lost-lines.ts';
import { encodeMetrics } from '../../../server/monitoring/operation-server.ts';
import { SERVICE_NAMES } from '../threads/service-names.ts';
import {
  ageSecondsOf,
  counter,
  type DeclaredMetric,
  gauge,
  ofSources,
  one,
  outcomesOf,
  secondsOf,
} from './declared-metric.ts';
import type { RunningServer, ServerFacts } from './running-server.ts';

export const METRICS: readonly DeclaredMetric[] = [
  counter(
    'gazetteer_requests_total',
    'Requests answered.',
    ({ counters }) =>
      counters.requests.map(({ interaction, status, format, count }) =>
        one(count, interaction, status, format),
      ),
    ['interaction', 'status', 'format'],
  ),
  {
    name: 'gazetteer_request_duration_seconds',
    type: 'histogram',
    help: 'Time from the request until the server wrote the answer to the socket.',
    labels: ['interaction'],
    samples: ({ counters }) =>
      [...counters.durations]
        .filter(([, { buckets }]) => buckets.some((count) => count > 0))
        .map(([interaction, histogram]) =>
          one({ ...histogram, bounds: DURATION_BOUNDS }, interaction),
        ),
  },
  counter(
    'gazetteer_service_requests_total',
    'Requests to each service, such as the legacy interface of the directory.',
    ({ counters }) => SERVICE_NAMES.map((name, place) => one(counters.services[place] ?? 0, name)),
    ['service'],
  ),
  counter(
    'gazetteer_refused_requests_total',
    'Requests that a limit of the server refused.',
    ({ counters }) => [...counters.refusals].map(([limit, value]) => one(value, limit)),
    ['limit'],
  ),
  gauge(
    'gazetteer_ready',
    'Whether each enabled service is ready, as its address of health says: 1 or 0.',
    ({ readiness }) =>
      Array.from(readiness, ([name, { problem }]) => one(problem === undefined ? 1 : 0, name)),
    ['service'],
  ),
  counter(
    'gazetteer_log_lines_lost_total',
    'Lines of the log that could not be written.',
    ({ lostLogLines }) => lostLogLines,
  ),
  gauge('gazetteer_connections', 'Open connections of clients.', ({ gate }) =>
    openConnections(gate),
  ),
  gauge('gazetteer_waiting_requests', 'Requests that wait for changes.', ({ gate }) =>
    waitingRequests(gate),
  ),
  gauge(
    'gazetteer_edition_number',
    'Number of the edition that is served.',
    ({ edition }) => edition?.number,
  ),
  gauge(
    'gazetteer_edition_age_seconds',
    'Time since the edition that is served was imported.',
    ({ edition }) => edition && ageSecondsOf(Date.parse(edition.publishedAt)),
  ),
  gauge(
    'gazetteer_records',
    'Records in the edition that is served.',
    ({ edition }) => edition?.records,
  ),
  counter(
    'gazetteer_imports_total',
    'Imports that published an edition, since the data folder was made.',
    ({ imports }) => imports,
  ),
  gauge(
    'gazetteer_import_timestamp_seconds',
    'When the import of the edition that is served began.',
    ({ edition }) => secondsOf(edition?.importedAt),
  ),
  gauge(
    'gazetteer_import_changes',
    'Records by which the edition that is served differs from the one before it.',
    ({ edition }) =>
      edition &&
      (['added', 'changed', 'removed'] as const).map((change) => one(edition[change], change)),
    ['change'],
  ),
  ofSources(
    'gazetteer_fetch_timestamp_seconds',
    'Time of the last fetch from the source.',
    ({ lookedAt }) => secondsOf(lookedAt),
  ),
  ofSources(
    'gazetteer_fetch_success_timestamp_seconds',
    'Time of the last successful fetch from the source.',
    ({ succeededAt }) => secondsOf(succeededAt),
  ),
  ofSources(
    'gazetteer_fetch_failures',
    'Failed fetches from the source since the last success.',
    ({ failures }) => failures,
  ),
  gauge(
    'gazetteer_fetch_outcome',
    'Always 1; the label has the outcome of the last fetch: published, unchanged or failed.',
    ({ fetches }) =>
      fetches &&
      Object.entries(fetches.sources).map(([name, { outcome }]) => one(1, name, outcome)),
    ['source', 'outcome'],
  ),
  gauge('gazetteer_fetch_next_timestamp_seconds', 'Time of the next fetch.', ({ fetches }) =>
    secondsOf(fetches?.nextAt),
  ),
  gauge(
    'gazetteer_threads',
    'Server threads that listen.',
    ({ counters }) => counters.threads.filter(({ isListening }) => isListening).length,
  ),
  counter(
    'gazetteer_replaced_threads_total',
    'Server threads that died and were replaced.',
    ({ replacedThreads }) => replacedThreads,
  ),
  {
    name: 'gazetteer_event_loop_delay_seconds',
    type: 'histogram',
    help: 'Delay of a timer in a server thread, measured ten times a second.',
    labels: ['thread'],
    samples: ({ counters }) =>
      counters.threads.map(({ delay }, thread) => one({ ...delay, bounds: DELAY_BOUNDS }, thread)),
  },
  gauge(
    'gazetteer_thread_memory_bytes',
    'Memory of one server thread: heap-used, heap-total, external.',
    ({ counters }) =>
      counters.threads.flatMap(({ heapUsedBytes, heapTotalBytes, externalBytes }, thread) => [
        one(heapUsedBytes, thread, 'heap-used'),
        one(heapTotalBytes, thread, 'heap-total'),
        one(externalBytes, thread, 'external'),
      ]),
    ['thread', 'kind'],
  ),
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
  gauge(
    'gazetteer_build_info',
    'Always 1; the version is in the label.',
    () => [one(1, SOFTWARE.version)],
    ['version'],
  ),
  gauge(
    'gazetteer_subscriptions',
    'Active subscriptions that this server delivers to.',
    ({ deliveries }) => deliveries?.active,
  ),
  gauge(
    'gazetteer_subscriptions_failing',
    'Active subscriptions whose last delivery failed, and those with the status error.',
    ({ deliveries }) => deliveries?.failing,
  ),
  gauge(
    'gazetteer_notifications_pending',
    'Notifications that were read and not yet delivered, at most 100 for each subscription.',
    ({ deliveries }) => deliveries?.pending,
  ),
  gauge(
    'gazetteer_notification_age_seconds',
    'Age of the oldest notification that is not yet delivered; 0 if there is none.',
    ({ deliveries }) => deliveries && ageSecondsOf(deliveries.oldestMs),
  ),
  counter(
    'gazetteer_notifications_total',
    'Attempts to deliver a notification.',
    ({ deliveries }) => outcomesOf(deliveries),
    ['outcome'],
  ),
  gauge(
    'gazetteer_webhooks_failing',
    'Receivers of subscriptions.webhooks that have not accepted the current edition.',
    ({ webhooks }) => webhooks?.failing,
  ),
  counter(
    'gazetteer_webhook_notifications_total',
    'Attempts to announce an edition to a receiver.',
    ({ webhooks }) => outcomesOf(webhooks),
    ['outcome'],
  ),
  gauge(
    'process_resident_memory_bytes',
    'Resident memory of the process, editions included.',
    process.memoryUsage.rss,
  ),
  counter('process_cpu_seconds_total', 'CPU time of the process, user and system.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }),
  gauge(
    'process_open_fds',
    'Open file descriptors of the process. Only on Linux.',
    openDescriptors,
  ),
  gauge(
    'process_max_fds',
    'The most file descriptors that the process may have. Only on Linux.',
    () => descriptorLimit(),
  ),
  gauge(
    'process_start_time_seconds',
    'When the process started, since 1970.',
    () => performance.timeOrigin / 1000,
  ),
];

/** The body of `/metrics`. */
export async function metricsText(
  server: RunningServer,
  readiness: ServerFacts['readiness'],
  fetches: ServerFacts['fetches'],
): Promise<string> {
  const facts: ServerFacts = {
    ...server,
    readiness,
    counters: readCounters(server.counters),
    lostLogLines: countLostLines(server.lostLines),
    edition: server.watch?.served,
    imports: (await server.reader.list()).length,
    orders: server.orders?.facts,
    deliveries: server.deliveries?.facts,
    webhooks: server.webhooks?.facts,
    fetches,
  };
  return encodeMetrics(
    METRICS.map((metric) => {
      const found = metric.samples(facts) ?? [];
      return [metric, typeof found === 'number' ? [one(found)] : found];
    }),
  );
}
