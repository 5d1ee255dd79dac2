/** Reads one record of an edition by its code, without reading the whole edition. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { requireFormat } from '../../directory/edition/edition.ts';
import type { OrganizationRecord } from '../../directory/record/record.ts';
import { openRows } from '../../directory/record/rows.ts';

/**
 * Makes about fifty reads of a few bytes. It cannot check the checksums, which cover whole files.
 * Throws if the folder is missing or not valid.
 */
export function readEditionRecord(path: string, code: string): OrganizationRecord | undefined {
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
