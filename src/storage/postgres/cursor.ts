/** Reads the rows of a large query part by part, so that they take little memory. */

import type { Row } from '../sql/statement.ts';
import type { Connection, Parameter } from './connection.ts';

const ROWS_IN_PART = 500;

/** Call it in a transaction. Cursors of one connection must not overlap. */
export async function* cursorRows(
  connection: Connection,
  query: string,
  parameters: readonly Parameter[] = [],
): AsyncGenerator<Row> {
  await connection.query(`DECLARE listed NO SCROLL CURSOR FOR ${query}`, parameters);
  for (;;) {
    const rows = await connection.query(`FETCH ${ROWS_IN_PART} FROM listed`);
    yield* rows;
    if (rows.length < ROWS_IN_PART) break;
  }
  await connection.query('CLOSE listed');
}
