/** Writes what is found in `orders.db`, a line for each thing: what exports of order responses share. */
import type { DatabaseSync } from 'node:sqlite';
import { type DataFolder, openDataFolder } from '../storage/data-folder.ts';
import { openOrdersSnapshot } from '../storage/sqlite/orders-database.ts';
import { storageError } from '../storage/storage-error.ts';
import type { CommandContext } from './command.ts';
import { writeLines } from './output.ts';

/** As of one moment; a server may go on meanwhile. */
export async function writeOrdersLines(
  context: CommandContext,
  linesOf: (database: DatabaseSync, folder: DataFolder) => Iterable<string>,
): Promise<void> {
  const { data } = context.config;
  const folder = openDataFolder(data, { mustExist: 'orders' });
  const { database } = openOrdersSnapshot(folder);
  try {
    await writeLines(linesOf(database, folder), context);
  } catch (error) {
    throw storageError(error, data);
  } finally {
    database.close();
  }
}
