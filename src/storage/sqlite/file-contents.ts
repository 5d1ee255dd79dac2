/** All that a data folder has, to carry it to a database; and the way back. */
import { existsSync } from 'node:fs';
import type { DataFolder } from '../data-folder.ts';
import { acquireLock } from '../lock.ts';
import { StorageError } from '../storage-error.ts';
import type { StoreContents } from '../store-contents.ts';
import { readFileEditions, writeFileEditions } from './editions/moved-editions.ts';
import { readFileOrders, writeFileOrders } from './file-orders.ts';

export function createFileContents(open: () => DataFolder): StoreContents {
  return {
    requireEmpty: async () => {
      const folder = open();
      acquireLock(folder.path, 'serve').release();
      for (const path of [folder.directoryDatabase, folder.ordersDatabase, folder.auditKey]) {
        if (!existsSync(path)) continue;
        throw new StorageError('refused', `${path} exists; move into a folder without data`);
      }
    },
    readEditions: async () => {
      const folder = open();
      return existsSync(folder.directoryDatabase) ? readFileEditions(folder) : undefined;
    },
    writeEditions: (editions) => writeFileEditions(open(), editions),
    readOrders: async () => {
      const folder = open();
      return existsSync(folder.ordersDatabase) ? readFileOrders(folder) : undefined;
    },
    writeOrders: (orders) => writeFileOrders(open(), orders),
  };
}
