/** The questions about editions that every connection to `directory.db` can answer. */

import type { EditionReader } from '../../../directory/edition/edition-store.ts';
import { RELATIONS_ARRAY } from '../../../directory/edition/relations.ts';
import type { NamedArrays } from '../../../directory/record/arrays.ts';
import type { DataFolder } from '../../data-folder.ts';
import { editionPath, hasArray } from '../../editions/edition-folder.ts';
import { requireKept } from '../../editions/edition-rules.ts';
import { loadEdition } from '../../editions/load-edition.ts';
import { pollCurrent } from '../../editions/poll-current.ts';
import { storageError } from '../../storage-error.ts';
import type { EditionCatalogue } from './edition-catalogue.ts';

/** Runs a question, and throws its faults as a `StorageError`. */
export type CatalogueQuery = <Result>(ask: (catalogue: EditionCatalogue) => Result) => Result;

export function createEditionQueries(
  folder: DataFolder,
  query: CatalogueQuery,
): Omit<EditionReader, 'close'> {
  const current = async () => query((catalogue) => catalogue.current());
  return {
    current,
    list: async () => query((catalogue) => catalogue.list()),
    replaced: async () => query((catalogue) => catalogue.replaced()),
    watch: (onNew, onProblem) => pollCurrent(current, { onNew, onProblem }).end,
    load: (number) => load(number, folder, query),
    knowsRelations: async (number) => hasArray(editionPath(folder, number), RELATIONS_ARRAY),
    findings: async () => query((catalogue) => catalogue.findings()),
  };
}

async function load(
  number: number,
  folder: DataFolder,
  query: CatalogueQuery,
): Promise<NamedArrays> {
  const path = editionPath(folder, number);
  const manifestChecksum = query((catalogue) => {
    requireKept(catalogue.find(number), number);
    return catalogue.manifestChecksum(number);
  });
  try {
    return await loadEdition({ path, manifestChecksum });
  } catch (fault) {
    query((catalogue) => requireKept(catalogue.find(number), number)); // An import can have pruned it meanwhile.
    throw storageError(fault, path);
  }
}
