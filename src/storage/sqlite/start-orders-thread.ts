/** Starts the storage thread that writes `orders.db`. */
import type { DataFolder } from '../files/data-folder.ts';
import { fileLength } from '../files/file-length.ts';
import type { ReaderProgram } from '../threads/reader-messages.ts';
import type { StorageThreadData } from '../threads/repository-messages.ts';
import {
  type OrdersThread,
  type OrdersThreadOptions,
  startStorageThread,
} from '../threads/storage-thread.ts';
import type { OrdersThreadData } from './orders-thread.ts';

export function startOrdersThread(
  options: OrdersThreadOptions & { readonly folder: DataFolder },
): Promise<OrdersThread> {
  const { folder } = options;
  const { ordersDatabase } = folder;
  return startStorageThread(options, {
    program: new URL('./orders-thread.ts', import.meta.url),
    data: { folder } satisfies Omit<OrdersThreadData, keyof StorageThreadData>,
    reader: fileReader(ordersDatabase),
    walBytes: () => fileLength(`${ordersDatabase}-wal`),
  });
}

/** The program that reads the database with this path. */
export function fileReader(path: string): ReaderProgram {
  return { script: new URL('./file-reader-thread.ts', import.meta.url).href, data: path };
}
