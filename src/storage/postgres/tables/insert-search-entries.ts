/** Adds the entries of resources to the search index. */
import type { FieldEntry } from '../../../fhir/search/criterion.ts';
import { rowsOf } from '../../repository/search-rows.ts';
import type { FieldKeys } from '../../sql/search.ts';
import type { Connection } from '../connection/connection.ts';
import { bigints, insertRows, texts } from './insert-rows.ts';
import { storedEntry } from './postgres-dialect.ts';

/** The entries of the current version of a resource. */
export interface IndexedResource {
  readonly type: string;
  readonly key: number;
  readonly entries: readonly FieldEntry[];
}

/** `fields` has the keys of all fields. */
export async function insertSearchEntries(
  connection: Connection,
  fields: FieldKeys,
  resources: readonly IndexedResource[],
): Promise<void> {
  const rows = resources.flatMap(({ type, key, entries }) => {
    const all = entries.flatMap(rowsOf).map(storedEntry);
    // A resource can have the same value twice.
    const byText = new Map(
      all.map((row) => [`${row.name}\0${row.value}\0${row.detail}`, { ...row, type, key }]),
    );
    return [...byText.values()];
  });
  await insertRows(connection, 'search_entry', rows, {
    field: bigints(({ type, name }) => fields.keyOf(type, name)),
    resource: bigints(({ key }) => key),
    value: texts(({ value }) => value),
    detail: texts(({ detail }) => detail),
  });
}
