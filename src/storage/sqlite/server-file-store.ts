/** The store of a data folder, for a server: editions, postcodes, receivers of webhooks, orders. */

import { readFileSync } from 'node:fs';
import { isObject } from '../../fhir/format/resource.ts';
import type { ReceiverState, ReceiverStates } from '../../orders/subscriptions/webhooks.ts';
import {
  type DataFolder,
  type MustExist,
  openDataFolder,
  openDataFolderToRead,
  replaceFile,
} from '../files/data-folder.ts';
import { openServeLock } from '../files/lock.ts';
import { StorageError, systemCode, withStorageErrors } from '../files/storage-error.ts';
import type { ServerStore } from '../store/store.ts';
import { createFileTable } from '../tables/table-file.ts';
import { POSTCODE_TABLE, PRACTITIONER_TABLE } from '../tables/table-kinds.ts';
import {
  openEditionHistory,
  openEditionReader,
  openEditionStore,
  openEditionsToRead,
} from './editions/edition-store.ts';
import { startOrdersThread } from './start-orders-thread.ts';

export function createServerFileStore(path: string): ServerStore {
  const open = (mustExist: MustExist = false) => openDataFolder(path, { mustExist });
  return {
    openEditions: async ({ mustExist = false } = {}) => openEditionStore(open(mustExist)),
    readEditions: async () => openEditionsToRead(openDataFolderToRead(path, true)),
    openEditionReader: async (onUnwritable) => openEditionReader(open(), onUnwritable),
    openEditionHistory: () => openEditionHistory(openDataFolderToRead(path, true)),
    postcodes: createFileTable(POSTCODE_TABLE, path),
    practitioners: createFileTable(PRACTITIONER_TABLE, path),
    receiverStates: createReceiverStatesFile(open),
    openServeLock: (onUnwritable) => openServeLock(open(), onUnwritable),
    startOrders: (options) => startOrdersThread({ ...options, folder: open() }),
  };
}

/** A missing file has no receivers. Throws a `StorageError`, also for a damaged file. */
export function createReceiverStatesFile(open: () => DataFolder): ReceiverStates {
  return {
    exclusively: async (receiver, action) => {
      const { webhooks: path } = open();
      const save = async (state: ReceiverState) => {
        const text = JSON.stringify({ ...readReceivers(path), [receiver]: state });
        replaceFile(path, Buffer.from(`${text}\n`));
      };
      return await action(readReceivers(path)[receiver], save);
    },
  };
}

/** The states of all receivers, by the SHA-256 of their URLs. */
export function readReceivers(path: string): Readonly<Record<string, ReceiverState>> {
  return withStorageErrors(path, () => {
    try {
      const states: Readonly<Record<string, ReceiverState>> = JSON.parse(
        readFileSync(path, 'utf8'),
      );
      if (isObject(states)) return states;
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return {};
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw new StorageError('damaged', `${path}: ${DAMAGED}`);
  });
}

const DAMAGED =
  'this is not what the program wrote; restore it, or delete it and receivers get the next edition';
