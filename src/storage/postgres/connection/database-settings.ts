/** The database that a server or a command uses, and how. */
import type { DatabaseAddress } from './database-address.ts';

/** The database that a storage thread writes to, instead of `orders.db`. */
export interface DatabaseSettings {
  readonly address: DatabaseAddress;
  readonly auditKeyFile: string;
  /** The number of connections for writing. */
  readonly poolSize: number;
  readonly failoverSeconds: number;
}
