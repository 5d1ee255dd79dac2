/** Inserts many rows with one statement, whose parameters are arrays of the values of each column. */

import type { Connection } from '../connection/connection.ts';
import { bigintArray, bytesArray, textArray } from './arrays.ts';

/** The columns of a table, with their values of a row. */
export type InsertedColumns<Row> = Readonly<Record<string, Column<Row>>>;

interface Column<Row> {
  readonly type: 'bigint' | 'text' | 'bytea';
  arrayOf(rows: readonly Row[]): Buffer;
}

export function bigints<Row>(of: (row: Row) => number): Column<Row> {
  return { type: 'bigint', arrayOf: (rows) => bigintArray(rows.map(of)) };
}

export function texts<Row>(of: (row: Row) => string): Column<Row> {
  return { type: 'text', arrayOf: (rows) => textArray(rows.map(of)) };
}

export function bytes<Row>(of: (row: Row) => Uint8Array): Column<Row> {
  return { type: 'bytea', arrayOf: (rows) => bytesArray(rows.map(of)) };
}

/** Runs a statement once for all rows. It has their values in `arrays`, a table. */
export async function runForAll<Row>(
  connection: Connection,
  rows: readonly Row[],
  columns: InsertedColumns<Row>,
  statement: (names: string, arrays: string) => string,
): Promise<void> {
  if (rows.length === 0) return;
  const all = Object.values(columns);
  const arrays = `unnest(${all.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ')})`;
  await connection.queryPrepared(
    statement(Object.keys(columns).join(', '), arrays),
    all.map((column) => column.arrayOf(rows)),
  );
}

export function insertRows<Row>(
  connection: Connection,
  table: string,
  rows: readonly Row[],
  columns: InsertedColumns<Row>,
): Promise<void> {
  const statement = (names: string, arrays: string) =>
    `INSERT INTO ${table} (${names}) SELECT * FROM ${arrays}`;
  return runForAll(connection, rows, columns, statement);
}
