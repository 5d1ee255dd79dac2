/** Answers the questions about the history of editions from what a store keeps of them. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { requireFormat } from '../../directory/edition/edition.ts';
import {
  CHANGE_KINDS,
  type ChangeKind,
  type DifferenceCounts,
  type EditionHistory,
} from '../../directory/edition/edition-history.ts';
import type { OrganizationRecord } from '../../directory/record/record.ts';
import { openRows } from '../../directory/record/rows.ts';
import type { EditionRow } from './edition-list.ts';
import { type EditionSource, readDifferenceCounts } from './edition-queries.ts';

export interface HistorySource<Row extends EditionRow> extends EditionSource<Row> {
  /** The folder with the data of an edition that is kept. */
  pathOf(row: Row): string | Promise<string>;
  close(): void;
}

/** Keeps the answers that never change. */
export function createEditionHistory<Row extends EditionRow>(
  source: HistorySource<Row>,
): EditionHistory {
  const counts = new Map<number, DifferenceCounts>();
  const lists = new Map<string, string>();

  /** With a line end on both sides of each code, so that a search finds only whole codes. */
  const framedCodes = async (number: number, kind: ChangeKind): Promise<string> => {
    const key = `${number} ${kind}`;
    const known = lists.get(key);
    if (known !== undefined) return known;
    const list = `\n${await source.detail(number, kind)}\n`;
    if (lists.size >= LISTS_MAX) lists.clear();
    lists.set(key, list);
    return list;
  };

  return {
    list: async () => (await source.list()).infos(),
    differenceCounts: async (number) => {
      const known = counts.get(number);
      if (known !== undefined) return known;
      const found = await readDifferenceCounts(source, number);
      if (found !== undefined) counts.set(number, found);
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
    record: async (number, code) => {
      try {
        const row = (await source.list()).kept(number);
        return readEditionRecord(await source.pathOf(row), code);
      } catch {
        // An import can prune the edition at any moment. The record is then unknown.
        return undefined;
      }
    },
    close: () => source.close(),
  };
}

/** The list of a month has about 50 KB, the list of a whole directory 2 MB. */
const LISTS_MAX = 24;

/**
 * Reads one record by its code, without reading the whole edition. Makes about fifty reads of a few bytes. It cannot check the checksums, which cover whole files.
 * Throws if the folder is missing or not valid.
 */
function readEditionRecord(path: string, code: string): OrganizationRecord | undefined {
  const files = new Map<string, number>();
  const open = (name: string): number => {
    let file = files.get(name);
    if (file === undefined) {
      file = openSync(join(path, `${name}.bin`), 'r');
      files.set(name, file);
    }
    return file;
  };
  const bytes = (name: string, from: number, to: number): Uint8Array => {
    const target = Buffer.alloc(to - from);
    if (readSync(open(name), target, 0, target.length, from) !== target.length) {
      throw new RangeError(`${path}: ${name} ends before byte ${to}`);
    }
    return target;
  };
  const words = (name: string, index: number, count: number): Uint32Array => {
    const read = bytes(name, index * WORD_BYTES, (index + count) * WORD_BYTES);
    return new Uint32Array(Uint8Array.from(read).buffer);
  };
  /** The start and the end of an entry in a list of texts. */
  const ends = (name: string, index: number): readonly [number, number] => {
    const [from = 0, to = 0] = words(name, index, 2);
    return [from, to];
  };
  try {
    requireFormat({ format: words('format', 0, 1) });
    const rowCount = fstatSync(open('code.starts')).size / WORD_BYTES - 1;
    const codeOf = (row: number) =>
      Buffer.from(bytes('code.text', ...ends('code.starts', row))).toString('latin1');
    const row = findRow(rowCount, codeOf, code);
    if (row === undefined) return undefined;
    const [shape = 0] = words('rows.shape', row, 1);
    const shapeText = bytes('rows.shapes', ...ends('rows.shape-starts', shape));
    const values = bytes('rows.values', ...ends('rows.offsets', row));
    return openRows({
      'rows.shapes': shapeText,
      'rows.shape-starts': Uint32Array.of(0, shapeText.length),
      'rows.shape-has-time': bytes('rows.shape-has-time', shape, shape + 1),
      'rows.shape': Uint32Array.of(0),
      'rows.offsets': Uint32Array.of(0, values.length),
      'rows.values': values,
      'rows.hashes': new Uint32Array(2),
    }).recordAt(0);
  } finally {
    for (const file of files.values()) closeSync(file);
  }
}

const WORD_BYTES = 4;

/** Rows are sorted by code. */
function findRow(count: number, codeOf: (row: number) => string, code: string): number | undefined {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (codeOf(middle) < code) low = middle + 1;
    else high = middle;
  }
  return low < count && codeOf(low) === code ? low : undefined;
}
