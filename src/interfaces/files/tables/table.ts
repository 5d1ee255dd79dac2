/** A table of the files for analysis: its columns, its keys, and where its rows come from. */

import type { Edition } from '../../../directory/edition/edition.ts';
import { firstDay, lastDay } from '../../../directory/record/day.ts';
import { statusText } from '../../../directory/record/ids.ts';
import type { PeriodKind, PeriodRecord } from '../../../directory/record/record.ts';
import { firstPeriod } from '../../../directory/record/record-facts.ts';

/** A type of the Frictionless Table Schema: https://datapackage.org/standard/table-schema/ */
export type ColumnType = 'string' | 'integer' | 'number' | 'boolean' | 'date' | 'datetime';

/** A date is `YYYY-MM-DD`, a datetime an instant in UTC. */
export type TableCell = string | number | boolean | undefined;

export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** A sentence for the reference and for the data package. */
  readonly description: string;
  /** Whether every row has a value. */
  readonly isRequired: boolean;
}

export interface Table {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly TableColumn[];
  /** The columns that identify a row. Empty if no columns do. */
  readonly primaryKey: readonly string[];
  /** The column that has the code of a row of `organisation`, if there is one in each row. */
  readonly organisationColumn?: string;
  /** The columns by which people look rows up, besides the first one of the primary key. */
  readonly indexes: readonly string[];
  /** The cells of each row, in the order of the columns. */
  rows(source: TableSource): Iterable<readonly TableCell[]>;
}

/** What a file has: all records of an edition, or those that a search found. */
export interface TableSource {
  readonly edition: Edition;
  /** Ascending. Numbered as in `links`: full records, then reference-only ones. */
  readonly rows: readonly number[] | Uint32Array;
  /** Whether these are all records of the edition. */
  readonly isComplete: boolean;
  readonly programVersion: string;
}

export type TableForm = 'sqlite' | 'parquet';

/** A column, and how its cell is got from what a row is about. `!`: every row has a value. */
export type ColumnOf<Item> = readonly [
  name: string,
  type: ColumnType | `${ColumnType}!`,
  description: string,
  cellOf: (item: Item) => TableCell,
];

interface TableDefinition<Item> extends Omit<Table, 'columns' | 'rows'> {
  readonly columns: readonly ColumnOf<Item>[];
  items(source: TableSource): Iterable<Item>;
}

export function defineTable<Item>({ columns, items, ...table }: TableDefinition<Item>): Table {
  return {
    ...table,
    columns: columns.map(([name, type, description]) => ({
      name,
      type: type.replace('!', '') as ColumnType,
      description,
      isRequired: type.endsWith('!'),
    })),
    rows: function* (source) {
      for (const item of items(source)) yield columns.map(([, , , cellOf]) => cellOf(item));
    },
  };
}

/** The days of the first period of each kind. */
export function periodColumns<Item>(
  periodsOf: (item: Item) => readonly PeriodRecord[],
): readonly ColumnOf<Item>[] {
  const columnsOf = (kind: PeriodKind, name: string): readonly ColumnOf<Item>[] => {
    const periodOf = (item: Item) => firstPeriod(periodsOf(item), kind);
    const what = `of the ${name} period`;
    return [
      [`${name}_start`, 'date', `First day ${what}.`, (item) => firstDay(periodOf(item)?.start)],
      [`${name}_end`, 'date', `Last day ${what}.`, (item) => lastDay(periodOf(item)?.end)],
    ];
  };
  return [...columnsOf('Operational', 'operational'), ...columnsOf('Legal', 'legal')];
}

export function statusColumn<Item extends { readonly isActive: boolean }>(): ColumnOf<Item> {
  return ['status', 'string!', '`Active` or `Inactive`.', (item) => statusText(item.isActive)];
}

export function idColumn<Item extends { readonly uniqueId?: number }>(): ColumnOf<Item> {
  return ['unique_id', 'integer', 'Its number in the source.', ({ uniqueId }) => uniqueId];
}
