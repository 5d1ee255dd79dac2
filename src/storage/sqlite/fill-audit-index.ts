/**
 * Fills the index of the audit log after a migration. A fill that is interrupted continues at the
 * next start. New entries are indexed when they are added.
 */
import type { DatabaseSync } from 'node:sqlite';
import { ONLY_WRITER, parseAuditRecord } from '../repository/audit-record.ts';
import { blockOf, termsOf } from './audit-index.ts';
import { inTransaction } from './database.ts';

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
