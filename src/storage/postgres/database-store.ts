/** The store in a PostgreSQL database, which several machines share. */
import { join } from 'node:path';
import { AUDIT_KEY, type DataFolder, openDataFolder } from '../files/data-folder.ts';
import { openServeLock } from '../files/lock.ts';
import { StorageError } from '../files/storage-error.ts';
import type { Store, StoreOptions } from '../store/store.ts';
import { verifyTable } from '../tables/table-file.ts';
import { POSTCODE_TABLE, PRACTITIONER_TABLE } from '../tables/table-kinds.ts';
import { connect } from './connection/connection.ts';
import type { DatabaseAddress } from './connection/database-address.ts';
import type { DatabaseSettings } from './connection/database-settings.ts';
import { parseDatabaseUrl } from './connection/database-url.ts';
import { createDatabaseContents } from './database-contents.ts';
import { createDatabaseTable } from './database-tables.ts';
import {
  openDatabaseEditions,
  openDatabaseHistory,
  verifyDatabaseEditions,
} from './editions/database-editions.ts';
import { openDatabaseReader } from './editions/database-reader.ts';
import { checkDatabaseOrders, createDatabaseOrders } from './orders/database-orders.ts';
import { type DatabaseRole, requireRights } from './schema/grants.ts';
import { requireDatabaseSchema } from './schema/schema.ts';
import {
  createDatabaseReceiverStates,
  createDeliveryLease,
  createSharedFetches,
} from './shared-state.ts';
import { startDatabaseThread } from './start-database-thread.ts';
import { createSharedTokenKeys } from './token-keys.ts';

/** The data folder of `options` is for what is local to this machine. */
export function createDatabaseStore(url: string, options: StoreOptions): Store {
  const orders = databaseSettings(url, options);
  const { address } = orders;
  const openFolder = (): DataFolder => openDataFolder(options.dataFolder);
  const postcodes = createDatabaseTable(POSTCODE_TABLE, address, openFolder);
  const practitioners = createDatabaseTable(PRACTITIONER_TABLE, address, openFolder);
  return {
    openEditions: async () => openDatabaseEditions({ address, openFolder }),
    readEditions: async () => openDatabaseEditions({ address, openFolder }),
    openEditionReader: (onProblem) => openDatabaseReader({ address, openFolder, onProblem }),
    openEditionHistory: () => openDatabaseHistory({ address, openFolder }),
    postcodes,
    practitioners,
    openServeLock: (onUnwritable) => openServeLock(openFolder(), onUnwritable),
    startOrders: (thread) => startDatabaseThread({ ...thread, database: orders }),
    ...createDatabaseOrders(orders),
    backUpOrders: async () =>
      refuse('Back up a database with the tools of PostgreSQL, such as pg_dump.'),
    restoreOrders: async () =>
      refuse(
        'Restore a database with the tools of PostgreSQL, such as pg_restore. To put a backup of ' +
          'a data folder into a database, restore it into a folder, without database.url. Then ' +
          'run "gazetteer move".',
      ),
    rewriteOrders: async () => {
      throw new StorageError(
        'refused',
        'The owner of a database rewrites its tables with the commands of PostgreSQL that the ' +
          'page "Erase order responses" names. "gazetteer orders rewrite" is for data folders.',
      );
    },
    contents: createDatabaseContents(orders, { postcodes, practitioners }, openFolder),
    tokenKeys: createSharedTokenKeys(address, openFolder),
    fetches: createSharedFetches(address),
    deliveryLease: createDeliveryLease(address),
    receiverStates: createDatabaseReceiverStates(address),
    verify: async function* (verification) {
      yield* verifyDatabaseEditions(address, verification.stopped);
      yield* verifyTable(postcodes);
      yield* verifyTable(practitioners);
      yield await checkDatabaseOrders(orders, verification);
    },
  };
}

export function databaseSettings(url: string, options: StoreOptions): DatabaseSettings {
  const { poolSize, failoverSeconds, auditKeyFile } = options;
  return {
    address: parseDatabaseUrl(url, options),
    poolSize,
    failoverSeconds,
    auditKeyFile: auditKeyFile ?? join(options.dataFolder, AUDIT_KEY),
  };
}

function refuse(remedy: string): never {
  throw new StorageError(
    'refused',
    `${remedy} "gazetteer backup" and "gazetteer restore" are for data folders.`,
  );
}

/** What a database server says about itself. */
export interface DatabaseFacts {
  /** `db1:5432` */
  readonly host: string;
  readonly version: string;
  /** The settings `fsync` and `full_page_writes`: without them, a crash can lose or damage data. */
  readonly isDurable: boolean;
  /** The replicas that are connected now. */
  readonly replicas: number;
  /** Whether a commit waits for a replica. */
  readonly waitsForReplica: boolean;
  /** How far the clock of the server is ahead of the clock of this machine. */
  readonly clockAheadMs: number;
}

/** Throws a `StorageError` that names the remedy. Changes nothing. */
export async function readDatabaseFacts(
  address: DatabaseAddress,
  role: DatabaseRole,
): Promise<DatabaseFacts> {
  const options = { name: 'gazetteer doctor', statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  await using connection = await connect(address, options);
  await requireDatabaseSchema(connection, { mayCreate: false });
  await requireRights(connection, role);
  const [row = {}] = await connection.query(SELECT_FACTS);
  return {
    host: connection.host,
    version: String(row.version),
    isDurable: row.is_durable === true,
    replicas: Number(row.replicas),
    waitsForReplica: row.waits_for_replica === true,
    clockAheadMs: Number(row.now_ms) - Date.now(),
  };
}

const STATEMENT_TIMEOUT_MS = 10_000;

/** A user without further rights can read these settings, and count the replicas. */
const SELECT_FACTS = `
  SELECT current_setting('server_version') AS version,
    current_setting('fsync')::bool AND current_setting('full_page_writes')::bool AS is_durable,
    (SELECT count(*) FROM pg_stat_replication) AS replicas,
    current_setting('synchronous_standby_names') <> '' AS waits_for_replica,
    extract(epoch FROM clock_timestamp()) * 1000 AS now_ms`;
