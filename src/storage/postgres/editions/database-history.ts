/** The history of the editions in a database, for the pages of a server thread. */
import type { EditionHistory } from '../../../directory/edition/edition-history.ts';
import { createEditionHistory } from '../../editions/create-edition-history.ts';
import { ConnectionLost } from '../connection/database-error.ts';
import { SharedConnection } from '../connection/shared-connection.ts';
import {
  connectForDownload,
  type DatabaseEditionsOptions,
  openCache,
} from './database-editions.ts';
import { readCodeList, readDifferenceCounts } from './edition-difference.ts';
import { EditionList } from './edition-list.ts';
import { readCatalogueRows } from './edition-rows.ts';

/** Each server thread has one, so that its connection is closed when no user looks at the pages. */
const IDLE_MS = 60_000;

export function openDatabaseHistory({
  address,
  openFolder,
}: Pick<DatabaseEditionsOptions, 'address' | 'openFolder'>): EditionHistory {
  const cache = openCache(openFolder(), address);
  const shared = new SharedConnection(address, { name: 'gazetteer pages', idleMs: IDLE_MS });
  const catalogue = async (): Promise<EditionList> => {
    try {
      return await shared.read(
        async (connection) => new EditionList(await readCatalogueRows(connection)),
      );
    } catch (error) {
      const kept = error instanceof ConnectionLost ? cache.readList() : undefined;
      if (kept === undefined) throw error;
      return new EditionList(kept);
    }
  };
  return createEditionHistory({
    list: async () => (await catalogue()).list(),
    differenceCounts: async (number) => {
      const list = await catalogue();
      return await shared.read((connection) => readDifferenceCounts(connection, list, number));
    },
    codeList: (number, kind) => shared.read((connection) => readCodeList(connection, number, kind)),
    pathOf: async (number) =>
      cache.fetch((await catalogue()).kept(number).content, () => connectForDownload(address)),
    close: () => void shared.close(),
  });
}
