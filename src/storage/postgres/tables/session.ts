/** Runs the tasks that both kinds of store share over a connection to PostgreSQL. */

import type { Row, Sql, SqlSteps, SqlValue } from '../../repository/statement.ts';
import type { SqlReader } from '../../sql/dialect.ts';
import type { Connection, Parameter } from '../connection/connection.ts';
import { storable } from './arrays.ts';
import { POSTGRES } from './postgres-dialect.ts';

/** Call it in a transaction if the steps must see one state of the database. */
export async function runSteps<Result>(
  connection: Connection,
  steps: SqlSteps<Result>,
): Promise<Result> {
  let next = steps.next([]);
  while (!next.done) {
    const step = next.value;
    if ('query' in step) {
      for await (const row of streamRows(connection, step.query)) step.visit(row);
      next = steps.next([]);
    } else {
      next = steps.next(await Promise.all(step.map((each) => allRows(connection, each))));
    }
  }
  return next.value;
}

/** A reader over a connection with an open transaction. */
export function readerOf(connection: Connection): SqlReader {
  return {
    dialect: POSTGRES,
    run: (steps) => runSteps(connection, steps),
    rows: (query) => streamRows(connection, query),
  };
}

/** The rows of a query, read part by part. */
function streamRows(connection: Connection, { text, values }: Sql): AsyncIterable<Row> {
  return cursorRows(connection, numbered(text), values.map(parameterOf));
}

function allRows(connection: Connection, statement: Sql): Promise<readonly Row[]> {
  const { text, values, lengthMax } = statement;
  return lengthMax === undefined
    ? connection.queryPrepared(numbered(text), values.map(parameterOf))
    : connection.queryPrepared(numbered(measured(text)), [...values.map(parameterOf), lengthMax]);
}

/** The server counts the characters of a text, and this program counts at least as many. */
function measured(text: string): string {
  return `SELECT * FROM (
      SELECT listed.*, sum(char_length(text)) OVER (
        ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING) AS length_before
      FROM (${text}) AS listed
    ) AS measured
    WHERE coalesce(length_before, 0) <= ? ORDER BY place`;
}

/** Numbers the parameters. Two question marks stand for one in an operator. */
function numbered(text: string): string {
  let at = 0;
  return text.replaceAll(/\?\??/g, (found) => (found === '?' ? `$${++at}` : '?'));
}

function parameterOf(value: SqlValue): Parameter {
  if (typeof value === 'string') return storable(value);
  if (typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : value;
}

const ROWS_IN_PART = 500;

/** Call it in a transaction. Cursors of one connection must not overlap. */
async function* cursorRows(
  connection: Connection,
  query: string,
  parameters: readonly Parameter[] = [],
): AsyncGenerator<Row> {
  await connection.query(`DECLARE listed NO SCROLL CURSOR FOR ${query}`, parameters);
  try {
    for (;;) {
      const rows = await connection.query(`FETCH ${ROWS_IN_PART} FROM listed`);
      yield* rows;
      if (rows.length < ROWS_IN_PART) break;
    }
  } finally {
    // Also if the caller wants no more rows. A transaction that has failed has no cursor.
    await connection.query('CLOSE listed').catch(() => {});
  }
}
