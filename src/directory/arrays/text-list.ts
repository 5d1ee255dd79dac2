/** Lists of texts as UTF-8 bytes, written one after the other and read by number. */

import { bufferOf } from './arrays.ts';
import { GrowingArray } from './growing-array.ts';
import { NO_ROW, type RowsBefore } from './rows-before.ts';

/** Text `i` is `bytes[starts[i]..starts[i + 1])`. */
export interface TextList {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
}

/**
 * The byte after a folded text. No UTF-8 byte has this value, so no match reaches from one text into
 * the next. It sorts after every byte of a text.
 */
export const TEXT_END = 0xff;

export interface TextWriter {
  /** Adds one text. `ended` adds a TEXT_END after it. */
  add(text: string, ended?: boolean): void;
  /** Adds an entry without any bytes for a row that has no text. */
  skip(): void;
  finish(): TextList;
}

const FIRST_CAPACITY = 1 << 12;
/** The most bytes of UTF-8 that one UTF-16 code unit can need. */
const BYTES_PER_UNIT = 3;

export function createTextWriter(): TextWriter {
  let bytes = Buffer.alloc(FIRST_CAPACITY);
  let length = 0;
  const starts = new GrowingArray(Uint32Array, FIRST_CAPACITY);
  starts.push(0);
  return {
    add(text, ended = false) {
      const needed = length + text.length * BYTES_PER_UNIT + 1;
      if (needed > bytes.length) {
        const larger = Buffer.alloc(Math.max(needed, bytes.length * 2));
        larger.set(bytes);
        bytes = larger;
      }
      length += bytes.write(text, length, 'utf8');
      if (ended) bytes[length++] = TEXT_END;
      starts.push(length);
    },
    skip: () => starts.push(length),
    finish: () => ({ bytes: new Uint8Array(bytes.subarray(0, length)), starts: starts.take() }),
  };
}

/** The texts of the rows that have not changed, and those of the changed rows in their order. */
export function mergeTexts(
  kept: TextList | undefined,
  before: RowsBefore | undefined,
  changed: TextList,
): TextList {
  if (kept === undefined || before === undefined) return changed;
  const { was } = before;
  const bytes = new Uint8Array(kept.bytes.length + changed.bytes.length);
  const starts = new Uint32Array(was.length + 1);
  let position = 0;
  let place = 0;
  for (let row = 0; row < was.length; ) {
    const first = was[row]!;
    const isKept = first !== NO_ROW;
    const list = isKept ? kept : changed;
    const from = isKept ? first : place;
    let end = row + 1;
    while (end < was.length && was[end] === (isKept ? first + end - row : NO_ROW)) end++;
    if (!isKept) place += end - row;
    const ends = list.starts.subarray(from, from + end - row + 1);
    bytes.set(list.bytes.subarray(ends[0], ends.at(-1)), position);
    const shift = position - ends[0]!;
    for (let at = 1; at < ends.length; at++) starts[row + at] = ends[at]! + shift;
    position = starts[end]!;
    row = end;
  }
  return { bytes: bytes.slice(0, position), starts };
}

export function textAt({ bytes, starts }: TextList, index: number): string {
  const buffer = bufferOf(bytes);
  return buffer.toString('utf8', starts[index]!, starts[index + 1]!);
}

/** The list of some texts. */
export function encodeTexts(texts: Iterable<string>): TextList {
  const writer = createTextWriter();
  for (const text of texts) writer.add(text);
  return writer.finish();
}

/** Decodes all texts of a short list, such as the codes of roles. */
export function decodeTexts({ bytes, starts }: TextList): string[] {
  const buffer = bufferOf(bytes);
  const texts: string[] = [];
  for (let i = 0; i + 1 < starts.length; i++) {
    texts.push(buffer.toString('utf8', starts[i]!, starts[i + 1]!));
  }
  return texts;
}

/** Compares text `index` of a list with `wanted`: negative if the text comes first. */
export function compareText(list: TextList, index: number, wanted: Uint8Array): number {
  const start = list.starts[index]!;
  const length = list.starts[index + 1]! - start;
  const shared = Math.min(length, wanted.length);
  for (let i = 0; i < shared; i++) {
    const difference = list.bytes[start + i]! - wanted[i]!;
    if (difference !== 0) return difference;
  }
  return length - wanted.length;
}

/** Whether text `index` of a list contains `wanted`, which is not empty. */
export function containsText(list: TextList, index: number, wanted: Uint8Array): boolean {
  const { bytes, starts } = list;
  const last = starts[index + 1]! - wanted.length;
  const first = wanted[0]!;
  for (let at = starts[index]!; at <= last; at++) {
    if (bytes[at] !== first) continue;
    let same = 1;
    while (same < wanted.length && bytes[at + same] === wanted[same]) same++;
    if (same === wanted.length) return true;
  }
  return false;
}
