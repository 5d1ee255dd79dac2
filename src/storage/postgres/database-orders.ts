/** What commands do with the order responses of a database. */

import { commandRecord } from '../repository/access-record.ts';
import type { SqlReader } from '../sql/dialect.ts';
import { eraseContent } from '../sql/erasure.ts';
import { checkOrders, createOrdersCommands, type OrdersCommands } from '../sql/orders-commands.ts';
import type { CheckedPart, Store, VerifyOptions } from '../store.ts';
import type { DatabaseSettings } from '../threads/repository-messages.ts';
import { CommandSession, connectForCommand } from './command-session.ts';
import type { DatabaseRole } from './grants.ts';
import { openOrdersDatabase } from './orders-database.ts';
import { readerOf, runSteps } from './session.ts';
import { verifyOrders } from './verify-orders.ts';

export function createDatabaseOrders(
  settings: DatabaseSettings,
): OrdersCommands & Pick<Store, 'eraseContent'> {
  return {
    ...createOrdersCommands({
      read: (read) => readAll(settings, read),
      command: (task) => inSession(settings, 'serve', (session) => session.steps(task)),
      record: async (command, count) => {
        const record = commandRecord(command, { outcome: 'found', count });
        await inSession(settings, 'serve', (session) =>
          session.run(async ({ append }) => append(record)),
        );
      },
    }),
    eraseContent: async (name, reason) => {
      const erased = await inSession(settings, 'erase', (session) =>
        session.steps((transaction) => eraseContent(transaction, name, reason)),
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
    const connection = await connectForCommand(address);
    try {
      return await connection.transaction(
        () => runSteps(connection, verifyOrders(auditKey, options)),
        SNAPSHOT,
      );
    } finally {
      await connection.close();
    }
  });
}

const SNAPSHOT = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';

async function inSession<Result>(
  { address, auditKeyFile }: DatabaseSettings,
  role: DatabaseRole,
  action: (session: CommandSession) => Promise<Result>,
): Promise<Result> {
  const session = await CommandSession.open(
    await openOrdersDatabase(address, auditKeyFile, { role }),
  );
  try {
    return await action(session);
  } finally {
    await session.close();
  }
}

async function* readAll<Item>(
  { address, auditKeyFile }: DatabaseSettings,
  read: (reader: SqlReader) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  await openOrdersDatabase(address, auditKeyFile);
  const connection = await connectForCommand(address);
  try {
    await connection.begin(SNAPSHOT);
    yield* read(readerOf(connection));
  } finally {
    await connection.close();
  }
}
