/** SQL as values, and the statements of a task that runs over any kind of database. */

export type SqlValue = string | number | bigint | null | Uint8Array;

export interface Sql {
  /** Each parameter is a question mark. Two of them stand for one in an operator. */
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** See `upToLength`. */
  readonly lengthMax?: number;
}

/** A value in the text becomes a parameter, and SQL becomes a part of the text. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Sql | SqlValue)[]): Sql {
  let [text = ''] = texts;
  const values: SqlValue[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? null;
    if (isSql(part)) {
      text += part.text;
      values.push(...part.values);
    } else {
      text += '?';
      values.push(part);
    }
    text += texts[at + 1];
  }
  return { text, values };
}

function isSql(part: Sql | SqlValue): part is Sql {
  return typeof part === 'object' && part !== null && 'text' in part;
}

/** SQL without parameters, such as the name of a column. */
export function plain(text: string): Sql {
  return { text, values: [] };
}

/** `none`: what stands for no parts. */
export function joinedSql(parts: readonly Sql[], separator: string, none = ''): Sql {
  return {
    text: parts.map(({ text }) => text).join(separator) || none,
    values: parts.flatMap(({ values }) => values),
  };
}

/**
 * The first rows of a query with the columns `place`, which is its order, and `text`: until their
 * texts are longer than a page can be, and at least one more, which shows that the page is not the
 * last.
 */
export function upToLength(query: Sql, lengthMax: number): Sql {
  return { ...query, lengthMax };
}

export type Row = Readonly<Record<string, unknown>>;

/** Statements that need not wait for each other, or a query whose rows are too many to hold. */
export type SqlStep = readonly Sql[] | { readonly query: Sql; readonly visit: (row: Row) => void };

/**
 * A task that runs one step after the other: each step gets the rows of its statements. SQLite runs
 * all steps at once, so that nothing else can happen in the middle of a transaction. PostgreSQL
 * runs them asynchronously.
 */
export type SqlSteps<Result> = Generator<SqlStep, Result, readonly (readonly Row[])[]>;

/** The rows of a statement. */
export function* all(statement: Sql): SqlSteps<readonly Row[]> {
  const [rows = []] = yield [statement];
  return rows;
}

/** The first row of a statement. */
export function* first(statement: Sql): SqlSteps<Row | undefined> {
  const [row] = yield* all(statement);
  return row;
}

/** Calls `visit` with each row of a query, of which there can be any number. */
export function* each(query: Sql, visit: (row: Row) => void): SqlSteps<void> {
  yield { query, visit };
}
