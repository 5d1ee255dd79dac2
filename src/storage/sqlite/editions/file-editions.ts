/** Carries the editions of a data folder to another store, and back. */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { CHANGE_KINDS } from '../../../directory/edition/edition-history.ts';
import type { DataFolder } from '../../data-folder.ts';
import { editionPath } from '../../editions/edition-folder.ts';
import { withStorageErrors } from '../../storage-error.ts';
import type { MovedEdition, MovedEditions } from '../../store-contents.ts';
import { syncFolder } from '../../sync-folder.ts';
import { syncFile } from '../backup-repository.ts';
import { inTransaction, openDatabase } from '../database.ts';
import { EDITION_MIGRATIONS } from './edition-catalogue.ts';
import { addRowChecksum, type CheckedTable, checksumOf } from './row-checksum.ts';

/** Undefined if no edition was ever published. */
export function readFileEditions(folder: DataFolder): MovedEditions | undefined {
  const database = openDatabase(folder.directoryDatabase, EDITION_MIGRATIONS);
  try {
    const editions = database
      .prepare('SELECT * FROM edition ORDER BY number')
      .all()
      .map(
        (row): MovedEdition => ({
          number: Number(row.number),
          publication_date: String(row.publication_date),
          source: String(row.source),
          records: Number(row.records),
          imported_at: String(row.imported_at),
          published_at: String(row.published_at),
          manifest_checksum: Number(row.manifest_checksum),
          pruned_at: row.pruned_at === null ? null : String(row.pruned_at),
          compared_to: row.compared_to === null ? null : Number(row.compared_to),
          added: Number(row.added),
          changed: Number(row.changed),
          removed: Number(row.removed),
          byRole: String(row.difference_by_role),
          codes: codesOf(database, Number(row.number)),
        }),
      );
    const publications = database
      .prepare('SELECT edition, published_at FROM publication ORDER BY id')
      .all()
      .map((row) => ({ edition: Number(row.edition), publishedAt: String(row.published_at) }));
    if (editions.length === 0) return undefined;
    return { editions, publications, folderOf: async (number) => editionPath(folder, number) };
  } finally {
    database.close();
  }
}

/** The data first, so that a row always has its folder. */
export async function writeFileEditions(
  folder: DataFolder,
  { editions, publications, folderOf }: MovedEditions,
): Promise<void> {
  for (const { number, pruned_at } of editions) {
    if (pruned_at !== null) continue;
    const source = await folderOf(number);
    withStorageErrors(folder.editions, () => copyDurably(source, editionPath(folder, number)));
  }
  const database = openDatabase(folder.directoryDatabase, EDITION_MIGRATIONS);
  try {
    addRowChecksum(database);
    inTransaction(database, () => {
      for (const { byRole, codes, ...row } of editions) {
        insert(database, 'edition', { ...row, difference_by_role: byRole });
        for (const kind of CHANGE_KINDS) {
          insert(database, 'edition_difference', { edition: row.number, kind, codes: codes[kind] });
        }
      }
      for (const { edition, publishedAt } of publications) {
        insert(database, 'publication', { edition, published_at: publishedAt });
      }
    });
  } finally {
    database.close();
  }
}

function codesOf(database: DatabaseSync, edition: number): MovedEdition['codes'] {
  const select = database.prepare(
    'SELECT codes FROM edition_difference WHERE edition = ? AND kind = ?',
  );
  const codes = (kind: string) => {
    const value = select.get(edition, kind)?.codes;
    return value instanceof Uint8Array ? value : new Uint8Array();
  };
  return { added: codes('added'), changed: codes('changed'), removed: codes('removed') };
}

function insert(
  database: DatabaseSync,
  table: CheckedTable,
  row: Readonly<Record<string, SQLInputValue>>,
): void {
  const columns = Object.keys(row);
  const { lastInsertRowid } = database
    .prepare(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    )
    .run(...Object.values(row));
  database
    .prepare(`UPDATE ${table} SET checksum = ${checksumOf(table)} WHERE rowid = ?`)
    .run(lastInsertRowid);
}

function copyDurably(source: string, target: string): void {
  cpSync(source, target, { recursive: true, errorOnExist: true, force: false });
  for (const name of readdirSync(target)) syncFile(join(target, name));
  syncFolder(target);
}
