/** The transactions of commands that read or change order responses in a database. */

import type { AuditRecord } from '../../fhir/audit/audit.ts';
import type { DatabaseAddress } from '../database-address.ts';
import type { ChainHead } from '../repository/audit-chain.ts';
import { macOf } from '../repository/audit-chain.ts';
import { type AuditNumber, auditRecordText } from '../repository/audit-record.ts';
import { instantText } from '../repository/stored-version.ts';
import { StorageError } from '../storage-error.ts';
import { addWriter } from './audit-writers.ts';
import { type Connection, connect } from './connection.ts';
import { ConnectionLost } from './database-error.ts';
import type { OrdersDatabase } from './orders-database.ts';
import { storableJson } from './storable.ts';

/** Adds an entry to the audit log, within the transaction. */
export type AppendRecord = (record: AuditRecord) => Promise<AuditNumber>;

export interface CommandTransaction {
  readonly connection: Connection;
  readonly append: AppendRecord;
  readonly nowMs: number;
}

/** A writer of the audit log for commands. Close it. */
export class CommandSession {
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
   * Runs `action` in a transaction, and commits it. If the connection is lost
   * during the commit, the error says that the outcome is unknown.
   */
  async run<Result>(action: (transaction: CommandTransaction) => Promise<Result>): Promise<Result> {
    const connection = this.#connection;
    const nowMs = Date.now();
    const before = this.#head;
    await connection.begin();
    try {
      const append = (record: AuditRecord) => this.#append(record, instantText(nowMs));
      const result = await action({ connection, append, nowMs });
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

  async #append(record: AuditRecord, recordedAt: string): Promise<AuditNumber> {
    const writer = this.#writer;
    const number = this.#head.number + 1;
    const entry = storableJson(auditRecordText(writer, record));
    const mac = macOf(this.#key, this.#head.mac, { number, recordedAt, entry });
    this.#head = { number, mac };
    await this.#connection.query(
      `INSERT INTO audit_entry (writer, number, recorded_at, entry, mac)
       VALUES ($1, $2, $3, $4, $5)`,
      [writer, number, recordedAt, entry, Buffer.from(mac)],
    );
    return { writer, number };
  }
}

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
