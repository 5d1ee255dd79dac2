/** The store in a PostgreSQL database, which several machines share. */
import { type DataFolder, openDataFolder } from '../data-folder.ts';
import { openServeLock } from '../serve-lock.ts';
import { StorageError } from '../storage-error.ts';
import type { Store, StoreOptions } from '../store.ts';
import { type DatabaseAddress, parseDatabaseUrl } from './database-url.ts';
import { openDatabaseEditions } from './editions/database-editions.ts';
import { openDatabaseHistory } from './editions/database-history.ts';
import { openDatabaseReader } from './editions/database-reader.ts';
import { verifyDatabaseEditions } from './editions/verify-database-editions.ts';
import { createSharedTokenKeys } from './token-keys.ts';

/** The data folder of `options` is for what is local to this machine. */
export function createDatabaseStore(url: string, options: StoreOptions): Store {
  const address: DatabaseAddress = parseDatabaseUrl(url, options);
  const openFolder = (): DataFolder => openDataFolder(options.dataFolder);
  return {
    openEditions: async () => openDatabaseEditions({ address, openFolder }),
    openEditionReader: (onProblem) => openDatabaseReader({ address, openFolder, onProblem }),
    openEditionHistory: () => openDatabaseHistory({ address, openFolder }),
    openServeLock: (onUnwritable) => openServeLock(openFolder(), onUnwritable),
    startOrders: async () => refuse(),
    exportVersions: refuse,
    auditEntries: refuse,
    eraseContent: async () => refuse(),
    holdResource: async () => refuse(),
    releaseResource: async () => refuse(),
    heldResources: refuse,
    backUpOrders: async () => refuseBackup(),
    restoreOrders: async () => refuseBackup(),
    tokenKeys: createSharedTokenKeys(address, openFolder),
    verify: ({ stopped }) => verifyDatabaseEditions(address, stopped),
  };
}

function refuse(): never {
  throw new StorageError(
    'refused',
    'This version keeps no order responses in a database. Set orders.enabled to false.',
  );
}

function refuseBackup(): never {
  throw new StorageError(
    'refused',
    'Back up a database with the tools of PostgreSQL, such as pg_dump. ' +
      '"gazetteer backup" and "gazetteer restore" are for data folders.',
  );
}
