/** What the main thread gives a server thread: at its start, and with each edition. */
import type { Config } from '../config/settings.ts';
import type { NamedArrays } from '../directory/arrays.ts';
import type { EditionIdentity } from '../directory/edition.ts';
import type { GateLimits, GateMemory } from '../server/gate.ts';

/** What a thread is started with; the rest comes in messages. */
export interface ServeThreadData {
  readonly config: Config;
  /** The public address, without a slash at the end. */
  readonly serverUrl: string;
  /** Shared with all threads: what they count, and what limits count. */
  readonly counters: SharedArrayBuffer;
  readonly gate: GateMemory;
}

/** A newly published edition, its arrays in shared memory; from now on the newest. */
export interface EditionUpdate {
  readonly identity: EditionIdentity;
  readonly arrays: NamedArrays;
}

export function gateLimits(config: Config): GateLimits {
  return {
    connections: config['limits.connections'],
    requestsPerSecond: config['limits.requestsPerSecond'],
    delayMs: config['limits.delayMs'],
  };
}
