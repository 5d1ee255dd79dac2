/**
 * The SQL of PostgreSQL where it differs from that of other databases. Values of the search index are
 * texts that are compared by their bytes. An index cannot hold long texts, so it has the first
 * characters of each.
 */

import { parseAuditEventId } from '../../../fhir/audit/audit-event.ts';
import type { ResourceCriterion } from '../../../fhir/search/criterion.ts';
import type { EntryRow } from '../../repository/search-rows.ts';
import { joinedSql, plain, type Sql, type SqlSteps, sql } from '../../repository/statement.ts';
import { instantText } from '../../repository/stored-version.ts';
import { rangeCondition, rangesOf } from '../../sql/audit-criteria.ts';
import type { AuditSelection, SqlDialect } from '../../sql/dialect.ts';
import { bigintArray, storable, textArray } from './arrays.ts';

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

export function storedEntry({ name, value, detail }: EntryRow): EntryRow<string> {
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
  entryOrder: [sql`a.recorded_at`, sql`a.writer`, sql`a.number`],
  versionOrder: sql`v.epoch, v.xid, v.key`,
  feed: {
    columns: sql`v.epoch, v.xid::text AS xid, v.key`,
    textOf: ({ epoch, xid, key }) => `${epoch}.${xid}.${key}`,
    placeIn: (text) => {
      const [, epoch, xid = '', key = ''] =
        /^([1-9]\d{0,8})\.(\d{1,18})\.(\d{1,18})$/.exec(text) ?? [];
      return epoch === undefined ? undefined : placeOf(Number(epoch), xid, key);
    },
    start: placeOf(0, '0', '0'),
    newestFirst: sql`v.epoch DESC, v.xid DESC, v.key DESC`,
    rank: (order) => sql`row_number() OVER (ORDER BY ${order})`,
    join: sql`JOIN`,
    // Many transactions write at the same time, and one can end after one that began later. A page
    // ends before the oldest transaction that still runs. Those of earlier epochs have ended.
    isSettled: sql`(v.epoch < (SELECT max(epoch) FROM database_epoch)
      OR v.xid < pg_snapshot_xmin(pg_current_snapshot()))`,
    isSince: (instant) => sql`v.written_at >= ${instant}`,
  },
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

/** The number of a transaction, and the key of a version. */
function placeOf(epoch: number, xid: string, key: string): Sql {
  return sql`(${epoch}::int, ${xid}::text::xid8, ${key}::bigint)`;
}

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

export function member(name: string): Sql {
  return plain(`(a.entry::jsonb ->> '${name}')`);
}

/** The condition of the index of the entries that list resources. */
function isAbout(ids: readonly string[]): Sql {
  const all = textArray(ids.map(storable));
  return sql`(a.entry::jsonb ->> 'resource' = ANY (${all})
    OR (a.entry LIKE '%"resources":%' AND a.entry::jsonb -> 'resources' ??| ${all}))`;
}

function* databaseEntryParts({
  criteria,
  sinceMs,
  entriesMax,
}: AuditSelection): SqlSteps<readonly Sql[]> {
  const conditions = criteria.flatMap((criterion) => indexedCondition(criterion) ?? []);
  if (sinceMs !== undefined) conditions.push(sql`a.recorded_at >= ${instantText(sinceMs)}`);
  const where = joinedSql(conditions, ' AND ', 'TRUE');
  if (entriesMax === undefined) return [sql`audit_entry AS a WHERE ${where}`];
  const newest = sql`SELECT a.* FROM audit_entry AS a WHERE ${where}
    ORDER BY a.recorded_at DESC, a.writer DESC, a.number DESC LIMIT ${entriesMax + 1}`;
  return [sql`(${newest}) AS a WHERE TRUE`];
}

/** True for every entry that matches; undefined if no index helps. */
function indexedCondition(criterion: ResourceCriterion): Sql | undefined {
  if (criterion.type === 'reference') return isAbout(criterion.values.map(({ id }) => id));
  if (criterion.type === 'date' && criterion.field === 'date') {
    return anyOf(criterion.values.flatMap(rangesOf).map(rangeCondition));
  }
  if (criterion.type !== 'token' || criterion.field !== '_id') return undefined;
  if (criterion.values.some(({ code }) => code === undefined)) return undefined;
  const names = criterion.values.flatMap(({ code = '' }) => parseAuditEventId(code) ?? []);
  return anyOf(
    names.map(({ writer, number }) => sql`(a.writer = ${writer} AND a.number = ${number})`),
  );
}

function anyOf(conditions: readonly Sql[]): Sql {
  return sql`(${joinedSql(conditions, ' OR ', 'FALSE')})`;
}
