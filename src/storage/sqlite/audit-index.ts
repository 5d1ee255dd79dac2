/**
 * The index of the audit log. Each entry has a row for each resource that it is about. What entries
 * often have in common, such as their hour and their user, has one row for a block of entries: a row
 * for each entry would make every read and write slower.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AuditRecord } from '../../fhir/audit/audit.ts';

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
