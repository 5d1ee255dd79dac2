/** Reads single records of an edition from its folder, without reading the whole edition. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { REFERENCES, withPrefix } from '../../directory/arrays/arrays.ts';
import { requireFormat } from '../../directory/edition/edition.ts';
import {
  LINKS_ARRAY,
  RELATIONSHIPS,
  relationshipPartsOf,
  SUCCESSIONS,
  successionPartsOf,
  TARGETS,
} from '../../directory/links/edition-links.ts';
import { type Link, openLinks } from '../../directory/links/open-links.ts';
import type { SourceRecord } from '../../directory/record/record.ts';
import { openRows } from '../../directory/record/rows.ts';
import { hasArray } from './edition-folder.ts';

/** `none`: the edition does not have the record, or has only references to it. */
export type FoundRecord = SourceRecord | 'none';

/**
 * Reads records by their codes. Makes about a hundred reads of a few bytes for each. It cannot check
 * the checksums, which cover whole files. Throws if the folder is missing or not valid.
 */
export function readEditionRecords(
  path: string,
  codes: readonly string[],
): Map<string, FoundRecord> {
  using files = new EditionFiles(path);
  requireFormat({ format: files.words('format', 0, 1) });
  const count = files.wordCount('code.starts') - 1;
  const hasLinks = hasArray(path, LINKS_ARRAY);
  const codeOf = openTargetCodes(files, count, hasArray(path, `${REFERENCES}.code.starts`));
  const read = (code: string): FoundRecord => {
    const row = findRow(count, (at) => files.text('code', at), code);
    if (row === undefined) return 'none';
    const record = readRow(files, row);
    if (!hasLinks) return record;
    return {
      ...record,
      relationships: readLinks(files, RELATIONSHIPS, row, codeOf).map(relationshipPartsOf),
      successions: readLinks(files, SUCCESSIONS, row, codeOf).map(successionPartsOf),
    };
  };
  return new Map(codes.map((code) => [code, read(code)]));
}

function readRow(files: EditionFiles, row: number): SourceRecord {
  const [shape = 0] = files.words('rows.shape', row, 1);
  const shapeText = files.bytes('rows.shapes', ...files.ends('rows.shape-starts', shape));
  const values = files.bytes('rows.values', ...files.ends('rows.offsets', row));
  return openRows({
    'rows.shapes': shapeText,
    'rows.shape-starts': Uint32Array.of(0, shapeText.length),
    'rows.shape-has-time': files.bytes('rows.shape-has-time', shape, shape + 1),
    'rows.shape': Uint32Array.of(0),
    'rows.offsets': Uint32Array.of(0, values.length),
    'rows.values': values,
    'rows.hashes': new Uint32Array(2),
  }).recordAt(0);
}

/** The links of one row. */
function readLinks(
  files: EditionFiles,
  prefix: string,
  row: number,
  codeOf: (target: number) => string,
): readonly Link[] {
  const [first, end] = files.ends(`${prefix}.first`, row);
  const count = end - first;
  if (count === 0) return [];
  const words = (name: string) => files.words(`${prefix}.${name}`, first, count);
  const periodFirst = files.words(`${prefix}.period-first`, first, count + 1);
  const [periods = 0] = periodFirst;
  const periodCount = periodFirst[count]! - periods;
  const none = new Uint32Array(0);
  const arrays = {
    first: Uint32Array.of(0, count),
    kinds: files.halfWords(`${prefix}.kinds`, first, count),
    ids: words('ids'),
    targets: words('targets'),
    'target-roles': files.halfWords(`${prefix}.target-roles`, first, count),
    'target-role-ids': words('target-role-ids'),
    'period-first': periodFirst.map((at) => at - periods),
    'period-starts': files.words(`${prefix}.period-starts`, periods, periodCount),
    'period-ends': files.words(`${prefix}.period-ends`, periods, periodCount),
    'by-target': none,
    'by-target-first': none,
    'by-id': none,
    names: files.all(`${prefix}.names`),
  };
  const links = openLinks(prefix, withPrefix(prefix, arrays), codeOf);
  return Array.from({ length: count }, (_, at) => links.at(at));
}

/** Targets are numbered: full records, reference-only ones, then codes without a record. */
function openTargetCodes(
  files: EditionFiles,
  fullCount: number,
  hasReferences: boolean,
): (target: number) => string {
  const references = `${REFERENCES}.code`;
  const count = fullCount + (hasReferences ? files.wordCount(`${references}.starts`) - 1 : 0);
  return (target) => {
    if (target < fullCount) return files.text('code', target);
    return target < count
      ? files.text(references, target - fullCount)
      : files.text(TARGETS, target - count);
  };
}

/** Reads parts of the files of an edition. */
class EditionFiles {
  readonly #path: string;
  readonly #files = new Map<string, number>();

  constructor(path: string) {
    this.#path = path;
  }

  [Symbol.dispose](): void {
    for (const file of this.#files.values()) closeSync(file);
  }

  bytes(name: string, from: number, to: number): Uint8Array {
    const target = Buffer.alloc(to - from);
    if (readSync(this.#open(name), target, 0, target.length, from) !== target.length) {
      throw new RangeError(`${this.#path}: ${name} ends before byte ${to}`);
    }
    return target;
  }

  all(name: string): Uint8Array {
    return this.bytes(name, 0, fstatSync(this.#open(name)).size);
  }

  words(name: string, index: number, count: number): Uint32Array {
    const read = this.bytes(name, index * WORD_BYTES, (index + count) * WORD_BYTES);
    return new Uint32Array(Uint8Array.from(read).buffer);
  }

  halfWords(name: string, index: number, count: number): Uint16Array {
    return new Uint16Array(
      Uint8Array.from(this.bytes(name, index * 2, (index + count) * 2)).buffer,
    );
  }

  wordCount(name: string): number {
    return fstatSync(this.#open(name)).size / WORD_BYTES;
  }

  /** The start and the end of an entry in a list. */
  ends(name: string, index: number): readonly [number, number] {
    const [from = 0, to = 0] = this.words(name, index, 2);
    return [from, to];
  }

  /** An entry of a list of codes. */
  text(name: string, index: number): string {
    const read = this.bytes(`${name}.text`, ...this.ends(`${name}.starts`, index));
    return Buffer.from(read).toString('latin1');
  }

  #open(name: string): number {
    let file = this.#files.get(name);
    if (file === undefined) {
      file = openSync(join(this.#path, `${name}.bin`), 'r');
      this.#files.set(name, file);
    }
    return file;
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
