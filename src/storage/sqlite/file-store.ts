/** The whole store in a data folder, with what only commands need. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { requireDecryptable } from '../age-file.ts';
import { type DataFolder, type MustExist, openDataFolder } from '../data-folder.ts';
import { inDataFolder } from '../in-data-folder.ts';
import { acquireLock } from '../lock.ts';
import { isAboutData } from '../repository/verification.ts';
import { heldResource, holdResource, releaseResource, SELECT_HELD } from '../sql/erasure.ts';
import { StorageError, storageError, withStorageErrors } from '../storage-error.ts';
import type { CheckedPart, Store, VerifyOptions } from '../store.ts';
import { backupEncrypted, backupRepository } from './backup-repository.ts';
import { createFileContents } from './file-contents.ts';
import { eraseFromFolder, recordCommand, withCommand } from './record-command.ts';
import { openRepositorySnapshot, type RepositoryDatabase } from './repository-database.ts';
import { auditEntries, versionCount, versionsSince } from './repository-reader.ts';
import { requireBackup, restoreEncrypted, restoreRepository } from './restore-repository.ts';
import { createServerFileStore } from './server-file-store.ts';
import { SqliteSession } from './session.ts';
import { verifyEditions } from './verify-editions.ts';
import { verifyRepository } from './verify-repository.ts';

export function createFileStore(path: string): Store {
  const open = (mustExist: MustExist = false) => openDataFolder(path, { mustExist });
  return {
    ...createServerFileStore(path),
    exportVersions: (sinceMs) => {
      const folder = open('orders');
      return readOrders(folder, function* ({ database }) {
        recordCommand(folder, 'export', versionCount(database, sinceMs));
        yield* versionsSince(database, sinceMs);
      });
    },
    auditEntries: (query) =>
      readOrders(open('orders'), ({ database }) => auditEntries(database, query)),
    eraseContent: async (name, reason) => eraseFromFolder(open('orders'), name, reason),
    holdResource: async (name, reason) =>
      withCommand(open('orders'), (transaction, session) =>
        session.run(holdResource(transaction, name, reason)),
      ),
    releaseResource: async (name) =>
      withCommand(open('orders'), (transaction, session) =>
        session.run(releaseResource(transaction, name)),
      ),
    heldResources: () =>
      readOrders(open('orders'), function* ({ database }) {
        for (const row of new SqliteSession(database).rows(SELECT_HELD)) yield heldResource(row);
      }),
    backUpOrders: async (file, { recipients = [], stopped } = {}) => {
      const folder = open('orders');
      const record = (versions: number) => recordCommand(folder, 'backup', versions);
      if (recipients.length === 0) backupRepository(folder, file, record);
      else await backupEncrypted(folder, file, { recipients, stopped }, record);
    },
    restoreOrders: async (file, { identities, onMade, stopped }) => {
      if (identities === undefined) requireBackup(resolve(file));
      else await requireDecryptable(resolve(file), identities);
      return await inDataFolder(path, onMade, async (folder) => {
        const lock = acquireLock(folder.path, 'serve');
        try {
          return identities === undefined
            ? restoreRepository(folder, file)
            : await restoreEncrypted(folder, file, { identities, stopped });
        } finally {
          lock.release();
        }
      });
    },
    contents: createFileContents(open),
    verify: (options) => verify(open('either'), options),
  };
}

/** Reads what was committed at the start; a server can write at the same time. */
async function* readOrders<Item>(
  folder: DataFolder,
  read: (orders: RepositoryDatabase) => Iterable<Item>,
): AsyncGenerator<Item> {
  const orders = openRepositorySnapshot(folder);
  try {
    yield* read(orders);
  } catch (error) {
    throw storageError(error, folder.path);
  } finally {
    orders.database.close();
  }
}

async function* verify(folder: DataFolder, options: VerifyOptions): AsyncGenerator<CheckedPart> {
  const { stopped, expectedHead } = options;
  if (existsSync(folder.directoryDatabase)) {
    for (const part of verifyEditions(folder)) {
      stopped?.throwIfAborted();
      yield part;
    }
  }
  if (existsSync(folder.ordersDatabase) || expectedHead !== undefined) {
    yield checkOrders(folder, options);
  }
}

/** A database that cannot be read is a finding. */
function checkOrders(folder: DataFolder, options: VerifyOptions): CheckedPart {
  const name = 'orders.db';
  try {
    return { name, ...withStorageErrors(folder.ordersDatabase, () => verdictOf(folder, options)) };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { name, findings: [error.message], isUnchecked: !isAboutData(error) };
  }
}

function verdictOf(
  folder: DataFolder,
  { stopped, expectedHead }: VerifyOptions,
): Omit<CheckedPart, 'name'> {
  const orders = openRepositorySnapshot(folder);
  try {
    const verdict = verifyRepository(orders, {
      ...(stopped && { stopped }),
      ...(expectedHead && { expectedHead }),
    });
    const { findings, findingsTotal, resources, versions, head } = verdict;
    const unlisted = findingsTotal - findings.length;
    const more = unlisted > 0 ? [`and ${unlisted} more`] : [];
    const summary = `${resources} order responses, ${versions} versions`;
    return { findings: [...findings, ...more], summary, head };
  } finally {
    orders.database.close();
  }
}
