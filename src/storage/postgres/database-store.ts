/** The store in a PostgreSQL database, which several machines share. */
import { join } from 'node:path';
import { AUDIT_KEY, type DataFolder, openDataFolder } from '../data-folder.ts';
import { openServeLock } from '../lock.ts';
import { StorageError } from '../storage-error.ts';
import type { Store, StoreOptions } from '../store.ts';
import type { DatabaseSettings } from '../threads/repository-messages.ts';
import { startDatabaseThread } from '../threads/start-orders-thread.ts';
import { createDatabaseContents } from './database-contents.ts';
import { checkDatabaseOrders, createDatabaseOrders } from './database-orders.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { openDatabaseEditions, openDatabaseHistory } from './editions/database-editions.ts';
import { openDatabaseReader } from './editions/database-reader.ts';
import { verifyDatabaseEditions } from './editions/verify-database-editions.ts';
import { createSharedFetches } from './shared-fetches.ts';
import { createSharedTokenKeys } from './token-keys.ts';

/** The data folder of `options` is for what is local to this machine. */
export function createDatabaseStore(url: string, options: StoreOptions): Store {
  const orders = databaseSettings(url, options);
  const { address } = orders;
  const openFolder = (): DataFolder => openDataFolder(options.dataFolder);
  return {
    openEditions: async () => openDatabaseEditions({ address, openFolder }),
    openEditionReader: (onProblem) => openDatabaseReader({ address, openFolder, onProblem }),
    openEditionHistory: () => openDatabaseHistory({ address, openFolder }),
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
    contents: createDatabaseContents(orders, openFolder),
    tokenKeys: createSharedTokenKeys(address, openFolder),
    fetches: createSharedFetches(address),
    verify: async function* (verification) {
      yield* verifyDatabaseEditions(address, verification.stopped);
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
