/** What commands do with the order responses of a database. */

import { commandRecord } from '../repository/command-record.ts';
import { isAboutData } from '../repository/verification.ts';
import {
  eraseContent,
  heldResource,
  holdResource,
  releaseResource,
  SELECT_HELD,
} from '../sql/erasure.ts';
import { StorageError } from '../storage-error.ts';
import type { CheckedPart, Store, VerifyOptions } from '../store.ts';
import type { DatabaseSettings } from '../threads/repository-messages.ts';
import { CommandSession, connectForCommand } from './command-session.ts';
import type { Connection } from './connection.ts';
import type { DatabaseRole } from './grants.ts';
import { openOrdersDatabase } from './orders-database.ts';
import { countVersions, listedEntries, versionTexts } from './repository-reader.ts';
import { runSteps, streamRows } from './session.ts';
import { verifyOrders } from './verify-orders.ts';

type DatabaseOrders = Pick<
  Store,
  | 'exportVersions'
  | 'auditEntries'
  | 'eraseContent'
  | 'holdResource'
  | 'releaseResource'
  | 'heldResources'
>;

export function createDatabaseOrders(settings: DatabaseSettings): DatabaseOrders {
  return {
    exportVersions: (sinceMs) =>
      readAll(settings, async function* (connection) {
        const count = await countVersions(connection, sinceMs);
        await inSession(settings, 'serve', (session) =>
          session.run(async ({ append }) =>
            append(commandRecord('export', { outcome: 'found', count })),
          ),
        );
        yield* versionTexts(connection, sinceMs);
      }),
    auditEntries: (query) => readAll(settings, (connection) => listedEntries(connection, query)),
    eraseContent: async (name, reason) => {
      const erased = await inSession(settings, 'erase', (session) =>
        session.steps((transaction) => eraseContent(transaction, name, reason)),
      );
      return { ...erased, isComplete: true };
    },
    holdResource: (name, reason) =>
      inSession(settings, 'serve', (session) =>
        session.steps((transaction) => holdResource(transaction, name, reason)),
      ),
    releaseResource: (name) =>
      inSession(settings, 'serve', (session) =>
        session.steps((transaction) => releaseResource(transaction, name)),
      ),
    heldResources: () =>
      readAll(settings, async function* (connection) {
        for await (const row of streamRows(connection, SELECT_HELD)) yield heldResource(row);
      }),
  };
}

/** A database that cannot be read is a finding. */
export async function checkDatabaseOrders(
  settings: DatabaseSettings,
  options: VerifyOptions,
): Promise<CheckedPart> {
  const name = 'order responses';
  try {
    const { address, auditKey } = await openOrdersDatabase(
      settings.address,
      settings.auditKeyFile,
      { mayLackKey: true },
    );
    const connection = await connectForCommand(address);
    try {
      const verdict = await connection.transaction(
        () => runSteps(connection, verifyOrders(auditKey, options)),
        SNAPSHOT,
      );
      const { findings, findingsTotal, resources, versions, head } = verdict;
      const unlisted = findingsTotal - findings.length;
      const more = unlisted > 0 ? [`and ${unlisted} more`] : [];
      const summary = `${resources} order responses, ${versions} versions`;
      return { name, findings: [...findings, ...more], summary, head };
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { name, findings: [error.message], isUnchecked: !isAboutData(error) };
  }
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

/** Reads what was committed at the start; servers can write at the same time. */
async function* readAll<Item>(
  { address, auditKeyFile }: DatabaseSettings,
  read: (connection: Connection) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  await openOrdersDatabase(address, auditKeyFile);
  const connection = await connectForCommand(address);
  try {
    await connection.begin(SNAPSHOT);
    yield* read(connection);
  } finally {
    await connection.close();
  }
}
