/**
 * Compares the schema of a database with the schema of the migrations: an added trigger, for
 * example, can change data.
 */
import { DatabaseSync } from 'node:sqlite';
import { applyMigrations, type Migration } from './database.ts';

/** Missing, changed and unexpected tables, indexes and triggers. */
export function schemaFindings(
  database: DatabaseSync,
  migrations: readonly Migration[],
): readonly string[] {
  const fresh = new DatabaseSync(':memory:');
  try {
    applyMigrations(fresh, migrations);
    const expected = schemaOf(fresh);
    const found = schemaOf(database);
    return [
      ...[...expected]
        .filter(([name, sql]) => found.get(name) !== sql)
        .map(([name]) => `${name} of the schema was changed or removed`),
      ...[...found.keys()]
        .filter((name) => !expected.has(name))
        .map((name) => `${name} is not part of the schema`),
    ];
  } finally {
    fresh.close();
  }
}

/** The SQL statement of each table, index and trigger, by type and name. */
function schemaOf(database: DatabaseSync): Map<string, string> {
  const parts = database.prepare(`SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL`);
  return new Map(
    parts
      .all()
      .filter(({ name }) => !String(name).startsWith('sqlite_'))
      .map(({ type, name, sql }) => [`the ${type} ${name}`, String(sql)]),
  );
}
