/**
 * The index of the audit log. Each entry has a row for each resource that it is about. What entries
 * often have in common, such as their hour and their user, has one row for a block of entries: a row
 * for each entry would make every read and write slower.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AuditRecord } from '../../fhir/audit/audit.ts';
import { ONLY_WRITER, parseAuditRecord } from '../repository/audit-record.ts';
import { createFindings, type FindingList } from '../repository/verification.ts';
import { inTransaction } from './database.ts';

/** The entries of a block. */
export const BLOCK_ENTRIES = 256;

/** The block of the entry with the number. */
export function blockOf(number: number): number {
  return Math.floor((number - 1) / BLOCK_ENTRIES);
}

/** What the rows of a block tell about its entries. */
export type BlockField = 'hour' | 'interaction' | 'user';

export interface EntryTerms {
  /** The ids of the resources that the entry is about. */
  readonly ids: readonly string[];
  readonly traits: readonly (readonly [field: BlockField, value: string])[];
}

export function termsOf(recordedAt: string, record: Partial<AuditRecord>): EntryTerms {
  const { resource, resources = [], interaction, subject, client } = record;
  const traits: [BlockField, string][] = [['hour', hourOf(recordedAt)]];
  if (interaction !== undefined) traits.push(['interaction', interaction]);
  if (subject) traits.push(['user', subject]);
  if (client) traits.push(['user', client]);
  return { ids: resource === undefined ? resources : [resource, ...resources], traits };
}

/** `2026-11-21T09`, of an instant as the log has it. */
export function hourOf(recordedAt: string): string {
  return recordedAt.slice(0, HOUR_LENGTH);
}

const HOUR_LENGTH = 'YYYY-MM-DDTHH'.length;

/** Adds entries to the index. Statements over an open database. The caller closes it. */
export class AuditIndex {
  readonly #insertId: StatementSync;
  readonly #insertIds: StatementSync;
  readonly #insertTrait: StatementSync;
  #block = -1;
  /** The rows of the block that exist, or were added in this transaction. */
  readonly #known = new Map<BlockField, Set<string>>();
  #hasNew = false;

  constructor(database: DatabaseSync) {
    this.#insertId = database.prepare(
      'INSERT OR IGNORE INTO audit_resource (id, entry) VALUES (?, ?)',
    );
    // In order, rows of the same page of the table come one after the other.
    this.#insertIds = database.prepare(
      `INSERT OR IGNORE INTO audit_resource (id, entry)
       SELECT value, ? FROM json_each(?) ORDER BY value`,
    );
    this.#insertTrait = database.prepare(
      'INSERT OR IGNORE INTO audit_block (field, value, block) VALUES (?, ?, ?)',
    );
  }

  /** Call it at the start of each transaction: the one before may have failed. */
  begin(): void {
    if (this.#hasNew) this.#known.clear();
    this.#hasNew = false;
  }

  add(number: number, { ids, traits }: EntryTerms): void {
    const [id, ...others] = ids;
    if (others.length > 0) this.#insertIds.run(number, JSON.stringify(ids));
    else if (id !== undefined) this.#insertId.run(id, number);
    const block = blockOf(number);
    if (block !== this.#block) this.#known.clear();
    this.#block = block;
    for (const [field, value] of traits) this.#addTrait(field, value, block);
  }

  #addTrait(field: BlockField, value: string, block: number): void {
    let values = this.#known.get(field);
    if (values === undefined) {
      values = new Set();
      this.#known.set(field, values);
    }
    if (values.has(value)) return;
    values.add(value);
    if (this.#insertTrait.run(field, value, block).changes > 0) this.#hasNew = true;
  }
}

export interface AuditIndexProgress {
  readonly entries: number;
  readonly total: number;
}

/** Does nothing if the index is filled. `onProgress` is called at the start, and after each part. */
export function fillAuditIndex(
  database: DatabaseSync,
  onProgress: (progress: AuditIndexProgress) => void = () => {},
  entriesInPart = ENTRIES_IN_PART,
): void {
  if (isAuditIndexFilled(database)) return;
  const total = lastNumber(database);
  if (total > 0) onProgress({ entries: 0, total });
  for (let isDone = false; !isDone; ) {
    const entries = inTransaction(database, () => {
      const last = fillPart(database, entriesInPart);
      isDone = last === undefined;
      setIndexed(database, last ?? FILLED);
      return last ?? total;
    });
    if (total > 0) onProgress({ entries, total });
  }
}

export function isAuditIndexFilled(database: DatabaseSync): boolean {
  return indexedTo(database) === FILLED;
}

/** The number of the newest entry; 0 if there is none. */
function lastNumber(database: DatabaseSync): number {
  const row = database
    .prepare('SELECT max(number) AS last FROM audit_entry WHERE writer = ?')
    .get(ONLY_WRITER);
  return Number(row?.last ?? 0);
}

function indexedTo(database: DatabaseSync): number {
  return Number(database.prepare('SELECT indexed_to FROM audit_index').get()?.indexed_to ?? 0);
}

function setIndexed(database: DatabaseSync, number: number): void {
  database.prepare('UPDATE audit_index SET indexed_to = ?').run(number);
}

/** In place of the last number: the index has all entries. */
export const FILLED = -1;

/** Few parts, because each one changes many pages of the index; but not so few that a crash costs much. */
const ENTRIES_IN_PART = 250_000;

/** Returns the last number of the part; undefined if there are no more entries after it. */
function fillPart(database: DatabaseSync, entriesMax: number): number | undefined {
  // Rows in the order of the table are written one page after the other.
  database.exec('CREATE TEMP TABLE audit_draft (id, entry)');
  const insertId = database.prepare('INSERT INTO audit_draft VALUES (?, ?)');
  const traits = new Map<string, (string | number)[]>();
  let entries = 0;
  let last = indexedTo(database);
  for (const row of database.prepare(SELECT_PART).iterate(ONLY_WRITER, last, entriesMax)) {
    entries += 1;
    last = Number(row.number);
    // An entry that cannot be read is a finding of `verify`.
    const record = parseAuditRecord(String(row.entry)) ?? {};
    const terms = termsOf(String(row.recorded_at), record);
    for (const id of terms.ids) insertId.run(id, last);
    for (const trait of terms.traits) {
      const rowOfBlock = [...trait, blockOf(last)];
      traits.set(rowOfBlock.join('\n'), rowOfBlock);
    }
  }
  const insertTrait = database.prepare('INSERT OR IGNORE INTO audit_block VALUES (?, ?, ?)');
  for (const rowOfBlock of traits.values()) insertTrait.run(...rowOfBlock);
  database.exec(`
    INSERT OR IGNORE INTO audit_resource (id, entry) SELECT id, entry FROM audit_draft ORDER BY id, entry;
    DROP TABLE audit_draft;
  `);
  return entries < entriesMax ? undefined : last;
}

const SELECT_PART = `
  SELECT number, recorded_at, entry FROM audit_entry
  WHERE writer = ? AND number > ? ORDER BY number LIMIT ?`;

/** An index that is not filled lacks entries: the next start of the server adds them. */
export class AuditIndexCheck {
  readonly #database: DatabaseSync;
  readonly #isFilled: boolean;
  readonly #findings = createFindings();
  readonly #hasId: StatementSync;
  readonly #hasTrait: StatementSync;
  #ids = 0;
  #traits = 0;
  #block = -1;
  readonly #known = new Set<string>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#isFilled = isAuditIndexFilled(database);
    this.#hasId = database.prepare('SELECT 1 FROM audit_resource WHERE id = ? AND entry = ?');
    this.#hasTrait = database.prepare(
      'SELECT 1 FROM audit_block WHERE field = ? AND value = ? AND block = ?',
    );
  }

  /** Call it for each entry in the order of their numbers. */
  check(number: number, recordedAt: string, record: AuditRecord): void {
    if (!this.#isFilled) return;
    const { ids, traits } = termsOf(recordedAt, record);
    const missing = [...new Set(ids)].filter((id) => {
      this.#ids += 1;
      return this.#hasId.get(id, number) === undefined;
    });
    const block = blockOf(number);
    if (block !== this.#block) this.#known.clear();
    this.#block = block;
    for (const [field, value] of traits) {
      const trait = `${field} ${value}`;
      if (this.#known.has(trait)) continue;
      this.#known.add(trait);
      this.#traits += 1;
      if (this.#hasTrait.get(field, value, block) === undefined) missing.push(trait);
    }
    if (missing.length > 0) {
      this.#findings.add(`the index of the audit log lacks audit entry ${number}`);
    }
  }

  /** Call it after the last entry, if the log itself is sound. */
  addTo(findings: FindingList): void {
    for (const finding of this.#findings.list) findings.add(finding);
    if (!this.#isFilled || this.#findings.total > 0) return;
    const rows = this.#rowsOf('audit_resource') + this.#rowsOf('audit_block');
    const strays = rows - this.#ids - this.#traits;
    if (strays > 0) {
      findings.add(`the index of the audit log has ${strays} rows without an audit entry`);
    }
  }

  #rowsOf(table: string): number {
    return Number(this.#database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
  }
}
