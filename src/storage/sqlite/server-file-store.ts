/** The store in a data folder: SQLite databases, and a folder of flat files for each edition. */
import { type MustExist, openDataFolder } from '../data-folder.ts';
import { openServeLock } from '../lock.ts';
import { createFilePostcodes } from '../postcodes/postcode-file.ts';
import { createReceiverStatesFile } from '../receiver-states-file.ts';
import type { ServerStore } from '../store.ts';
import { startOrdersThread } from '../threads/start-orders-thread.ts';
import {
  openEditionHistory,
  openEditionReader,
  openEditionStore,
} from './editions/edition-store.ts';

export function createServerFileStore(path: string): ServerStore {
  const open = (mustExist: MustExist = false) => openDataFolder(path, { mustExist });
  return {
    openEditions: async ({ mustExist = false } = {}) => openEditionStore(open(mustExist)),
    openEditionReader: async (onUnwritable) => openEditionReader(open(), onUnwritable),
    openEditionHistory: () => openEditionHistory(open()),
    postcodes: createFilePostcodes(open),
    receiverStates: createReceiverStatesFile(open),
    openServeLock: (onUnwritable) => openServeLock(open(), onUnwritable),
    startOrders: (options) => startOrdersThread({ ...options, folder: open() }),
  };
}
