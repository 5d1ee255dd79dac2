/**
 * Bodies of organisations from compact rows. For each shape, the encoder's output around the values
 * is kept as byte fragments, so that writing a body is copying.
 */
import { keepValues } from '../../directory/arrays/kept-values.ts';
import { lengthBytes, type Rows, readLength } from '../../directory/record/rows.ts';
import { type Shape, shapeToEncode, splitAtMarkers } from '../../directory/record/shape.ts';

/** How a format writes a shape, and characters in values. */
export interface TemplateFormat {
  /** The text of a resource, with the markers of the shape unchanged. */
  readonly encode: (shape: Shape) => string;
  /** An ASCII character as the format writes it inside a value. */
  readonly escape: (character: string) => string;
}

export interface Templates {
  /** The number of rows. */
  readonly rows: number;
  /** The largest number of bytes that the row's body can have. */
  bytesMax(row: number): number;
  /** Writes the row's body and returns the position after it. */
  write(row: number, target: Uint8Array, position: number): number;
}

/** An ASCII character inside a JSON string. */
export function escapeJson(character: string): string {
  return JSON.stringify(character).slice(1, -1);
}

/**
 * The values of the slots -1, -2, …, which the record of a row does not have, such as values of other
 * records: each in UTF-8 of at most `COMPUTED_BYTES_MAX`.
 */
export type ComputedAt = (row: number) => readonly Uint8Array[];

/** Templates are made when a shape is first met and shared by its rows; fragments are shared. */
export function createTemplates(
  rows: Rows,
  format: TemplateFormat,
  computedAt: ComputedAt = () => [],
): Templates {
  const { values } = rows;
  const templateOf = createTemplateOf(rows, format);
  const located = createLocated(rows);
  const escapes = escapeTable(format.escape);
  const isEscaped = Uint8Array.from(escapes, (bytes) => (bytes === undefined ? 0 : 1));

  return {
    rows: rows.count,
    bytesMax: (row) => {
      const template = templateOf(row);
      const valueBytes = rows.endOf(row) - rows.startOf(row);
      return template.fixedBytes + valueBytes * template.uses * ESCAPE_BYTES_MAX;
    },
    write: (row, target, position) => {
      const template = templateOf(row);
      const { slots } = template;
      located.locate(row);
      const { starts, ends } = located;
      const computed = template.computed === 0 ? [] : computedAt(row);
      let at = position;
      for (let part = 0; part < slots.length; part++) {
        const fragment = template.fragments[part]!;
        target.set(fragment, at);
        at += fragment.length;
        const slot = slots[part]!;
        const source = slot < 0 ? computed[~slot]! : values;
        const end = slot < 0 ? source.length : ends[slot]!;
        for (let from = slot < 0 ? 0 : starts[slot]!; from < end; from++) {
          const byte = source[from]!;
          if (isEscaped[byte] === 0) {
            target[at++] = byte;
          } else {
            const escaped = escapes[byte]!;
            target.set(escaped, at);
            at += escaped.length;
          }
        }
      }
      const last = template.fragments[slots.length]!;
      target.set(last, at);
      return at + last.length;
    },
  };
}

/** The templates of two sections, whose rows are numbered one after the other. */
export function joinTemplates(first: Templates, second: Templates): Templates {
  const { rows } = first;
  return {
    rows: rows + second.rows,
    bytesMax: (row) => (row < rows ? first.bytesMax(row) : second.bytesMax(row - rows)),
    write: (row, target, position) =>
      row < rows ? first.write(row, target, position) : second.write(row - rows, target, position),
  };
}

/** The template of each row's shape. */
function createTemplateOf(rows: Rows, format: TemplateFormat): (row: number) => Template {
  const encoder = new TextEncoder();
  const fragmentOf = keepValues(FRAGMENTS_MAX, (text: string) => encoder.encode(text));
  const templateOf = keepValues(TEMPLATES_MAX, (shape: number) =>
    compile(format.encode(shapeToEncode(rows.shapeText(shape))), fragmentOf),
  );
  return (row) => templateOf(rows.shapeOf(row));
}

/** Where the values of one row are: value n from `starts[n]` to `ends[n]`. */
interface Located {
  starts: Uint32Array;
  ends: Uint32Array;
  /** Changes `starts` and `ends` to those of a row. */
  locate(row: number): void;
}

function createLocated(rows: Rows): Located {
  const { values } = rows;
  const located: Located = {
    starts: new Uint32Array(64),
    ends: new Uint32Array(64),
    locate: (row) => {
      const end = rows.endOf(row);
      let { starts, ends } = located;
      let position = rows.startOf(row);
      for (let slot = 0; position < end; slot++) {
        const length = readLength(values, position);
        position += lengthBytes(length);
        if (slot === starts.length) {
          starts = located.starts = widened(starts);
          ends = located.ends = widened(ends);
        }
        starts[slot] = position;
        position += length;
        ends[slot] = position;
      }
    },
  };
  return located;
}

/** A body: fragment 0, the value of slot 0, fragment 1, … and a last fragment. */
interface Template {
  readonly fragments: readonly Uint8Array[];
  readonly slots: readonly number[];
  /** How many of the slots are computed. */
  readonly computed: number;
  /** The largest number of bytes without the values of the record. */
  readonly fixedBytes: number;
  /** The number of uses of the value of the record that is used most often. */
  readonly uses: number;
}

/**
 * Half a kilobyte each, and at most twice as many are kept. The national directory has about 40,000
 * shapes, most of them rare. With a lower limit, reads of random organisations would make templates
 * again and again.
 */
const TEMPLATES_MAX = 65_536;
const FRAGMENTS_MAX = 65_536;

/** A version or an instant has at most 24. */
const COMPUTED_BYTES_MAX = 32;

/** `\u001f` and `&quot;`: six bytes for one. */
const ESCAPE_BYTES_MAX = 6;

function compile(encoded: string, fragmentOf: (text: string) => Uint8Array): Template {
  const { texts, slots } = splitAtMarkers(encoded);
  const fragments = texts.map(fragmentOf);
  const usesOf: number[] = [];
  let computed = 0;
  let uses = 1;
  for (const slot of slots) {
    if (slot < 0) {
      computed++;
      continue;
    }
    usesOf[slot] = (usesOf[slot] ?? 0) + 1;
    uses = Math.max(uses, usesOf[slot]);
  }
  const computedBytes = computed * COMPUTED_BYTES_MAX * ESCAPE_BYTES_MAX;
  const fixedBytes = fragments.reduce((sum, fragment) => sum + fragment.length, computedBytes);
  return { fragments, slots, computed, fixedBytes, uses };
}

/** For each byte that is escaped, the bytes written in its place. */
function escapeTable(escaped: TemplateFormat['escape']): (Uint8Array | undefined)[] {
  return Array.from({ length: 256 }, (_, byte) => {
    if (byte > 0x7f) return undefined;
    const character = String.fromCharCode(byte);
    const written = escaped(character);
    return written === character ? undefined : new TextEncoder().encode(written);
  });
}

function widened(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(array.length * 2);
  wider.set(array);
  return wider;
}
