/**
 * Reads the editions of a database for a server. While the database is unavailable, it answers
 * from the list and the copies that this machine has.
 */
import type { EditionReader } from '../../../directory/edition/edition-store.ts';
import type { EditionList } from '../../editions/edition-list.ts';
import { createEditionQueries, pollCurrent } from '../../editions/edition-queries.ts';
import type { Poll } from '../../files/poll.ts';
import { StorageError } from '../../files/storage-error.ts';
import {
  EDITION_CHANNEL,
  SharedConnection,
  WATCH_AGAIN_MS,
  WATCH_MS,
} from '../schema/shared-connection.ts';
import type { DatabaseEditionsOptions } from './database-editions.ts';
import { EditionCache } from './edition-cache.ts';
import { type DatabaseEdition, listOf, readDetail, readList, readVersion } from './edition-rows.ts';

export type DatabaseReaderOptions = Pick<DatabaseEditionsOptions, 'address' | 'openFolder'> & {
  /** Why the database cannot be read now; undefined when it can be read again. */
  readonly onProblem: (problem: StorageError | undefined) => void;
};

/** Rejects if the database refuses this server, but not if the database is unavailable. */
export async function openDatabaseReader(options: DatabaseReaderOptions): Promise<EditionReader> {
  const { address, openFolder, onProblem } = options;
  const cache = new EditionCache(openFolder(), address);
  const polls = new Set<Poll>();
  const look = () => {
    for (const poll of polls) poll.look();
  };
  const shared = new SharedConnection(address, {
    name: 'gazetteer serve',
    channels: [EDITION_CHANNEL],
    onNotification: look,
    onEnd: () => {
      followed.lose();
      look();
    },
  });
  const followed = followList(shared, cache, onProblem);
  await followed.start();
  return {
    ...createEditionQueries({
      list: () => followed.get(),
      detail: (number, kind) => shared.read((connection) => readDetail(connection, number, kind)),
      findings: async () => (await followed.get()).findings(),
      load: (row) => cache.load(row),
      hasArray: (row, name) => cache.hasArray(row, name),
    }),
    watch: (onNew, onError) => {
      const poll = pollCurrent(async () => (await followed.refreshed()).current(), {
        onNew,
        onProblem: onError,
        pauseMs: () => (followed.hasProblem() ? WATCH_AGAIN_MS : WATCH_MS),
      });
      polls.add(poll);
      return () => {
        polls.delete(poll);
        poll.end();
      };
    },
    close: () => shared.close(),
  };
}

/** The list of editions as it was last seen, in the database or by an earlier program. */
function followList(
  shared: SharedConnection,
  cache: EditionCache,
  onProblem: DatabaseReaderOptions['onProblem'],
) {
  let known = listOf(cache.readList() ?? { editions: [], publications: [] });
  // Whether the list was read over the connection that is open.
  let isOfConnection = false;
  let problem: StorageError | undefined;
  const setProblem = (next: StorageError | undefined) => {
    if (next?.message === problem?.message) return;
    problem = next;
    onProblem(next);
  };
  const read = () =>
    shared.read(async (connection) => {
      const last = known.rows.publications.at(-1)?.id ?? 0;
      if (isOfConnection && last === (await readVersion(connection))) return;
      known = await readList(connection);
      isOfConnection = true;
      cache.writeList(known.rows);
      cache.prune(known.keptRows);
    });
  /** Asks the database, even while it is unavailable. */
  const refreshed = async (): Promise<EditionList<DatabaseEdition>> => {
    try {
      await read();
      setProblem(undefined);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      setProblem(error);
    }
    return known;
  };
  return {
    hasProblem: () => problem !== undefined,
    start: async () => {
      try {
        await read();
      } catch (error) {
        if (!(error instanceof StorageError) || error.kind !== 'unreachable') throw error;
        setProblem(error);
      }
    },
    /** The connection ended. Another database may answer the next one. */
    lose: () => {
      isOfConnection = false;
    },
    /** While the database is unavailable, only the watch finds out when it is available again. */
    get: async () => (problem === undefined ? await refreshed() : known),
    refreshed,
  };
}
