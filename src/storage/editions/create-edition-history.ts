/** Answers the questions about the history of editions from what a store keeps of them. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  CHANGE_KINDS,
  type ChangeKind,
  type DifferenceCounts,
  type EditionHistory,
} from '../../directory/edition/edition-store.ts';
import { createPauses } from '../../threads/pauses.ts';
import { MANIFEST_NAME } from './edition-folder.ts';
import type { EditionList, EditionRow } from './edition-list.ts';
import { type EditionSource, readDifferenceCounts } from './edition-queries.ts';
import { type FoundRecord, readEditionRecords } from './read-edition-records.ts';

export interface HistorySource<Row extends EditionRow> extends EditionSource<Row> {
  /** The folder with the data of an edition that is kept. */
  pathOf(row: Row): string | Promise<string>;
  close(): void;
}

/**
 * Keeps the answers that never change. A number means the edition of the list that was read last:
 * each page reads the list before it asks for the numbers in it.
 */
export function createEditionHistory<Row extends EditionRow>(
  source: HistorySource<Row>,
): EditionHistory {
  const counts = new Map<string, DifferenceCounts>();
  const lists = new Map<string, string>();
  let lastList: EditionList<Row> | undefined;

  const readList = async (): Promise<EditionList<Row>> => {
    lastList = await source.list();
    return lastList;
  };
  const rowOf = async (number: number): Promise<Row | undefined> =>
    lastList?.row(number) ?? (await readList()).row(number);

  /** With a line end on both sides of each code, so that a search finds only whole codes. */
  const framedCodes = async (number: number, kind: ChangeKind): Promise<string> => {
    const row = await rowOf(number);
    const key = row && `${keyOf(row)} ${kind}`;
    const kept = key && lists.get(key);
    if (kept !== undefined) return kept;
    const list = `\n${await source.detail(number, kind)}\n`;
    if (key === undefined) return list;
    if (lists.size >= LISTS_MAX) lists.clear();
    lists.set(key, list);
    return list;
  };

  const records = createRecords(source, readList);
  return {
    list: async () => (await readList()).infos(),
    differenceCounts: async (number) => {
      const row = await rowOf(number);
      if (row === undefined) return undefined;
      const key = keyOf(row);
      const kept = counts.get(key);
      if (kept !== undefined) return kept;
      const found = await readDifferenceCounts(source, row);
      counts.set(key, found);
      return found;
    },
    codes: async (number, kind) => (await framedCodes(number, kind)).slice(1, -1),
    changeOf: async (number, code) => {
      if (code === '') return undefined;
      for (const kind of CHANGE_KINDS) {
        if ((await framedCodes(number, kind)).includes(`\n${code}\n`)) return kind;
      }
      return undefined;
    },
    records,
    record: async (number, code) => (await records(number, [code]))?.[0],
    [Symbol.dispose]: () => source.close(),
  };
}

/** Keeps the records that were read last. */
function createRecords<Row extends EditionRow>(
  source: HistorySource<Row>,
  readList: () => Promise<EditionList<Row>>,
): EditionHistory['records'] {
  const known = new Map<string, FoundRecord>();
  return async (number, codes, pause = createPauses()) => {
    try {
      const row = (await readList()).kept(number);
      const path = await source.pathOf(row);
      const ofCopy = `${keyOf(row)} ${copyAt(path)}`;
      const found = new Map<string, FoundRecord>();
      const missing: string[] = [];
      for (const code of codes) {
        const kept = known.get(`${ofCopy} ${code}`);
        if (kept === undefined) missing.push(code);
        else found.set(code, kept);
      }
      for (let from = 0; from < missing.length; from += RECORDS_OF_A_PIECE) {
        const read = readEditionRecords(path, missing.slice(from, from + RECORDS_OF_A_PIECE));
        if (known.size + read.size > RECORDS_MAX) known.clear();
        for (const [code, record] of read) {
          known.set(`${ofCopy} ${code}`, record);
          found.set(code, record);
        }
        await pause();
      }
      return codes.map((code) => found.get(code)!);
    } catch {
      // An import can prune the edition at any moment. The records are then unknown.
      return undefined;
    }
  };
}

/** Names an edition: a store that was restored from a copy can give its number to another one. */
function keyOf({ number, manifest_checksum }: EditionRow): string {
  return `${number} ${manifest_checksum}`;
}

/**
 * Names the files in the folder of an edition: a damaged copy of an edition in a database is replaced
 * by another one. Throws if the folder is missing.
 */
function copyAt(path: string): string {
  const { ino, ctimeNs } = statSync(join(path, MANIFEST_NAME), { bigint: true });
  return `${ino} ${ctimeNs}`;
}

/** The list of a month has about 50 KB, the list of a whole directory 2 MB. */
const LISTS_MAX = 24;

/** A few kilobytes each. The page of an edition shows up to 150. */
const RECORDS_MAX = 500;

/** They take one or two milliseconds. */
const RECORDS_OF_A_PIECE = 8;
