/** The history of the editions in a data folder, read-only, so that every thread can open it. */
import { DatabaseSync } from 'node:sqlite';
import type { EditionHistory } from '../../../directory/edition/edition-history.ts';
import type { DataFolder } from '../../data-folder.ts';
import { createEditionHistory } from '../../editions/create-edition-history.ts';
import { editionPath } from '../../editions/edition-folder.ts';
import { EDITION_MIGRATIONS, EditionCatalogue } from './edition-catalogue.ts';
import { createLookup } from './lookup.ts';

/** The database must exist. Opening the store creates it. */
export function openEditionHistory(folder: DataFolder): EditionHistory {
  const path = folder.directoryDatabase;
  const { query, close } = createLookup({
    path,
    version: EDITION_MIGRATIONS.length,
    open: () => new DatabaseSync(path, { readOnly: true }),
    over: (database) => new EditionCatalogue(database),
  });
  return createEditionHistory({
    list: async () => query((catalogue) => catalogue.list()),
    differenceCounts: async (number) => query((catalogue) => catalogue.differenceCounts(number)),
    codeList: async (number, kind) => query((catalogue) => catalogue.codeList(number, kind)),
    pathOf: async (number) => editionPath(folder, number),
    close,
  });
}
