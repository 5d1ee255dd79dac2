/** The data that the main thread sends to a server thread, at its start and later. */
import type { OwnPublicKey } from '../../auth/own-key.ts';
import type { Config } from '../../config/settings.ts';
import type { ReadableEditions } from '../../directory/edition/editions.ts';
import type { GateLimits, GateMemory } from '../../server/gate.ts';
import type { LogFormat } from '../../server/operations/log.ts';
import type { OrdersConnection } from '../../storage/threads/repository-messages.ts';
import type { TelemetryTarget } from '../telemetry.ts';

/** The data that a thread gets at its start. */
export interface ServeThreadData {
  readonly config: Config;
  /** The folder of the state of fetches. */
  readonly fetchFolder: string;
  readonly logFormat: LogFormat;
  /** The public address, without a slash at the end. */
  readonly serverUrl: string;
  /** Memory that all threads share: their counters, and the counters of limits. */
  readonly counters: SharedArrayBuffer;
  readonly gate: GateMemory;
  /** The installation's own key, where the server accepts tokens that it signed. */
  readonly ownKey?: OwnPublicKey | undefined;
  /** The file of this key, if the pages give tokens that it signed. */
  readonly tokenKeyFile?: string | undefined;
  /** Undefined if telemetry is switched off. */
  readonly collector?: TelemetryTarget | undefined;
}

/** The data that a thread gets while it runs. */
export type ThreadUpdate =
  | EditionsUpdate
  | EditionProblemUpdate
  | EditionUnknownUpdate
  | OrdersUpdate
  | TokenKeysUpdate;

/** The editions that can be read from now on. */
export interface EditionsUpdate extends ReadableEditions {
  readonly kind: 'editions';
}

/** No edition can be read, because the current one cannot be opened. */
export interface EditionProblemUpdate {
  readonly kind: 'edition-problem';
  /** The reason, and what to do. */
  readonly problem: string;
}

/** The store has no readable edition with this number. */
export interface EditionUnknownUpdate {
  readonly kind: 'edition-unknown';
  readonly number: number;
}

/** The keys of own tokens that the server accepts from now on. */
export interface TokenKeysUpdate {
  readonly kind: 'token-keys';
  readonly keys: readonly OwnPublicKey[];
}

/** A connection to the storage thread, which replaces the one before. */
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
