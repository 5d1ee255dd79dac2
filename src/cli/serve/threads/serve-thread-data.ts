/** The data that the main thread sends to a server thread, at its start and later, and what both derive from it. */

import type { OwnPublicKey } from '../../../auth/own-key.ts';
import type { Config } from '../../../config/settings.ts';
import type { ReadableEditions } from '../../../interfaces/answer/editions.ts';
import type { GateMemory } from '../../../server/limits/gate.ts';
import type { LogFormat } from '../../../server/monitoring/log.ts';
import type { OrdersConnection } from '../../../storage/threads/repository-messages.ts';
import type { CollectorOptions } from '../../../telemetry/span-export.ts';
import type { FileUpdate } from './files-maker.ts';

/** The data that a thread gets at its start. */
export interface ServeThreadData {
  readonly config: Config;
  /** The folder of the state of fetches. */
  readonly fetchFolder: string;
  readonly logFormat: LogFormat;
  /** The public address, without a slash at the end. */
  readonly serverUrl: string;
  /** Memory that all threads share: their counters, those of limits, and that of lost log lines. */
  readonly counters: SharedArrayBuffer;
  readonly gate: GateMemory;
  readonly lostLines: SharedArrayBuffer;
  /** The installation's own key, where the server accepts tokens that it signed. */
  readonly ownKey?: OwnPublicKey | undefined;
  /** The file of this key, if the pages give tokens that it signed. */
  readonly tokenKeyFile?: string | undefined;
  /** Undefined if telemetry is switched off. */
  readonly collector?: CollectorOptions | undefined;
}

/** The data that a thread gets while it runs. */
export type ThreadUpdate =
  | EditionsUpdate
  /** No edition can be read, because the current one cannot be opened: the reason, and what to do. */
  | { readonly kind: 'edition-problem'; readonly problem: string }
  /** The store has no readable edition with this number. */
  | { readonly kind: 'edition-unknown'; readonly number: number }
  /** A connection to the storage thread, which replaces the one before. */
  | { readonly kind: 'orders'; readonly connection: OrdersConnection }
  | FileUpdate
  /** The keys of own tokens that the server accepts from now on. */
  | { readonly kind: 'token-keys'; readonly keys: readonly OwnPublicKey[] };

/** The editions that can be read from now on. */
export interface EditionsUpdate extends ReadableEditions {
  readonly kind: 'editions';
}

/** The pages show the directory to everyone, so there are none where it needs a token. */
export function hasPages(config: Config): boolean {
  return (
    config['pages.enabled'] && config['directory.enabled'] && !config['directory.authenticate']
  );
}

/** Whether the pages give a token for order responses to everyone. */
export function givesTokens(config: Config): boolean {
  return config['pages.giveTokens'] && config['orders.enabled'] && hasPages(config);
}
