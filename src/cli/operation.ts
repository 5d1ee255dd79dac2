/** What the main thread tells those who operate the server: its health, and the facts of metrics. */
import type { EditionInfo, EditionStore } from '../directory/edition-store.ts';
import { monotonicS, readCounters } from '../server/counters.ts';
import { type GateMemory, openConnections } from '../server/gate.ts';
import type { EditionFacts, ServerFacts } from '../server/metrics.ts';
import type { OrderCounts } from '../storage/order-counters.ts';
import { SOFTWARE } from '../version.ts';

/** A server thread beats once a second; one that does not for so long hangs. */
const SILENCE_MAX_S = 10;

/** Names a thread that hangs: nothing but a new start helps. */
export function whyNotLive(counters: SharedArrayBuffer): string | undefined {
  const nowS = monotonicS();
  const silent = readCounters(counters).threads.findIndex(
    ({ isListening, beatS }) => isListening && nowS - beatS > SILENCE_MAX_S,
  );
  return silent < 0 ? undefined : `thread ${silent} does not answer`;
}

export function whyNotReady(
  counters: SharedArrayBuffer,
  state: {
    readonly isStopping: boolean;
    readonly needsEdition: boolean;
    /** Order responses are served, and nothing can be stored now. */
    readonly lacksStore: boolean;
  },
): string | undefined {
  const { isStopping, needsEdition, lacksStore } = state;
  if (isStopping) return 'stopping';
  if (lacksStore) return 'no store of order responses';
  const listening = readCounters(counters).threads.filter(({ isListening }) => isListening);
  if (listening.length === 0) return 'not listening';
  const lacksEdition = needsEdition && listening.some(({ edition }) => edition === 0);
  return lacksEdition ? 'no edition' : undefined;
}

export function serverFacts(known: {
  readonly counters: SharedArrayBuffer;
  readonly gate: GateMemory;
  readonly replacedThreads: number;
  readonly served: EditionInfo | undefined;
  readonly store: EditionStore;
  readonly orders: OrderCounts | undefined;
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
