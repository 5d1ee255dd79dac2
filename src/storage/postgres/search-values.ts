/**
 * How PostgreSQL stores the entries of the search index, and the conditions on them. Values are
 * texts that are compared by their bytes. An index cannot hold long texts, so it has the first
 * characters of each.
 */
import type { SqlDialect } from '../sql/criterion-sql.ts';
import type { EntryRow } from '../sql/search-rows.ts';
import { storable, storableList } from './storable.ts';

/** As in the index of the schema. */
const INDEXED_CHARACTERS = 250;
const INDEXED = `left(value, ${INDEXED_CHARACTERS})`;

/** A number as a text of fixed length, so that texts sort as the numbers do. */
function numberText(value: number): string {
  const positive = Math.round(value) + NUMBER_OFFSET;
  return String(Math.min(Math.max(positive, 0), NUMBER_MAX)).padStart(NUMBER_DIGITS, '0');
}

/** Beyond all times that FHIR can write, in milliseconds. */
const NUMBER_OFFSET = 4e15;
const NUMBER_MAX = 8e15;
const NUMBER_DIGITS = 16;

export interface StoredEntry {
  readonly name: string;
  readonly value: string;
  readonly detail: string;
}

export function storedEntry({ name, value, detail }: EntryRow): StoredEntry {
  return { name, value: storedValue(value), detail: storedValue(detail) };
}

function storedValue(value: string | number): string {
  return typeof value === 'number' ? numberText(value) : storable(value);
}

export const POSTGRES: SqlDialect = {
  value: INDEXED,
  number: numberText,
  equals: (text) => {
    const value = storable(text);
    if (isShort(value)) return { sql: `${INDEXED} = ?`, parameters: [value] };
    return {
      sql: `${INDEXED} = left(?, ${INDEXED_CHARACTERS}) AND value = ?`,
      parameters: [value, value],
    };
  },
  equalsIgnoringCase: (text) => ({
    sql: `lower(value COLLATE "C") = ?`,
    parameters: [storable(text).replace(/[A-Z]+/g, (letters) => letters.toLowerCase())],
  }),
  startsWith: (text) => {
    const value = storable(text);
    if (!isShort(value)) {
      return {
        sql: `${INDEXED} = left(?, ${INDEXED_CHARACTERS}) AND starts_with(value, ?)`,
        parameters: [value, value],
      };
    }
    const end = textAfter(value);
    return end === undefined
      ? { sql: `${INDEXED} >= ?`, parameters: [value] }
      : { sql: `${INDEXED} >= ? AND ${INDEXED} < ?`, parameters: [value, end] };
  },
  contains: (text) => ({ sql: 'strpos(value, ?) > 0', parameters: [storable(text)] }),
  detailIsOneOf: (details) => ({
    sql: 'detail IN (SELECT jsonb_array_elements_text(?::jsonb))',
    parameters: [storableList(details)],
  }),
};

/** Whether a value that is this text is as short in the index. */
function isShort(text: string): boolean {
  return text.length < INDEXED_CHARACTERS;
}

/** The first text after all that begin with this one; undefined if there is none. */
function textAfter(text: string): string | undefined {
  const characters = [...text];
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const next = (last.codePointAt(0) ?? 0) + 1;
    if (next > LAST_CODE_POINT) continue;
    return (
      characters.join('') + String.fromCodePoint(next === SURROGATES ? AFTER_SURROGATES : next)
    );
  }
  return undefined;
}

const LAST_CODE_POINT = 0x10_ff_ff;
const SURROGATES = 0xd8_00;
const AFTER_SURROGATES = 0xe0_00;
