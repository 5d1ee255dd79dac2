/** The rows of the search index, in every kind of store. */
import type { Resource } from '../../fhir/format/resource.ts';
import type { FieldEntry } from '../../fhir/search/criterion.ts';
import { entriesOf, lastUpdatedEntries } from '../../fhir/search/resource-parameter.ts';
import { IDENTIFIER_SEARCH, type ResourceSearch } from '../../fhir/search/resource-search.ts';
import { STORED_SEARCHES, storedSearchOf } from '../../orders/order-response/search-parameters.ts';

/** A row of the index, without its resource. */
export interface EntryRow<Value = string | number> {
  readonly name: string;
  readonly value: Value;
  readonly detail: Value;
}

/** The rows of an entry. A period has one for its start and one for its end. */
export function rowsOf(entry: FieldEntry): EntryRow[] {
  const { field: name } = entry;
  if ('start' in entry) {
    const { start, end } = entry;
    return [
      { name, value: start, detail: end },
      { name: endFieldOf(name), value: end, detail: start },
    ];
  }
  if ('prefix' in entry) return [{ name, value: entry.id, detail: entry.prefix }];
  if ('code' in entry) return [{ name, value: entry.code, detail: entry.system ?? '' }];
  return [{ name, value: entry.folded, detail: entry.exact ?? '' }];
}

/** The field of the ends of periods; the field of the parameter has their starts. */
export function endFieldOf(field: string): string {
  return `${field}:end`;
}

/** The entries of the current version of a resource; none if it has no content. */
export function entriesOfText(type: string, text: string, writtenAt: string): FieldEntry[] {
  if (text === '') return [];
  const { parameters } = storedSearchOf(type);
  return [...entriesOf(resourceInText(type, text), parameters), ...lastUpdatedEntries(writtenAt)];
}

/** Those of some fields alone, without the entries that only the repository knows. */
export function entriesOfFields(
  type: string,
  text: string,
  fields: readonly string[],
): readonly FieldEntry[] {
  const parameters = storedSearchOf(type).parameters.filter(({ name }) =>
    // A parameter with modifiers has fields such as `code:text`.
    fields.some((field) => field === name || field.startsWith(`${name}:`)),
  );
  if (text === '' || parameters.length === 0) return [];
  return entriesOf(resourceInText(type, text), parameters);
}

/** A text that is not JSON was changed, which is a finding of `verify`. */
export function resourceInText(type: string, text: string): Resource {
  try {
    return JSON.parse(text);
  } catch {
    return { resourceType: type };
  }
}

/** Increase it if the code makes other entries of the same parameters. */
const ENTRIES_VERSION = 1;

/** All that decides the entries of searches by type. */
export function indexFormOf(searches: ReadonlyMap<string, ResourceSearch>): string {
  return JSON.stringify([
    ENTRIES_VERSION,
    ...[...searches].map(([type, { parameters }]) => [
      type,
      ...parameters.map(({ name, type, entriesForm }) => [name, type, ...entriesForm]),
    ]),
  ]);
}

/** The parameters that the index has entries of. If it differs, the index is rebuilt. */
export const INDEX_FORM = indexFormOf(new Map([...STORED_SEARCHES, ['', IDENTIFIER_SEARCH]]));
