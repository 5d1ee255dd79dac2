/** The audit log as rows of `orders.db`, each chained to the one before it. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AuditRecord } from '../../fhir/audit.ts';
import { CHAIN_START, type ChainHead, macOf } from '../audit-chain.ts';

/** Statements over an open database, which stays the caller's to close. */
export class AuditLog {
  readonly #database: DatabaseSync;
  readonly #key: Uint8Array;
  readonly #last: StatementSync;
  readonly #insert: StatementSync;
  #head = CHAIN_START;

  constructor(database: DatabaseSync, key: Uint8Array) {
    this.#database = database;
    this.#key = key;
    this.#last = database.prepare(
      'SELECT number, mac FROM audit_entry ORDER BY number DESC LIMIT 1',
    );
    this.#insert = database.prepare(
      'INSERT INTO audit_entry (number, recorded_at, entry, mac) VALUES (?, ?, ?, ?)',
    );
  }

  /** Call it at the start of each transaction: another process may have added entries. */
  begin(): void {
    this.#head = this.readHead();
  }

  /** To be called in the transaction of what the entry is about. Returns the entry's number. */
  append(recordedAt: string, record: AuditRecord): number {
    const number = this.#head.number + 1;
    if (number === 1) markUsed(this.#database);
    const entry = JSON.stringify(record);
    const mac = macOf(this.#key, this.#head.mac, { number, recordedAt, entry });
    this.#insert.run(number, recordedAt, entry, mac);
    this.#head = { number, mac };
    return number;
  }

  readHead(): ChainHead {
    const row = this.#last.get();
    return row === undefined || !(row.mac instanceof Uint8Array)
      ? CHAIN_START
      : { number: Number(row.number), mac: row.mac };
  }
}

/**
 * Marks the header of the database as soon as the log has entries, so that an emptied log can be
 * detected.
 */
export function markUsed(database: DatabaseSync): void {
  database.exec(`PRAGMA application_id = ${USED_APPLICATION_ID}`);
}

export function isMarkedUsed(database: DatabaseSync): boolean {
  const id = database.prepare('PRAGMA application_id').get()?.application_id;
  return id === USED_APPLICATION_ID;
}

/** `GZOR` */
const USED_APPLICATION_ID = 0x475a4f52;
