/** Writes what is found in `orders.db`, a line for each thing: what exports of order responses share. */
import type { DatabaseSync } from 'node:sqlite';
import { openDataFolder } from '../storage/data-folder.ts';
import { openOrdersSnapshot } from '../storage/sqlite/orders-database.ts';
import { storageError } from '../storage/storage-error.ts';
import type { CommandContext } from './command.ts';
import { writeLines } from './output.ts';

/** As of one moment; a server may go on meanwhile. */
export async function writeOrdersLines(
  context: CommandContext,
  linesOf: (database: DatabaseSync) => Iterable<string>,
): Promise<void> {
  const { data } = context.config;
  const { database } = openOrdersSnapshot(openDataFolder(data, { mustExist: 'orders' }));
  try {
    await writeLines(linesOf(database), context);
  } catch (error) {
    throw storageError(error, data);
  } finally {
    database.close();
  }
}
