/** The tables as an SQLite database. */
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ColumnType, Table, TableCell, TableColumn, TableSource } from './table.ts';
import { dataPackage, TABLES } from './tables.ts';

/** Writes to an empty file. It stays incomplete if this rejects. */
export async function writeSqlite(
  path: string,
  source: TableSource,
  stopped: AbortSignal,
): Promise<void> {
  using database = new DatabaseSync(path, {
    enableForeignKeyConstraints: false,
    // Allows a database without a journal, which would stay behind on a full disk.
    defensive: false,
  });
  // Nobody else reads the file before it is complete, and an incomplete one is removed.
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
  database.exec(`${TABLES.map(tableSql).join('')}CREATE TABLE datapackage (json TEXT NOT NULL);`);
  const description = dataPackage(source, (table) => ({
    path: 'current.sqlite',
    format: 'sqlite',
    dialect: { table },
  }));
  database.prepare('INSERT INTO datapackage VALUES (?)').run(description);
  for (const table of TABLES) await insertRows(database, table, source, stopped);
  // An index that is made after the rows takes less time and less space.
  for (const sql of TABLES.flatMap(indexesSql)) {
    await nextTurn(undefined, { signal: stopped });
    database.exec(sql);
  }
  database.exec('COMMIT');
}

async function insertRows(
  database: DatabaseSync,
  { name, columns, rows }: Table,
  source: TableSource,
  stopped: AbortSignal,
): Promise<void> {
  const insert = database.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => '?')})`);
  let count = 0;
  for (const cells of rows(source)) {
    insert.run(...cells.map(sqlValue));
    count += 1;
    if (count % ROWS_AT_ONCE === 0) await nextTurn(undefined, { signal: stopped });
  }
}

function sqlValue(cell: TableCell): string | number | null {
  return typeof cell === 'boolean' ? Number(cell) : (cell ?? null);
}

/** A few milliseconds. */
const ROWS_AT_ONCE = 1000;

function tableSql({ name, columns, primaryKey, organisationColumn }: Table): string {
  const parts = [
    ...columns.map(columnSql),
    ...(primaryKey.length === 0 ? [] : [`PRIMARY KEY (${primaryKey.join(', ')})`]),
    ...(organisationColumn === undefined
      ? []
      : [`FOREIGN KEY (${organisationColumn}) REFERENCES organisation (code)`]),
  ];
  return `CREATE TABLE ${name} (\n  ${parts.join(',\n  ')}\n);\n`;
}

function columnSql({ name, type, isRequired }: TableColumn): string {
  return `${name} ${SQL_TYPES[type]}${isRequired ? ' NOT NULL' : ''}`;
}

/** SQLite keeps dates as text, and a boolean as 0 or 1. Programs convert them by the declared type. */
const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  string: 'TEXT',
  integer: 'INTEGER',
  number: 'REAL',
  boolean: 'BOOLEAN',
  date: 'DATE',
  datetime: 'DATETIME',
};

function indexesSql({ name, indexes }: Table): string[] {
  return indexes.map((column) => `CREATE INDEX ${name}_${column} ON ${name} (${column})`);
}
