/** The whole store in a data folder, with what only commands need. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { requireDecryptable } from '../files/age-file.ts';
import {
  type DataFolder,
  type MustExist,
  openDataFolder,
  openDataFolderToRead,
} from '../files/data-folder.ts';
import { inDataFolder } from '../files/in-data-folder.ts';
import { acquireLock } from '../files/lock.ts';
import { lossOfDirectory, lossOfOrders } from '../files/lost-databases.ts';
import { storageError, withStorageErrors } from '../files/storage-error.ts';
import { commandRecord } from '../repository/access-record.ts';
import type { CheckedPart, VerifyOptions } from '../repository/verification.ts';
import type { SqlReader } from '../sql/dialect.ts';
import { checkOrders, createOrdersCommands } from '../sql/orders-commands.ts';
import type { OrdersVerdict } from '../sql/verify.ts';
import type { ServerStore, Store } from '../store/store.ts';
import { verifyTable } from '../tables/table-file.ts';
import { backupEncrypted, backupRepository } from './backup-repository.ts';
import { watchUnlocked } from './database/open-to-read.ts';
import { unlessChanged, unlessUnread } from './database/unread-part.ts';
import { verifyEditions } from './editions/verify-editions.ts';
import { createFileContents } from './file-contents.ts';
import {
  eraseFromFolder,
  migrateForCommand,
  rewriteOrders,
  withCommand,
} from './record-command.ts';
import { openRepositorySnapshot } from './repository-database.ts';
import { requireBackup, restoreEncrypted, restoreRepository } from './restore-repository.ts';
import { createServerFileStore } from './server-file-store.ts';
import { SqliteSession } from './session.ts';
import { verifyRepository } from './verify-repository.ts';

export function createFileStore(path: string): Store {
  const open = (mustExist: MustExist = false) => openDataFolder(path, { mustExist });
  const server = createServerFileStore(path);
  return {
    ...server,
    startOrders: async (options) => {
      migrateForCommand(open('orders'));
      return await server.startOrders(options);
    },
    ...createOrdersCommands({
      read: (read) => readOrders(openDataFolderToRead(path, 'orders'), read),
      command: async (task) =>
        withCommand(open('orders'), (transaction, session) => session.run(task(transaction))),
    }),
    eraseContent: async (name, reason) => eraseFromFolder(open('orders'), name, reason),
    rewriteOrders: async () => rewriteOrders(open('orders')),
    backUpOrders: async (file, { recipients = [], stopped } = {}) => {
      const folder = open('orders');
      const record = (count: number) =>
        withCommand(folder, ({ append }) =>
          append(commandRecord('backup', { outcome: 'found', count })),
        );
      return recipients.length === 0
        ? backupRepository(folder, file, record)
        : await backupEncrypted(folder, file, { recipients, stopped }, record);
    },
    restoreOrders: async (file, { identities, onMade, stopped }) => {
      if (identities === undefined) requireBackup(resolve(file));
      else await requireDecryptable(resolve(file), identities);
      return await inDataFolder(path, onMade, async (folder) => {
        using _lock = acquireLock(folder.path, 'serve');
        return identities === undefined
          ? restoreRepository(folder, file)
          : await restoreEncrypted(folder, file, { identities, stopped });
      });
    },
    contents: createFileContents(path),
    verify: (options) => verify(openDataFolderToRead(path, 'either'), server, options),
  };
}

async function* readOrders<Item>(
  folder: DataFolder,
  read: (reader: SqlReader) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  using database = openRepositorySnapshot(folder).database;
  try {
    yield* read(new SqliteSession(database));
  } catch (error) {
    throw storageError(error, folder.path);
  }
}

async function* verify(
  folder: DataFolder,
  { postcodes, practitioners }: ServerStore,
  options: VerifyOptions,
): AsyncGenerator<CheckedPart> {
  const { stopped, expectedHead } = options;
  if (existsSync(folder.directoryDatabase) || lossOfDirectory(folder) !== undefined) {
    for (const part of verifyEditions(folder)) {
      stopped?.throwIfAborted();
      yield part;
    }
  }
  yield* verifyTable(postcodes);
  yield* verifyTable(practitioners);
  const isExpected = expectedHead !== undefined || lossOfOrders(folder) !== undefined;
  if (existsSync(folder.ordersDatabase) || isExpected) {
    const path = folder.ordersDatabase;
    const hasChanged = watchUnlocked(path);
    const orders = await checkOrders('orders.db', () =>
      withStorageErrors(path, () => verdictOf(folder, options)),
    );
    // With a head, the log was read to its end, and SQLite reported nothing.
    const isOfSqlite = orders.head === undefined;
    yield unlessChanged(unlessUnread(orders, path, isOfSqlite), path, hasChanged());
  }
}

function verdictOf(folder: DataFolder, options: VerifyOptions): OrdersVerdict {
  const orders = openRepositorySnapshot(folder);
  using _database = orders.database;
  return verifyRepository(orders, options);
}
