/** The audit log as rows of `orders.db`. The entries of each writer are a chain. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AuditRecord } from '../../fhir/audit/audit.ts';
import { CHAIN_START, type ChainHead, chainedAfter } from '../repository/audit-chain.ts';
import { type AuditNumber, auditRecordText, ONLY_WRITER } from '../repository/audit-record.ts';
import { instantText } from '../repository/stored-version.ts';
import type { CommandTransaction } from '../sql/erasure.ts';
import {
  AuditIndexRows,
  auditIndexedTo,
  ENTRIES_IN_PART,
  ENTRIES_TOGETHER,
  IDS_TOGETHER,
  indexEntries,
  NOTE_REACH,
} from './audit-index.ts';
import { prepareAll } from './database/database.ts';
import { SQLITE } from './sqlite-dialect.ts';

const STATEMENTS = {
  last: 'SELECT number, mac FROM audit_entry WHERE writer = ? ORDER BY number DESC LIMIT 1',
  insert:
    'INSERT INTO audit_entry (writer, number, recorded_at, entry, mac) VALUES (?, ?, ?, ?, ?)',
  noteReach: NOTE_REACH,
} as const;

/** Statements over an open database. The caller closes it. */
export class AuditLog {
  readonly #database: DatabaseSync;
  readonly #key: Uint8Array;
  readonly #statements: Readonly<Record<keyof typeof STATEMENTS, StatementSync>>;
  #head = CHAIN_START;
  /** How many ids the entries have that were appended since the index got some, also undone ones. */
  #ids = 0;
  /** The rows of the index for the entries that this log appended: those after `after`, to the head. */
  #rows = new AuditIndexRows(0);

  constructor(database: DatabaseSync, key: Uint8Array) {
    this.#database = database;
    this.#key = key;
    this.#statements = prepareAll(database, STATEMENTS);
  }

  /**
   * Call it at the start of each transaction: a command may have added entries, also one of an
   * earlier version of the program. Call it too when some of a transaction was undone. The MAC of
   * the last entry tells whether all entries are still those that this log knows.
   */
  begin(): void {
    this.#statements.noteReach.run();
    const head = this.readHead();
    const isSame = Buffer.compare(head.mac, this.#head.mac) === 0;
    if (!isSame) this.#rows = new AuditIndexRows(head.number);
    this.#head = head;
  }

  /** For a command, at the start of its transaction. The index of the log then has all entries. */
  transaction(nowMs: number): CommandTransaction {
    this.begin();
    this.#addToIndex(this.#head.number, ENTRIES_IN_PART);
    const recordedAt = instantText(nowMs);
    return { dialect: SQLITE, append: (record) => this.append(recordedAt, record), nowMs };
  }

  /** Call it in the transaction of what the entry is about. */
  append(recordedAt: string, record: AuditRecord): AuditNumber {
    const text = { recordedAt, entry: auditRecordText(ONLY_WRITER, record) };
    const chained = chainedAfter(this.#head, this.#key, text);
    const { number, entry, mac } = chained;
    if (number === 1) markUsed(this.#database);
    this.#statements.insert.run(ONLY_WRITER, number, recordedAt, entry, mac);
    // Before what can fail, so that `begin` sees if the entry was undone.
    this.#head = chained;
    this.#rows.add(number, recordedAt, record);
    this.#ids += record.resources?.length ?? 0;
    if (number % ENTRIES_TOGETHER === 0 || this.#ids > IDS_TOGETHER) {
      this.#addToIndex(number, ENTRIES_TOGETHER);
    }
    return { writer: ONLY_WRITER, number };
  }

  /**
   * Entries are read only if this log did not append all that the index lacks. After an error they
   * are read the next time, when more of them have come.
   */
  #addToIndex(last: number, entriesMax: number): void {
    const rows = this.#rows;
    this.#rows = new AuditIndexRows(last);
    this.#ids = 0;
    const areAll = rows.after === auditIndexedTo(this.#database) && rows.last === last;
    if (areAll) rows.write(this.#database);
    else while (indexEntries(this.#database, entriesMax) < last);
  }

  readHead(): ChainHead {
    const row = this.#statements.last.get(ONLY_WRITER);
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
