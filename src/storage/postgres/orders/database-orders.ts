/** What commands do with the order responses of a database. */

import type { SqlSteps } from '../../repository/statement.ts';
import type { CheckedPart, VerifyOptions } from '../../repository/verification.ts';
import type { SqlReader } from '../../sql/dialect.ts';
import { type CommandTransaction, eraseContent } from '../../sql/erasure.ts';
import {
  checkOrders,
  createOrdersCommands,
  type OrdersCommands,
} from '../../sql/orders-commands.ts';
import type { Store } from '../../store/store.ts';
import type { DatabaseSettings } from '../connection/database-settings.ts';
import type { DatabaseRole } from '../schema/grants.ts';
import { readerOf, runSteps } from '../tables/session.ts';
import { CommandSession, connectForCommand } from './command-session.ts';
import { openOrdersDatabase } from './orders-database.ts';
import { verifyOrders } from './verify-orders.ts';

export function createDatabaseOrders(
  settings: DatabaseSettings,
): OrdersCommands & Pick<Store, 'eraseContent'> {
  return {
    ...createOrdersCommands({
      read: (read) => readAll(settings, read),
      command: (task) => runCommand(settings, 'serve', task),
    }),
    eraseContent: async (name, reason) => {
      const erased = await runCommand(settings, 'erase', (transaction) =>
        eraseContent(transaction, name, reason),
      );
      return { ...erased, isComplete: true };
    },
  };
}

export function checkDatabaseOrders(
  settings: DatabaseSettings,
  options: VerifyOptions,
): Promise<CheckedPart> {
  return checkOrders('order responses', async () => {
    const { address, auditKey } = await openOrdersDatabase(
      settings.address,
      settings.auditKeyFile,
      { mayLackKey: true },
    );
    await using connection = await connectForCommand(address);
    const verify = () => runSteps(connection, verifyOrders(auditKey, options));
    return await connection.transaction(verify, SNAPSHOT);
  });
}

const SNAPSHOT = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';

async function runCommand<Result>(
  { address, auditKeyFile }: DatabaseSettings,
  role: DatabaseRole,
  task: (transaction: CommandTransaction) => SqlSteps<Result>,
): Promise<Result> {
  const database = await openOrdersDatabase(address, auditKeyFile, { role });
  await using session = await CommandSession.open(database);
  return await session.run(task);
}

async function* readAll<Item>(
  { address, auditKeyFile }: DatabaseSettings,
  read: (reader: SqlReader) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  await openOrdersDatabase(address, auditKeyFile);
  await using connection = await connectForCommand(address);
  await connection.begin(SNAPSHOT);
  yield* read(readerOf(connection));
}
