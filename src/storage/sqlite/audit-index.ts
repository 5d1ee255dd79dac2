/**
 * The index of the audit log. Each entry has a row for each resource that it is about. What entries
 * often have in common, such as their hour and their user, has one row for a block of entries.
 *
 * The rows of 16 blocks are added together, in order, because each resource is on another page of
 * the table: adding them with each entry costs a third of what storing reads costs. Until then,
 * searches read the entries themselves.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AuditRecord } from '../../fhir/audit/audit.ts';
import { ONLY_WRITER, parseAuditRecord } from '../repository/audit-record.ts';
import type { FindingList } from '../repository/verification.ts';
import { inTransaction } from './database/database.ts';

/** The entries of a block. */
export const BLOCK_ENTRIES = 256;

/** This number of entries is added to the index together. Reading them takes a few milliseconds. */
export const ENTRIES_TOGETHER = 16 * BLOCK_ENTRIES;

/** Fewer entries are added together if they name more resources than this: writes wait meanwhile. */
export const IDS_TOGETHER = 20_000;

/** The block of the entry with the number. */
export function blockOf(number: number): number {
  return Math.floor((number - 1) / BLOCK_ENTRIES);
}

/** What the rows of a block tell about its entries. */
export type BlockField = 'hour' | 'interaction' | 'user';

/** What the index has of an entry. */
export interface AuditTerms {
  /** The resources that the entry is about. */
  readonly ids: readonly string[];
  /** What its block tells about it. */
  readonly traits: readonly (readonly [field: BlockField, value: string])[];
}

export function termsOf(recordedAt: string, record: Partial<AuditRecord>): AuditTerms {
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

export interface AuditIndexProgress {
  readonly entries: number;
  readonly total: number;
}

/** Does nothing if the index has all entries. `onProgress` is called at the start, and after each part. */
export function fillAuditIndex(
  database: DatabaseSync,
  onProgress: (progress: AuditIndexProgress) => void = () => {},
  entriesInPart = ENTRIES_IN_PART,
): void {
  inTransaction(database, () => database.exec(NOTE_REACH));
  const total = lastNumber(database);
  if (auditIndexedTo(database) >= total) return;
  onProgress({ entries: auditIndexedTo(database), total });
  for (let entries = 0; entries < total; ) {
    entries = inTransaction(database, () => indexEntries(database, entriesInPart));
    onProgress({ entries: Math.min(entries, total), total });
  }
}

/** The number of the newest entry; 0 if there is none. */
export function lastNumber(database: DatabaseSync): number {
  const row = database
    .prepare('SELECT max(number) AS last FROM audit_entry WHERE writer = ?')
    .get(ONLY_WRITER);
  return Number(row?.last ?? 0);
}

/** The number of the last entry that the index has. Searches read the entries after it. */
export function auditIndexedTo(database: DatabaseSync): number {
  return Number(database.prepare(`SELECT ${INDEXED_TO} AS n FROM audit_index`).get()?.n ?? 0);
}

/**
 * The same as SQL, for a row of `audit_index`. Earlier versions of the program wrote -1 where the
 * index had all entries.
 */
export const INDEXED_TO = `iif(indexed_to < 0,
  (SELECT coalesce(max(number), 0) FROM audit_entry WHERE writer = ${ONLY_WRITER}), indexed_to)`;

/**
 * Notes how far an index of an earlier version reaches. Run it before entries are added: they would
 * otherwise count as those that the index has.
 */
export const NOTE_REACH = `UPDATE audit_index SET indexed_to = ${INDEXED_TO} WHERE indexed_to < 0`;

/** Few parts, because each one changes many pages of the index; but not so few that a crash costs much. */
export const ENTRIES_IN_PART = 250_000;

/**
 * Adds the entries that come next, at most this number of them. Returns the number of the last
 * entry that the index has then. Call it in a transaction.
 */
export function indexEntries(database: DatabaseSync, entriesMax: number): number {
  const before = auditIndexedTo(database);
  const rows = new AuditIndexRows(before);
  for (const row of database.prepare(SELECT_PART).iterate(ONLY_WRITER, before, entriesMax)) {
    // An entry that cannot be read is a finding of `verify`.
    const record = parseAuditRecord(String(row.entry)) ?? {};
    rows.add(Number(row.number), String(row.recorded_at), record);
    if (rows.ids > IDS_IN_PART) break;
  }
  if (rows.last > before) rows.write(database);
  return rows.last;
}

/** The rows of entries that follow one another. */
export class AuditIndexRows {
  /** The number of the entry before the first. */
  readonly after: number;
  #last: number;
  readonly #about: [id: string, entry: number][] = [];
  readonly #traits = new Map<string, (string | number)[]>();

  constructor(after: number) {
    this.after = after;
    this.#last = after;
  }

  /** The number of the last entry. */
  get last(): number {
    return this.#last;
  }

  /** How many ids of resources the entries have. */
  get ids(): number {
    return this.#about.length;
  }

  add(number: number, recordedAt: string, record: Partial<AuditRecord>): void {
    this.#last = number;
    const { ids, traits } = termsOf(recordedAt, record);
    for (const id of ids) this.#about.push([id, number]);
    for (const trait of traits) {
      const rowOfBlock = [...trait, blockOf(number)];
      this.#traits.set(rowOfBlock.join('\n'), rowOfBlock);
    }
  }

  /** Call it in a transaction. */
  write(database: DatabaseSync): void {
    // Rows in the order of the table are written one page after the other.
    this.#about.sort(([one, first], [other, second]) => compareTexts(one, other) || first - second);
    const insertId = database.prepare('INSERT OR IGNORE INTO audit_resource VALUES (?, ?)');
    for (const row of this.#about) insertId.run(...row);
    const insertTrait = database.prepare('INSERT OR IGNORE INTO audit_block VALUES (?, ?, ?)');
    for (const row of this.#traits.values()) insertTrait.run(...row);
    database.prepare('UPDATE audit_index SET indexed_to = ?').run(this.#last);
  }
}

/** An entry can name hundreds of resources, and this number of ids takes some tens of megabytes. */
const IDS_IN_PART = 500_000;

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

const SELECT_PART = `
  SELECT number, recorded_at, entry FROM audit_entry
  WHERE writer = ? AND number > ? ORDER BY number LIMIT ?`;

/** The next start of a server fills the index again. Never run it beside a server. */
export const DISCARD_AUDIT_INDEX =
  'DELETE FROM audit_resource; DELETE FROM audit_block; UPDATE audit_index SET indexed_to = 0';

/** Compares the index with the entries that it should have. */
export class AuditIndexCheck {
  readonly #database: DatabaseSync;
  readonly #indexedTo: number;
  /** Earlier versions add rows to the block after them at once. */
  readonly #fullBlocks: number;
  readonly #hasId: StatementSync;
  readonly #hasTrait: StatementSync;
  #ids = 0;
  #traits = 0;
  /** The number of entries that the index lacks, and the first of them. */
  #lacking = 0;
  #firstLacking = 0;
  #block = -1;
  readonly #known = new Set<string>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#indexedTo = auditIndexedTo(database);
    this.#fullBlocks = blockOf(this.#indexedTo + 1);
    this.#hasId = database.prepare('SELECT 1 FROM audit_resource WHERE id = ? AND entry = ?');
    this.#hasTrait = database.prepare(
      'SELECT 1 FROM audit_block WHERE field = ? AND value = ? AND block = ?',
    );
  }

  /** Call it for each entry in the order of their numbers. */
  check(number: number, recordedAt: string, record: AuditRecord): void {
    if (number > this.#indexedTo) return;
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
      if (block < this.#fullBlocks) this.#traits += 1;
      if (this.#hasTrait.get(field, value, block) === undefined) missing.push(trait);
    }
    if (missing.length === 0) return;
    this.#lacking++;
    this.#firstLacking ||= number;
  }

  /**
   * Call it after the last entry, if the log itself is sound. Adds at most one finding, and returns
   * whether it did.
   */
  addTo(findings: FindingList): boolean {
    const finding = this.#finding();
    if (finding === undefined) return false;
    findings.add(`the index of the audit log ${finding}. The entries and their chain are sound`);
    return true;
  }

  #finding(): string | undefined {
    if (this.#lacking > 0) {
      return `lacks ${this.#lacking} of ${this.#indexedTo} audit entries, the first of them ${this.#firstLacking}`;
    }
    const rows =
      this.#rowsUntil('audit_resource', 'entry', this.#indexedTo) +
      this.#rowsUntil('audit_block', 'block', this.#fullBlocks - 1);
    const strays = rows - this.#ids - this.#traits;
    return strays > 0 ? `has ${strays} rows without an audit entry` : undefined;
  }

  #rowsUntil(table: string, column: string, last: number): number {
    const select = this.#database.prepare(
      `SELECT count(*) AS n FROM ${table} WHERE ${column} <= ?`,
    );
    return Number(select.get(last)?.n);
  }
}
