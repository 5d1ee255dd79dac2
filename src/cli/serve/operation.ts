/**
 * What the main thread reports to operators: the health of the server, and the values of its
 * metrics.
 */
import { isIPv6 } from 'node:net';
import type { Config } from '../../config/settings.ts';
import type { EditionInfo, EditionReader } from '../../directory/edition/edition-store.ts';
import { type GateMemory, openConnections } from '../../server/gate.ts';
import { monotonicS, readCounters } from '../../server/operations/counters.ts';
import type { Log } from '../../server/operations/log.ts';
import { metricSamples, metricsText } from '../../server/operations/metrics.ts';
import {
  type Readiness,
  type ServiceReadiness,
  startOperationServer,
} from '../../server/operations/operation-server.ts';
import type {
  EditionFacts,
  FetchFacts,
  ServerFacts,
} from '../../server/operations/server-facts.ts';
import { readFetchStatus } from '../../sources/fetch-state.ts';
import { openMetricExport } from '../../telemetry/metric-export.ts';
import { SOFTWARE } from '../../version.ts';
import type { Closing } from '../closing.ts';
import { logExportProblems, type TelemetryTarget } from '../telemetry.ts';
import type { StoreProblems } from './edition-findings.ts';
import type { EditionWatch } from './edition-watch.ts';
import type { ServedOrders } from './serve-orders.ts';

/** The parts of a running server that health and metrics report on. */
export interface RunningServer {
  readonly config: Config;
  readonly counters: SharedArrayBuffer;
  readonly gate: GateMemory;
  readonly reader: EditionReader;
  readonly problems: Pick<StoreProblems, 'current'>;
  /** The folder of the state of fetches. */
  readonly fetchFolder: string;
  /** Aborted when the server is stopping. */
  readonly stopped: AbortSignal;
  replacedThreads: number;
  /** Undefined if the directory is not served, or not yet. */
  watch?: EditionWatch;
  /** Undefined if order responses are not served, or not yet. */
  orders?: ServedOrders | undefined;
}

/**
 * Starts the server for health and metrics, and returns its address for this machine, without a
 * slash at the end. Returns undefined if the settings switch it off.
 */
export async function startOperation(
  server: RunningServer,
  log: Log,
  closing: Closing,
): Promise<string | undefined> {
  const { config, counters, stopped } = server;
  const { 'metrics.host': host, 'metrics.port': port } = config;
  if (port === 'off') return undefined;
  const operation = await startOperationServer({
    host,
    port,
    whyNotLive: () => whyNotLive(counters),
    readiness: () =>
      readinessOf(counters, {
        isStopping: stopped.aborted,
        servesDirectory: config['directory.enabled'],
        editionProblem: server.watch?.problem,
        storeProblem: server.problems.current,
        orders: config['orders.enabled'] ? (server.orders ?? STARTING) : undefined,
      }),
    metrics: async () => metricsText(await serverFacts(server)),
  });
  closing.add(operation.close);
  log.info({ host, port: operation.port }, 'health and metrics');
  return `http://${urlHostOf(host)}:${operation.port}`;
}

/** Sends the metrics to a collector. Rejects with a `TelemetryError` if that is not possible. */
export async function exportMetrics(
  server: RunningServer,
  collector: TelemetryTarget,
  log: Log,
  closing: Closing,
): Promise<void> {
  const { close } = await openMetricExport({
    ...collector,
    intervalMs: server.config['telemetry.intervalSeconds'] * 1000,
    startedAtS: STARTED_AT_S,
    samples: async () => metricSamples(await serverFacts(server)),
    onProblem: logExportProblems(log, collector),
  });
  closing.add(close);
  log.info({ endpoint: collector.endpoint }, 'sending telemetry');
}

/** Order responses that are not served yet. */
const STARTING = { problem: 'starting' };

const STARTED_AT_S = performance.timeOrigin / 1000;

/** The host of a URL for an address to listen on. */
function urlHostOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return isIPv6(host) ? `[${host}]` : host;
}

/** A server thread beats once a second. After this time without a beat it counts as hanging. */
const SILENCE_MAX_S = 10;

/** Names a thread that hangs. Only a restart helps then. */
export function whyNotLive(counters: SharedArrayBuffer): string | undefined {
  const nowS = monotonicS();
  const silent = readCounters(counters).threads.findIndex(
    ({ isListening, beatS }) => isListening && nowS - beatS > SILENCE_MAX_S,
  );
  return silent < 0 ? undefined : `thread ${silent} does not answer`;
}

export function readinessOf(
  counters: SharedArrayBuffer,
  state: {
    readonly isStopping: boolean;
    readonly servesDirectory: boolean;
    /** Why the current edition cannot be opened. */
    readonly editionProblem?: string | undefined;
    /** Why the server cannot look for new editions. */
    readonly storeProblem?: string | undefined;
    /** The store of order responses; undefined if they are not served. */
    readonly orders: ServiceReadiness | undefined;
  },
): Readiness {
  const listening = readCounters(counters).threads.filter(({ isListening }) => isListening);
  const problem = state.isStopping
    ? 'stopping'
    : listening.length === 0
      ? 'not listening'
      : undefined;
  const lacksEdition = listening.some(({ edition }) => edition === 0);
  const directoryProblem = lacksEdition ? (state.editionProblem ?? 'no edition') : undefined;
  const readiness = new Map<'directory' | 'orders', ServiceReadiness>();
  if (state.servesDirectory) {
    const note = state.storeProblem;
    readiness.set('directory', { problem: problem ?? directoryProblem, note });
  }
  if (state.orders) {
    const { problem: ownProblem, note } = state.orders;
    readiness.set('orders', { problem: problem ?? ownProblem, note });
  }
  return readiness;
}

async function serverFacts(server: RunningServer): Promise<ServerFacts> {
  const { counters, gate, replacedThreads, watch, reader, orders } = server;
  const { user, system } = process.cpuUsage();
  const editions = await reader.list();
  // Metrics are read after the start, which need not wait for the modules of all services.
  const { SERVICE_NAMES: serviceNames } = await import('../service-names.ts');
  return {
    version: SOFTWARE.version,
    counters: readCounters(counters),
    serviceNames,
    connections: openConnections(gate),
    replacedThreads,
    edition: watch?.served && editionFacts(watch.served),
    imports: editions.length,
    orders: orders?.facts,
    fetches: fetchFacts(server),
    residentBytes: process.memoryUsage.rss(),
    cpuSeconds: (user + system) / 1e6,
    startedAtS: STARTED_AT_S,
    nowS: Date.now() / 1000,
  };
}

/** Undefined if the server does not fetch. */
function fetchFacts({ config, fetchFolder }: RunningServer): FetchFacts | undefined {
  if (config['directory.source'] === undefined) return undefined;
  const { sources, nextAt } = readFetchStatus(fetchFolder);
  return {
    sources: Object.entries(sources).map(([name, source]) => ({
      name,
      outcome: source.outcome,
      failures: source.failures,
      lookedAtS: secondsOf(source.lookedAt),
      succeededAtS: source.succeededAt === undefined ? undefined : secondsOf(source.succeededAt),
    })),
    nextAtS: nextAt === undefined ? undefined : secondsOf(nextAt),
  };
}

function secondsOf(instant: string): number {
  return Date.parse(instant) / 1000;
}

function editionFacts(edition: EditionInfo): EditionFacts {
  const { number, records, added, changed, removed, publishedAt, importedAt } = edition;
  return {
    number,
    records,
    added,
    changed,
    removed,
    publishedAtS: secondsOf(publishedAt),
    importedAtS: secondsOf(importedAt),
  };
}
