/**
 * How PostgreSQL stores the entries of the search index, and the conditions on them. Values are
 * texts that are compared by their bytes. An index cannot hold long texts, so it has the first
 * characters of each.
 */
import type { SqlDialect } from '../sql/dialect.ts';
import type { EntryRow } from '../sql/search-rows.ts';
import { plain, type Sql, sql } from '../sql/statement.ts';
import { bigintArray, textArray } from './arrays.ts';
import { databaseEntryParts, isAbout, member } from './audit-parts.ts';
import { storable } from './storable.ts';

/** As in the index of the schema. */
const INDEXED_CHARACTERS = 250;
const INDEXED = plain(`left(value, ${INDEXED_CHARACTERS})`);

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
  store: 'the database',
  isOneOf: (expression, texts) => sql`${expression} = ANY (${textArray(texts.map(storable))})`,
  forUpdate: sql`FOR UPDATE OF r`,
  listed: (keys) => sql`unnest(${bigintArray(keys)}::bigint[]) WITH ORDINALITY AS n (key, place)`,
  versionOrder: sql`v.epoch, v.xid, v.key`,
  jsonRows: (columns) => sql`json_agg(json_build_array(${columns}))::text`,
  keyBytes: 8,

  storedEntry,
  value: INDEXED,
  number: numberText,
  equals: (text) => {
    const value = storable(text);
    if (isShort(value)) return sql`${INDEXED} = ${value}`;
    return sql`${beginsAs(value)} AND value = ${value}`;
  },
  equalsIgnoringCase: (text) => {
    const value = storable(text).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
    return sql`lower(value COLLATE "C") = ${value}`;
  },
  startsWith: (text) => {
    const value = storable(text);
    if (!isShort(value)) return sql`${beginsAs(value)} AND starts_with(value, ${value})`;
    const end = textAfter(value);
    return end === undefined
      ? sql`${INDEXED} >= ${value}`
      : sql`${INDEXED} >= ${value} AND ${INDEXED} < ${end}`;
  },
  contains: (text) => sql`strpos(value, ${storable(text)}) > 0`,

  member,
  listedResources: sql`jsonb_array_elements_text(coalesce(a.entry::jsonb -> 'resources', '[]'))
    AS listed (value)`,
  isUnreadable: sql`FALSE`,
  entriesAbout: (ids) => sql`SELECT a.writer, a.number FROM audit_entry AS a WHERE ${isAbout(ids)}`,
  partsOf: databaseEntryParts,
};

function beginsAs(value: string): Sql {
  return sql`${INDEXED} = left(${value}, ${plain(String(INDEXED_CHARACTERS))})`;
}

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
