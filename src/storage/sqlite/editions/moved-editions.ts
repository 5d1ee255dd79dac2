/** Carries the editions of a data folder to another store, and back. */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type DataFolder, syncFolder } from '../../data-folder.ts';
import { editionPath } from '../../editions/edition-folder.ts';
import type { DetailedEdition } from '../../editions/edition-list.ts';
import { withStorageErrors } from '../../storage-error.ts';
import type { MovedEditions } from '../../store-contents.ts';
import { syncFile } from '../backup-repository.ts';
import { inTransaction, openDatabase } from '../database.ts';
import { EDITION_MIGRATIONS, EditionCatalogue } from './edition-catalogue.ts';

/** Undefined if no edition was ever published. */
export function readFileEditions(folder: DataFolder): MovedEditions | undefined {
  const database = openDatabase(folder.directoryDatabase, EDITION_MIGRATIONS);
  try {
    const { editions, publications } = new EditionCatalogue(database).read().rows;
    if (editions.length === 0) return undefined;
    return {
      editions: editions.map((row) => ({ ...row, ...detailsOf(database, row.number) })),
      publications,
      folderOf: async (number) => editionPath(folder, number),
    };
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
    const catalogue = new EditionCatalogue(database);
    inTransaction(database, () => {
      for (const edition of editions) catalogue.addEdition(edition);
      for (const publication of publications) catalogue.addPublication(publication);
    });
  } finally {
    database.close();
  }
}

/** Also of damaged rows. */
function detailsOf(
  database: DatabaseSync,
  edition: number,
): Pick<DetailedEdition, 'byRole' | 'codes'> {
  const byRole = database.prepare('SELECT difference_by_role FROM edition WHERE number = ?');
  const select = database.prepare(
    'SELECT codes FROM edition_difference WHERE edition = ? AND kind = ?',
  );
  const codes = (kind: string) => {
    const value = select.get(edition, kind)?.codes;
    return value instanceof Uint8Array ? value : new Uint8Array();
  };
  return {
    byRole: String(byRole.get(edition)?.difference_by_role),
    codes: { added: codes('added'), changed: codes('changed'), removed: codes('removed') },
  };
}

function copyDurably(source: string, target: string): void {
  cpSync(source, target, { recursive: true, errorOnExist: true, force: false });
  for (const name of readdirSync(target)) syncFile(join(target, name));
  syncFolder(target);
}
