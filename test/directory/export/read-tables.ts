/** Reads the files for analysis back: each table as rows of the same values in both forms. */
import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { parquetReadObjects } from 'hyparquet';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import type { ColumnType } from '../../../src/interfaces/files/tables/table.ts';
import { TABLES } from '../../../src/interfaces/files/tables/tables.ts';

export type TableRow = Readonly<Record<string, unknown>>;

export interface ReadTables {
  readonly tables: Readonly<Record<string, readonly TableRow[]>>;
  /** The description of the tables. */
  readonly datapackage: string;
}

export function readSqlite(path: string): ReadTables {
  const database = new DatabaseSync(path, { readOnly: true });
  const tables = TABLES.map(({ name, columns }) => {
    const rows = database.prepare(`SELECT * FROM ${name}`).all();
    const types = new Map(columns.map((column) => [column.name, column.type]));
    return [name, rows.map((row) => mapRow(row, types, fromSqlite))] as const;
  });
  const [{ json } = {}] = database.prepare('SELECT json FROM datapackage').all();
  database.close();
  return { tables: Object.fromEntries(tables), datapackage: String(json) };
}

export async function readParquetZip(path: string): Promise<ReadTables> {
  const files = await unzip(await readFile(path));
  const tables = TABLES.map(async ({ name, columns }) => {
    const bytes = files.get(`${name}.parquet`) ?? Buffer.alloc(0);
    const file = Uint8Array.from(bytes).buffer;
    const rows = await parquetReadObjects({ file });
    const types = new Map(columns.map((column) => [column.name, column.type]));
    return [name, rows.map((row) => mapRow(row, types, fromParquet))] as const;
  });
  return {
    tables: Object.fromEntries(await Promise.all(tables)),
    datapackage: String(files.get('datapackage.json')),
  };
}

function mapRow(
  row: Readonly<Record<string, unknown>>,
  types: ReadonlyMap<string, ColumnType>,
  map: (value: unknown, type: ColumnType | undefined) => unknown,
): TableRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, map(value ?? null, types.get(name))]),
  );
}

function fromSqlite(value: unknown, type: ColumnType | undefined): unknown {
  return type === 'boolean' && value !== null ? value === 1 : value;
}

function fromParquet(value: unknown, type: ColumnType | undefined): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (!(value instanceof Date)) return value;
  return type === 'date' ? value.toISOString().slice(0, 10) : value.toISOString();
}

/** The files in a zip. */
export async function unzip(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const zip: ZipFile = await promisify<Buffer, object, ZipFile>(fromBuffer)(bytes, {
    lazyEntries: true,
  });
  const open = promisify<Entry, NodeJS.ReadableStream>(zip.openReadStream.bind(zip));
  const found = new Map<string, Buffer>();
  const ended = Promise.withResolvers<void>();
  zip.once('end', ended.resolve).once('error', ended.reject);
  zip.on('entry', (entry: Entry) => {
    open(entry)
      .then(buffer)
      .then((content) => {
        found.set(entry.fileName, content);
        zip.readEntry();
      }, ended.reject);
  });
  zip.readEntry();
  await ended.promise;
  return found;
}
