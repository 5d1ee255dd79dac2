/** The transactions of commands that read or change order responses in a database. */

import type { AuditRecord } from '../../../fhir/audit/audit.ts';
import { StorageError } from '../../files/storage-error.ts';
import { type ChainHead, chainedAfter } from '../../repository/audit-chain.ts';
import { auditRecordText } from '../../repository/audit-record.ts';
import { all, first, type SqlSteps, sql } from '../../repository/statement.ts';
import { instantText } from '../../repository/stored-version.ts';
import { type CommandTransaction, eraseWrittenBefore } from '../../sql/erasure.ts';
import { type Connection, connect } from '../connection/connection.ts';
import type { DatabaseAddress } from '../connection/database-address.ts';
import { ConnectionLost } from '../connection/database-error.ts';
import { storableJson } from '../tables/arrays.ts';
import { addWriter } from '../tables/audit-writers.ts';
import { POSTGRES } from '../tables/postgres-dialect.ts';
import { runSteps } from '../tables/session.ts';
import type { OrdersDatabase } from './orders-database.ts';

/** A writer of the audit log for commands. Declare it with `using`. */
export class CommandSession implements AsyncDisposable {
  readonly #connection: Connection;
  readonly #key: Uint8Array;
  readonly #writer: number;
  #head: ChainHead;

  private constructor(connection: Connection, key: Uint8Array, writer: number, head: ChainHead) {
    this.#connection = connection;
    this.#key = key;
    this.#writer = writer;
    this.#head = head;
  }

  static async open({ address, auditKey }: OrdersDatabase): Promise<CommandSession> {
    const connection = await connectForCommand(address);
    try {
      const { writer, head } = await addWriter(connection, auditKey, Date.now());
      return new CommandSession(connection, auditKey, writer, head);
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /**
   * Runs a task in a transaction, and commits it. If the connection is lost
   * during the commit, the error says that the outcome is unknown.
   */
  async run<Result>(task: (transaction: CommandTransaction) => SqlSteps<Result>): Promise<Result> {
    const connection = this.#connection;
    const nowMs = Date.now();
    const before = this.#head;
    await connection.begin();
    try {
      const appended: Promise<unknown>[] = [];
      const append = (record: AuditRecord) => {
        const inserted = this.#append(record, instantText(nowMs));
        inserted.catch(() => {}); // awaited below
        appended.push(inserted);
        return { writer: this.#writer, number: this.#head.number };
      };
      const result = await runSteps(connection, task({ dialect: POSTGRES, append, nowMs }));
      await Promise.all(appended);
      await commit(connection);
      return result;
    } catch (error) {
      this.#head = before;
      if (connection.isOpen) await connection.rollback().catch(() => {});
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #append(record: AuditRecord, recordedAt: string): Promise<unknown> {
    const text = storableJson(auditRecordText(this.#writer, record));
    const chained = chainedAfter(this.#head, this.#key, { recordedAt, entry: text });
    this.#head = chained;
    const { number, entry, mac } = chained;
    const insert = sql`INSERT INTO audit_entry (writer, number, recorded_at, entry, mac)
      VALUES (${this.#writer}, ${number}, ${recordedAt}, ${entry}, ${mac})`;
    return runSteps(this.#connection, all(insert));
  }
}

/** As `eraseWrittenBefore`. Returns 0 also while another node does this. */
export function eraseDatabaseExpired(
  session: CommandSession,
  limits: { readonly beforeMs: number; readonly limit: number },
): Promise<number> {
  return session.run(function* (transaction) {
    const lock = yield* first(sql`SELECT pg_try_advisory_xact_lock(${RETENTION_LOCK}) AS is_free`);
    return lock?.is_free === true ? yield* eraseWrittenBefore(transaction, limits) : 0;
  });
}

/** Only one node erases at a time: `GZRT` */
const RETENTION_LOCK = 0x475a5254;

/** For commands that only read: no limit of time, because their output can be slow. */
export async function connectForCommand(address: DatabaseAddress): Promise<Connection> {
  const connection = await connect(address, { name: 'gazetteer command' });
  await connection.query('SET idle_in_transaction_session_timeout = 0');
  return connection;
}

async function commit(connection: Connection): Promise<void> {
  try {
    if ((await connection.commit()) === 'committed') return;
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
  }
  throw new StorageError(
    'unsynced',
    `${connection.host}: the connection was lost, or the database waits for a replica; the command ` +
      'may or may not have been carried out; run it again',
  );
}
