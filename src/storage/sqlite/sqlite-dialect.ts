/** Conditions of searches in the SQL of SQLite. */
import type { SqlDialect } from '../sql/criterion-sql.ts';

export const SQLITE: SqlDialect = {
  value: 'value',
  number: (value) => value,
  equals: (value) => ({ sql: 'value = ?', parameters: [value] }),
  equalsIgnoringCase: (value) => ({ sql: 'value = ? COLLATE NOCASE', parameters: [value] }),
  // The byte FF is in no text, and comes after all texts.
  startsWith: (value) => ({
    sql: `value >= ? AND value < ? || CAST(x'FF' AS TEXT)`,
    parameters: [value, value],
  }),
  contains: (value) => ({ sql: 'instr(value, ?) > 0', parameters: [value] }),
  // There can be more details than a statement may have parameters.
  detailIsOneOf: (details) => ({
    sql: 'detail IN (SELECT value FROM json_each(?))',
    parameters: [JSON.stringify(details)],
  }),
};
