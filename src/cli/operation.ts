/**
 * What the main thread reports to operators: the health of the server, and the values of its
 * metrics.
 */
import type { EditionInfo, EditionReader } from '../directory/edition-store.ts';
import { monotonicS, readCounters } from '../server/counters.ts';
import { type GateMemory, openConnections } from '../server/gate.ts';
import type { EditionFacts, OrderFacts, ServerFacts } from '../server/metrics.ts';
import type { Readiness } from '../server/operation-server.ts';
import { SOFTWARE } from '../version.ts';

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
    /** The store of order responses; undefined where they are not served. */
    readonly orders: { readonly problem: string | undefined } | undefined;
  },
): Readiness {
  const listening = readCounters(counters).threads.filter(({ isListening }) => isListening);
  const problem = state.isStopping
    ? 'stopping'
    : listening.length === 0
      ? 'not listening'
      : undefined;
  const lacksEdition = listening.some(({ edition }) => edition === 0);
  return new Map([
    ...(state.servesDirectory
      ? [['directory', problem ?? (lacksEdition ? 'no edition' : undefined)] as const]
      : []),
    ...(state.orders ? [['orders', problem ?? state.orders.problem] as const] : []),
  ]);
}

export function serverFacts(known: {
  readonly counters: SharedArrayBuffer;
  readonly gate: GateMemory;
  readonly replacedThreads: number;
  readonly served: EditionInfo | undefined;
  readonly store: EditionReader;
  readonly orders: OrderFacts | undefined;
}): ServerFacts {
  const { counters, gate, replacedThreads, served, store, orders } = known;
  const { user, system } = process.cpuUsage();
  return {
    version: SOFTWARE.version,
    counters: readCounters(counters),
    connections: openConnections(gate),
    replacedThreads,
    edition: served && editionFacts(served),
    imports: store.list().length,
    orders,
    residentBytes: process.memoryUsage.rss(),
    cpuSeconds: (user + system) / 1e6,
    startedAtS: performance.timeOrigin / 1000,
    nowS: Date.now() / 1000,
  };
}

function editionFacts(edition: EditionInfo): EditionFacts {
  const { number, records, added, changed, removed, publishedAt, importedAt } = edition;
  return {
    number,
    records,
    added,
    changed,
    removed,
    publishedAtS: Date.parse(publishedAt) / 1000,
    importedAtS: Date.parse(importedAt) / 1000,
  };
}
