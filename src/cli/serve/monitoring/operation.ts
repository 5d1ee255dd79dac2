/** What the main thread reports to operators: the health of the server, and its metrics. */
import { isIPv6 } from 'node:net';
import { monotonicS, readCounters } from '../../../server/monitoring/counters.ts';
import type { Log } from '../../../server/monitoring/log.ts';
import {
  type OperationOptions,
  type OperationServer,
  type Readiness,
  type ServiceReadiness,
  startOperationServer,
} from '../../../server/monitoring/operation-server.ts';
import { PortTakenError } from '../../../server/sockets/port.ts';
import { readFetchStatus } from '../../../sources/fetch/fetch-state.ts';
import type { CommandContext } from '../../parts/command.ts';
import type { RunningServer } from './running-server.ts';

/**
 * Starts the server for health and metrics, and returns its address for this machine, without a
 * slash at the end. Returns undefined if the settings switch it off, or if another program has the
 * default port, so that a second server on a machine starts without settings. Throws if another
 * program has a port that the operator chose, because monitoring expects the server there.
 */
export async function startOperation(
  server: RunningServer,
  origins: CommandContext['origins'],
  log: Log,
  closing: AsyncDisposableStack,
): Promise<string | undefined> {
  const { 'metrics.host': host, 'metrics.port': port } = server.config;
  if (port === 'off') return undefined;
  let operation: OperationServer;
  try {
    operation = await startOperationServer(operationOptions(server, host, port));
  } catch (error) {
    const isDefaultPort = origins['metrics.port'] === 'default';
    if (!(isDefaultPort && error instanceof PortTakenError)) throw error;
    log.report('GZ104', { host, port, problem: error.message });
    return undefined;
  }
  closing.defer(operation.close);
  log.info({ host, port: operation.port }, 'health and metrics');
  return `http://${urlHostOf(host)}:${operation.port}`;
}

function operationOptions(server: RunningServer, host: string, port: number): OperationOptions {
  const { config, counters, stopped } = server;
  const readiness = () =>
    readinessOf(counters, {
      isStopping: stopped.aborted,
      servesDirectory: config['directory.enabled'],
      editionProblem: server.watch?.problem,
      storeProblem: server.problems.current,
      orders: config['orders.enabled'] ? (server.orders ?? STARTING) : undefined,
    });
  return {
    host,
    port,
    whyNotLive: () => whyNotLive(counters),
    readiness,
    // Metrics are read after the start, which need not wait for the modules of all services.
    metrics: async () => {
      const { metricsText } = await import('./metrics.ts');
      const fetches = config['directory.source'] && readFetchStatus(server.fetchFolder);
      return metricsText(server, readiness(), fetches);
    },
  };
}

/** Order responses that are not served yet. */
const STARTING = { problem: 'starting' };

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
