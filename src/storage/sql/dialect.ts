/** Where the SQL of SQLite and of PostgreSQL differ. */
import type { ResourceCriterion } from '../../fhir/search/criterion.ts';
import type { EntryRow } from '../repository/search-rows.ts';
import type { Row, Sql, SqlSteps } from '../repository/statement.ts';

export interface SqlDialect {
  /** The name of the store for people. */
  readonly store: string;
  /** Whether an expression is one of any number of texts. */
  readonly isOneOf: (expression: Sql, texts: readonly string[]) => Sql;
  /** At the end of a query: locks the rows of the table `r` until the transaction ends. */
  readonly forUpdate: Sql;
  /** For FROM: the table `n` with the columns `key`, and `place`: the order of the keys, from 1. */
  readonly listed: (keys: readonly number[]) => Sql;
  /** The columns that order audit entries, from the oldest on. */
  readonly entryOrder: readonly Sql[];
  /** The columns that order versions as they were written. */
  readonly versionOrder: Sql;
  readonly feed: FeedDialect;
  /** Aggregates rows of these columns to a text in JSON. */
  readonly jsonRows: (columns: Sql) => Sql;
  /** The bytes of a match in the table of kept searches. */
  readonly keyBytes: 4 | 8;

  /** An entry of the search index as its table has it. */
  readonly storedEntry: (entry: EntryRow) => EntryRow;
  /** The value of an entry of the search index, as its table has it. */
  readonly value: Sql;
  /** A number as the column of values has it. */
  readonly number: (value: number) => string | number;
  readonly equals: (value: string) => Sql;
  readonly equalsIgnoringCase: (value: string) => Sql;
  readonly startsWith: (value: string) => Sql;
  readonly contains: (value: string) => Sql;

  /** A member of the audit entry `a`, as a text. */
  readonly member: (name: string) => Sql;
  /** For FROM: the table `listed` with the column `value`: the ids of the resources that `a` lists. */
  readonly listedResources: Sql;
  /** Whether the text of the audit entry `a` cannot be read. */
  readonly isUnreadable: Sql;
  /** Selects `writer` and `number` of the audit entries that are about a resource with one of the ids. */
  readonly entriesAbout: (ids: readonly string[]) => Sql;
  /**
   * Where the audit entries of a selection can be, the oldest first: what follows FROM, with a WHERE.
   * Undefined: there are too many to look at.
   */
  readonly partsOf: (selection: AuditSelection) => SqlSteps<readonly Sql[] | undefined>;
}

/** The place of a version in the order of versions, for the feed of changes. */
export interface FeedDialect {
  /** The columns of the version `v` that are its place. */
  readonly columns: Sql;
  /** The place of a row with these columns, as a text. */
  readonly textOf: (row: Row) => string;
  /** The place in a text, as a row value. Undefined if the text is not a place. */
  readonly placeIn: (text: string) => Sql | undefined;
  /** The place before all versions. */
  readonly start: Sql;
  /** As `versionOrder`, from the newest on. */
  readonly newestFirst: Sql;
  /** A value that ascends in this order. */
  readonly rank: (order: Sql) => Sql;
  /** Joins tables to the version `v`. */
  readonly join: Sql;
  /** Whether nothing can still be added before the version `v`. */
  readonly isSettled: Sql;
  /** Whether the version `v` was written at or after a time. */
  readonly isSince: (instant: string) => Sql;
}

export interface AuditSelection {
  /** Without the criteria on patients. */
  readonly criteria: readonly ResourceCriterion[];
  /** Only entries from the first one on that was recorded at or after this time. */
  readonly sinceMs?: number | undefined;
  /** The most entries to look at. */
  readonly entriesMax?: number;
}

/** One state of a store. */
export interface SqlReader {
  readonly dialect: SqlDialect;
  run<Result>(steps: SqlSteps<Result>): Result | Promise<Result>;
  rows(query: Sql): Iterable<Row> | AsyncIterable<Row>;
}
