/** Starts the storage thread that writes order responses to a database. */

import type { ReaderProgram } from '../threads/reader-messages.ts';
import type { StorageThreadData } from '../threads/repository-messages.ts';
import {
  type OrdersThread,
  type OrdersThreadOptions,
  startStorageThread,
} from '../threads/storage-thread.ts';
import type { DatabaseAddress } from './connection/database-address.ts';
import type { DatabaseSettings } from './connection/database-settings.ts';
import type { DatabaseReaderData } from './database-reader-thread.ts';
import type { DatabaseThreadData } from './database-thread.ts';
import { SETTLED_WAIT_MAX_MS } from './orders/snapshot-reader.ts';

/** As `startOrdersThread`, for a database that other servers can use too, and that can be unavailable. */
export function startDatabaseThread(
  options: OrdersThreadOptions & { readonly database: DatabaseSettings },
): Promise<OrdersThread> {
  const { database, baseUrl } = options;
  const answerMs = database.failoverSeconds * 1000 - ANSWER_MARGIN_MS;
  return startStorageThread(options, {
    program: new URL('./database-thread.ts', import.meta.url),
    data: { database, baseUrl } satisfies Omit<DatabaseThreadData, keyof StorageThreadData>,
    // Half of the time is left for the page itself.
    reader: databaseReader(database.address, Math.min(SETTLED_WAIT_MAX_MS, answerMs / 2)),
    answerMs,
    walBytes: () => 0,
  });
}

/** The program that reads the database at this address. */
export function databaseReader(address: DatabaseAddress, settledWaitMaxMs?: number): ReaderProgram {
  const data: DatabaseReaderData = { address, settledWaitMaxMs };
  return { script: new URL('./database-reader-thread.ts', import.meta.url).href, data };
}

/** The answer reaches the client within the time of the setting. */
const ANSWER_MARGIN_MS = 500;
