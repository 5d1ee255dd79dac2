/** The SQL of SQLite where it differs from that of other databases. */
import { ONLY_WRITER } from '../repository/audit-record.ts';
import type { SqlDialect } from '../sql/dialect.ts';
import { type Sql, sql } from '../sql/statement.ts';
import { fileEntryParts } from './audit-parts.ts';

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
  versionOrder: sql`v.key`,
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
