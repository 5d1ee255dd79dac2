/** The queries about editions that both the store and the reader of a database answer. */

import type { EditionReader } from '../../../directory/edition/edition-store.ts';
import { RELATIONS_ARRAY } from '../../../directory/edition/relations.ts';
import type { NamedArrays } from '../../../directory/record/arrays.ts';
import { hasArray } from '../../editions/edition-folder.ts';
import { loadEdition } from '../../editions/load-edition.ts';
import { StorageError } from '../../storage-error.ts';
import type { Connection } from '../connection/connection.ts';
import type { EditionCache } from './edition-cache.ts';
import { hasChunks } from './edition-chunks.ts';
import type { EditionList } from './edition-list.ts';

export interface EditionSource {
  /** The list of editions. */
  catalogue(): Promise<EditionList>;
  /** Opens a connection for a long answer. */
  connect(): Promise<Connection>;
  /** Creates its folder if it is missing. */
  cache(): EditionCache;
}

export function createDatabaseQueries({
  catalogue,
  connect,
  cache,
}: EditionSource): Omit<EditionReader, 'close' | 'watch'> {
  return {
    current: async () => (await catalogue()).current(),
    list: async () => (await catalogue()).list(),
    replaced: async () => (await catalogue()).replaced(),
    load: async (number) => {
      const row = (await catalogue()).kept(number);
      const loaded = { content: row.content, manifestChecksum: row.manifest_checksum };
      try {
        return await loadCached(cache(), connect, loaded);
      } catch (error) {
        (await catalogue()).kept(number); // An import can have pruned it meanwhile.
        throw error;
      }
    },
    knowsRelations: async (number) => {
      const row = (await catalogue()).row(number);
      if (row === undefined) return false;
      if (cache().has(row.content)) return hasArray(cache().pathOf(row.content), RELATIONS_ARRAY);
      const connection = await connect();
      try {
        return await hasChunks(connection, row.content, `${RELATIONS_ARRAY}.bin`);
      } finally {
        await connection.close();
      }
    },
    findings: async () => (await catalogue()).findings(),
  };
}

/** Copies the edition again if the copy is damaged. */
async function loadCached(
  cache: EditionCache,
  connect: () => Promise<Connection>,
  edition: { readonly content: string; readonly manifestChecksum: number },
): Promise<NamedArrays> {
  const { content, manifestChecksum } = edition;
  const wasCached = cache.has(content);
  const path = await cache.fetch(content, connect);
  try {
    return await loadEdition({ path, manifestChecksum });
  } catch (error) {
    if (!wasCached || !(error instanceof StorageError) || error.kind !== 'damaged') throw error;
    cache.remove(content);
    await cache.fetch(content, connect);
    return await loadEdition({ path, manifestChecksum });
  }
}
