/** Runs the tasks that both kinds of store share over an open SQLite database. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Row, Sql, SqlSteps } from '../repository/statement.ts';
import type { SqlReader } from '../sql/dialect.ts';
import { SQLITE } from './sqlite-dialect.ts';

/** The caller closes the database. */
export class SqliteSession implements SqlReader {
  readonly dialect = SQLITE;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  run<Result>(steps: SqlSteps<Result>): Result {
    let next = steps.next([]);
    while (!next.done) {
      const step = next.value;
      if ('query' in step) {
        for (const row of this.rows(step.query)) step.visit(row);
        next = steps.next([]);
      } else next = steps.next(step.map((statement) => this.#all(statement)));
    }
    return next.value;
  }

  /** The rows of a query, read one after the other. */
  rows({ text, values }: Sql): Iterable<Row> {
    // Not a prepared one, which others could use before this one is at its end.
    return this.#database.prepare(text).iterate(...(values as SQLInputValue[]));
  }

  #all({ text, values, lengthMax }: Sql): readonly Row[] {
    const statement = this.#prepared(text);
    const parameters = values as SQLInputValue[];
    if (lengthMax === undefined) return statement.all(...parameters);
    const rows: Row[] = [];
    let length = 0;
    for (const row of statement.iterate(...parameters)) {
      rows.push(row);
      if (length > lengthMax) break;
      length += String(row.text).length;
    }
    return rows;
  }

  /** Most statements of a server have one of a few forms. */
  #prepared(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const [oldest] = this.#statements.keys();
    if (this.#statements.size === STATEMENTS_MAX && oldest !== undefined) {
      this.#statements.delete(oldest);
    }
    const statement = this.#database.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}

const STATEMENTS_MAX = 200;
