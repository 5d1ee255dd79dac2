/** The stores whose editions are followed, each with a clock of its own and a way to damage a file. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NamedArrays, NumberArray } from '../../src/directory/arrays/arrays.ts';
import { openEdition } from '../../src/directory/edition/edition.ts';
import {
  type EditionDraft,
  EditionGoneError,
  type EditionHistory,
  type EditionStore,
} from '../../src/directory/edition/edition-store.ts';
import { sourceRecordAt } from '../../src/directory/edition/source-record.ts';
import { editionPath } from '../../src/storage/editions/edition-folder.ts';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import { StorageError } from '../../src/storage/files/storage-error.ts';
import { parseDatabaseUrl } from '../../src/storage/postgres/connection/database-url.ts';
import {
  openDatabaseEditions,
  openDatabaseHistory,
} from '../../src/storage/postgres/editions/database-editions.ts';
import {
  openEditionHistory,
  openEditionStore,
} from '../../src/storage/sqlite/editions/edition-store.ts';
import type { PostgresServer } from '../storage/postgres/server.ts';

export interface FollowedPlace {
  readonly store: EditionStore;
  readonly history: EditionHistory;
  /** Flips a bit in one of the files of an edition. `choice` decides which. */
  damage(edition: number, choice: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens an empty place in a folder. `now` gives the times of imports and publications. */
export type OpenPlace = (folder: string, now: () => Date) => Promise<FollowedPlace>;

export const openFolderPlace: OpenPlace = async (path, now) => {
  const folder = openDataFolder(path);
  const store = openEditionStore(folder, now);
  // Creates the database, which the history only reads.
  await store.list();
  const history = openEditionHistory(folder);
  return {
    store,
    history,
    damage: async (edition, choice) => {
      const data = editionPath(folder, edition);
      const files = readdirSync(data).filter((name) => statSync(join(data, name)).size > 0);
      const file = join(data, files[choice % files.length]!);
      const bytes = readFileSync(file);
      bytes[choice % bytes.length]! ^= 1;
      writeFileSync(file, bytes);
    },
    close: async () => {
      history[Symbol.dispose]();
      await store.close();
    },
  };
};

/**
 * A place whose store writes the list of editions, and keeps their arrays in memory. It takes a tenth
 * of the time, so many more sequences can run.
 */
export function withArraysInMemory(open: OpenPlace): OpenPlace {
  return async (path, now) => {
    const place = await open(path, now);
    const known = new Map<number, NamedArrays>();
    const begin = async (): Promise<EditionDraft> => {
      const draft = await place.store.begin();
      const arrays: Record<string, NumberArray> = {};
      return {
        write: async (name, array) => {
          arrays[name] = array.slice();
        },
        publish: async (description, options) => {
          const edition = await draft.publish(description, options);
          known.set(edition.number, arrays);
          return edition;
        },
        discard: () => draft.discard(),
      };
    };
    const load = async (number: number): Promise<NamedArrays> => {
      const info = (await place.store.list()).find((each) => each.number === number);
      if (info?.isOnDisk !== true) {
        throw new EditionGoneError(number, info === undefined ? 'unknown' : 'pruned');
      }
      const arrays = known.get(number);
      if (arrays === undefined) throw new StorageError('damaged', `edition ${number} is damaged`);
      return arrays;
    };
    return {
      store: { ...place.store, begin, load },
      history: {
        ...place.history,
        record: async (number, code) => {
          const arrays = await load(number).catch(() => undefined);
          if (arrays === undefined) return undefined;
          const edition = openEdition({ number, publishedAt: '' }, arrays);
          const row = edition.links.rowOf(code);
          return row === undefined || row >= edition.rows.count
            ? 'none'
            : sourceRecordAt(edition, row);
        },
      },
      damage: async (number) => void known.delete(number),
      close: () => place.close(),
    };
  };
}

/** Each place is a database of its own, copied from one that has the schema. */
export function openDatabasePlaces(server: PostgresServer, template: string): OpenPlace {
  return async (path, now) => {
    const database = await server.createDatabase(template);
    const folder = openDataFolder(path);
    const address = parseDatabaseUrl(server.url(database));
    const options = { address, openFolder: () => folder, now };
    const store = openDatabaseEditions(options);
    const history = openDatabaseHistory(options);
    return {
      store,
      history,
      damage: async (edition, choice) => {
        await server.run(
          `UPDATE edition_chunk SET bytes = set_byte(bytes, 0, 255 - get_byte(bytes, 0))
           WHERE (content, file, part) = (
             SELECT c.content, c.file, c.part FROM edition_chunk AS c JOIN edition USING (content)
             WHERE number = ${edition} AND length(bytes) > 0 ORDER BY c.file OFFSET ${choice % 20} LIMIT 1)`,
          database,
        );
        // The copies of this machine are sound.
        rmSync(folder.cache, { recursive: true, force: true });
      },
      close: async () => {
        history[Symbol.dispose]();
        await store.close();
        await server.run(`DROP DATABASE ${database} WITH (FORCE)`);
      },
    };
  };
}
