/** The SQL of SQLite where it differs from that of other databases. */

import { interactionsOf, parseAuditEventId } from '../../fhir/audit/audit-event.ts';
import type { ResourceCriterion } from '../../fhir/search/criterion.ts';
import { ONLY_WRITER } from '../repository/audit-record.ts';
import {
  all,
  first,
  joinedSql,
  plain,
  type Sql,
  type SqlSteps,
  sql,
} from '../repository/statement.ts';
import { instantText } from '../repository/stored-version.ts';
import { rangesOf } from '../sql/audit-criteria.ts';
import type { AuditSelection, SqlDialect } from '../sql/dialect.ts';
import { BLOCK_ENTRIES, blockOf, ENTRIES_TOGETHER, hourOf, INDEXED_TO } from './audit-index.ts';

/** An entry that cannot be read has no members. */
const READABLE: Sql = sql`iif(json_valid(a.entry), a.entry, '{}')`;

export const SQLITE: SqlDialect = {
  store: 'orders.db',
  // There can be more texts than a statement may have parameters.
  isOneOf: (expression, texts) =>
    sql`${expression} IN (SELECT value FROM json_each(${JSON.stringify(texts)}))`,
  // The transaction of a command locks the whole database.
  forUpdate: sql``,
  listed: (keys) => sql`
    (SELECT value AS key, key + 1 AS place FROM json_each(${JSON.stringify(keys)})) AS n`,
  entryOrder: [sql`a.writer`, sql`a.number`],
  versionOrder: sql`v.key`,
  feed: {
    columns: sql`v.key`,
    textOf: ({ key }) => String(key),
    placeIn: (text) => (/^[1-9]\d{0,14}$/.test(text) ? sql`${Number(text)}` : undefined),
    start: sql`0`,
    newestFirst: sql`v.key DESC`,
    rank: () => sql`v.key`,
    // Keeps the order of the tables: SQLite would otherwise begin with all resources of the types,
    // and sort their versions.
    join: sql`CROSS JOIN`,
    // One process writes, one transaction after the other: keys ascend in the order of commits.
    isSettled: sql`TRUE`,
    // With the plus sign, SQLite compares the times, but reads in the order of the keys.
    isSince: (instant) => sql`+v.written_at >= ${instant} AND v.key >= (
      SELECT key FROM resource_version AS w INDEXED BY resource_version_by_time
      WHERE written_at >= ${instant}
        AND NOT EXISTS (SELECT 1 FROM set_back_version AS s WHERE s.version = w.key)
      ORDER BY written_at, key LIMIT 1)`,
  },
  jsonRows: (columns) => sql`json_group_array(json_array(${columns}))`,
  keyBytes: 4,

  storedEntry: (entry) => entry,
  value: sql`value`,
  number: (value) => value,
  equals: (value) => sql`value = ${value}`,
  equalsIgnoringCase: (value) => sql`value = ${value} COLLATE NOCASE`,
  // The byte FF is in no text, and comes after all texts.
  startsWith: (value) => sql`value >= ${value} AND value < ${value} || CAST(x'FF' AS TEXT)`,
  contains: (value) => sql`instr(value, ${value}) > 0`,

  member: (name) => sql`(${READABLE} ->> ${`$.${name}`})`,
  listedResources: sql`json_each(${READABLE}, '$.resources') AS listed`,
  isUnreadable: sql`NOT json_valid(a.entry)`,
  // The index of the audit log must be filled.
  entriesAbout: (ids) => sql`
    SELECT ${ONLY_WRITER} AS writer, entry AS number FROM audit_resource
    WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
  partsOf: fileEntryParts,
};

function* fileEntryParts(selection: AuditSelection): SqlSteps<readonly Sql[] | undefined> {
  const { criteria, sinceMs, entriesMax = Number.MAX_SAFE_INTEGER - 1 } = selection;
  const index = yield* coverage();
  const from = sinceMs === undefined ? 1 : yield* firstSince(instantText(sinceMs), index);
  let shortest: readonly number[] | undefined;
  for (const criterion of index.isUsed ? criteria : []) {
    const numbers = yield* entriesAbout(criterion, from, entriesMax, index);
    if (numbers && numbers.length < (shortest?.length ?? entriesMax + 1)) shortest = numbers;
  }
  if (shortest !== undefined) {
    return partsWith(
      shortest,
      ENTRIES_TOGETHER,
      sql`a.number = part.value AND a.number >= ${from}`,
    );
  }
  const blocks = yield* blocksOf(index.isUsed ? criteria : [], from, index);
  // The last block is not full.
  if ((blocks.length - 1) * BLOCK_ENTRIES > entriesMax) return undefined;
  const size = plain(String(BLOCK_ENTRIES));
  return partsWith(
    blocks,
    ENTRIES_TOGETHER / BLOCK_ENTRIES,
    sql`a.number BETWEEN part.value * ${size} + 1 AND (part.value + 1) * ${size}
      AND a.number >= ${from}`,
  );
}

/** How far the index of the log reaches. */
interface Coverage {
  /** The last entry that it has. */
  readonly to: number;
  /** The last entry of the log. */
  readonly last: number;
  /** Whether so few entries follow that a search reads them all. */
  readonly isUsed: boolean;
}

function* coverage(): SqlSteps<Coverage> {
  const row = yield* first(sql`SELECT ${plain(INDEXED_TO)} AS indexed,
    (SELECT max(number) FROM audit_entry WHERE writer = ${ONLY_WRITER}) AS last FROM audit_index`);
  const [to, last] = [Number(row?.indexed ?? 0), Number(row?.last ?? 0)];
  return { to, last, isUsed: last - to <= ENTRIES_TOGETHER };
}

function partsWith(values: readonly number[], size: number, isInPart: Sql): readonly Sql[] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) => {
    const part = JSON.stringify(values.slice(at * size, (at + 1) * size));
    return sql`json_each(${part}) AS part CROSS JOIN audit_entry AS a
      WHERE a.writer = ${ONLY_WRITER} AND ${isInPart}`;
  });
}

/** The number of the first entry that was recorded at or after the time, in the form of the log. */
function* firstSince(recordedAt: string, { to, isUsed }: Coverage): SqlSteps<number> {
  const block = isUsed
    ? (yield* first(sql`SELECT min(block) AS first FROM audit_block
        WHERE field = 'hour' AND value >= ${hourOf(recordedAt)}`))?.first
    : 0;
  const before = typeof block === 'number' ? block * BLOCK_ENTRIES : to;
  const row = yield* first(sql`SELECT number FROM audit_entry
    WHERE writer = ${ONLY_WRITER} AND number > ${before} AND recorded_at >= ${recordedAt}
    ORDER BY number LIMIT 1`);
  return Number(row?.number ?? Number.MAX_SAFE_INTEGER);
}

/**
 * The entries about the resources of a criterion, in order, if it names some, and all entries that
 * the index does not have.
 */
function* entriesAbout(
  criterion: ResourceCriterion,
  from: number,
  entriesMax: number,
  { to, last }: Coverage,
): SqlSteps<readonly number[] | undefined> {
  if (criterion.type === 'token' && criterion.field === '_id') {
    const names = criterion.values.flatMap(({ code = '' }) => parseAuditEventId(code) ?? []);
    return [...new Set(names.map(({ number }) => number))].toSorted((a, b) => a - b);
  }
  if (criterion.type !== 'reference') return undefined;
  const ids = JSON.stringify(criterion.values.map(({ id }) => id));
  const indexed = yield* numbersOf(sql`SELECT DISTINCT entry AS n FROM audit_resource
    WHERE id IN (SELECT value FROM json_each(${ids})) AND entry BETWEEN ${from} AND ${to}
    ORDER BY entry LIMIT ${entriesMax + 1}`);
  return [...indexed, ...numbersFrom(Math.max(from, to + 1), last)];
}

/** The blocks that every criterion selects, and those with entries that the index does not have. */
function* blocksOf(
  criteria: readonly ResourceCriterion[],
  from: number,
  { to, last }: Coverage,
): SqlSteps<readonly number[]> {
  const lastBlock = blockOf(last);
  const selections = criteria.flatMap((criterion) => blockSelection(criterion) ?? []);
  if (selections.length === 0) return numbersFrom(blockOf(from), lastBlock);
  const start = blockOf(Math.max(from, to + 1));
  const indexed = yield* numbersOf(sql`SELECT DISTINCT block AS n
    FROM (${joinedSql(selections, ' INTERSECT ')})
    WHERE block >= ${blockOf(from)} AND block < ${start} ORDER BY block`);
  return [...indexed, ...numbersFrom(start, lastBlock)];
}

function numbersFrom(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

/** One text of all numbers is read several times faster than a row for each. */
function* numbersOf(query: Sql): SqlSteps<readonly number[]> {
  const [row] = yield* all(sql`SELECT json_group_array(n) AS list FROM (${query})`);
  return JSON.parse(String(row?.list));
}

/** Selects the blocks that can have matches; undefined if the index cannot select any. */
function blockSelection(criterion: ResourceCriterion): Sql | undefined {
  if (criterion.type === 'date' && criterion.field === 'date') {
    return selection(
      criterion.values
        .flatMap(rangesOf)
        .map(
          ({ from, to }) =>
            sql`(field = 'hour' AND value >= ${hourOf(from)} AND value <= ${hourOf(to)})`,
        ),
    );
  }
  if (criterion.type !== 'token' || criterion.field === '_id') return undefined;
  const { field, values } = criterion;
  if (values.some(({ code }) => code === undefined)) return undefined;
  return selection(
    values.map(({ code = '' }) =>
      field === 'user'
        ? sql`(field = 'user' AND value = ${code})`
        : sql`(field = 'interaction' AND value IN
            (SELECT value FROM json_each(${JSON.stringify(interactionsOf(code))})))`,
    ),
  );
}

function selection(conditions: readonly Sql[]): Sql {
  return sql`SELECT block FROM audit_block WHERE ${joinedSql(conditions, ' OR ', 'FALSE')}`;
}
