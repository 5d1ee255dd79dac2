/** What the main thread gives a server thread: at its start, and with each edition. */
import type { OwnPublicKey } from '../auth/own-key.ts';
import type { Config } from '../config/settings.ts';
import type { ReadableEditions } from '../directory/loaded-editions.ts';
import type { GateLimits, GateMemory } from '../server/gate.ts';
import type { LogFormat } from '../server/log.ts';
import type { OrdersConnection } from '../storage/repository-messages.ts';

/** What a thread is started with; the rest comes in messages. */
export interface ServeThreadData {
  readonly config: Config;
  /** What `openStore` takes. */
  readonly storeUrl: string;
  readonly logFormat: LogFormat;
  /** The public address, without a slash at the end. */
  readonly serverUrl: string;
  /** Shared with all threads: what they count, and what limits count. */
  readonly counters: SharedArrayBuffer;
  readonly gate: GateMemory;
  /** The installation's own key for tokens, where it counts. */
  readonly ownKey?: OwnPublicKey | undefined;
}

/** What a thread is told while it runs. */
export type ThreadUpdate = EditionsUpdate | OrdersUpdate;

/** The editions that can be read from now on. */
export interface EditionsUpdate extends ReadableEditions {
  readonly kind: 'editions';
}

/** The way to the store of order responses; from now on the only one. */
export interface OrdersUpdate {
  readonly kind: 'orders';
  readonly connection: OrdersConnection;
}

export function gateLimits(config: Config): GateLimits {
  return {
    connections: config['limits.connections'],
    connectionsPerClient: config['limits.connectionsPerClient'],
    bodyBytesInFlight: config['limits.bodyBytesInFlight'],
    bodyBytesPerClient: config['limits.bodyBytesPerClient'],
    requestsPerSecond: config['limits.requestsPerSecond'],
    delayMs: config['limits.delayMs'],
  };
}
