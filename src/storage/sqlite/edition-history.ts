/** The history of the editions in a data folder, read-only, so that every thread can open it. */
import { DatabaseSync } from 'node:sqlite';
import {
  CHANGE_KINDS,
  type ChangeKind,
  type DifferenceCounts,
  type EditionHistory,
} from '../../directory/edition-history.ts';
import type { DataFolder } from '../data-folder.ts';
import { EDITION_MIGRATIONS, EditionCatalogue } from './edition-catalogue.ts';
import { editionPath } from './edition-folder.ts';
import { readEditionRecord } from './edition-record.ts';
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
  const counts = new Map<number, DifferenceCounts>();
  const lists = new Map<string, string>();

  /** With a line end on both sides of each code, so that a search finds only whole codes. */
  const framedCodes = (number: number, kind: ChangeKind): string => {
    const key = `${number} ${kind}`;
    const known = lists.get(key);
    if (known !== undefined) return known;
    const list = `\n${query((catalogue) => catalogue.codeList(number, kind))}\n`;
    if (lists.size >= LISTS_MAX) lists.clear();
    lists.set(key, list);
    return list;
  };

  return {
    list: async () => query((catalogue) => catalogue.list()),
    differenceCounts: async (number) => {
      const known = counts.get(number);
      if (known !== undefined) return known;
      const found = query((catalogue) => catalogue.differenceCounts(number));
      if (found !== undefined) counts.set(number, found);
      return found;
    },
    codes: async (number, kind) => framedCodes(number, kind).slice(1, -1),
    changeOf: async (number, code) =>
      code === ''
        ? undefined
        : CHANGE_KINDS.find((kind) => framedCodes(number, kind).includes(`\n${code}\n`)),
    record: async (number, code) => {
      try {
        return readEditionRecord(editionPath(folder, number), code);
      } catch {
        // An import can prune the edition at any moment. The record is then unknown.
        return undefined;
      }
    },
    close,
  };
}

/** The list of a month has about 50 KB, the list of a whole directory 2 MB. */
const LISTS_MAX = 24;
