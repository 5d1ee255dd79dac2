/**
 * Reads the editions of a database for a server. While the database is unavailable, it answers
 * from the list and the copies that this machine has.
 */
import type { EditionReader } from '../../../directory/edition/edition-store.ts';
import { pollCurrent } from '../../editions/poll-current.ts';
import type { Poll } from '../../poll.ts';
import { StorageError } from '../../storage-error.ts';
import { EDITION_CHANNEL, SharedConnection } from '../connection/shared-connection.ts';
import {
  connectForDownload,
  type DatabaseEditionsOptions,
  openCache,
} from './database-editions.ts';
import { createDatabaseQueries } from './database-queries.ts';
import type { EditionCache } from './edition-cache.ts';
import { EditionList } from './edition-list.ts';
import { readCatalogueRows, readVersion } from './edition-rows.ts';

export type DatabaseReaderOptions = Pick<DatabaseEditionsOptions, 'address' | 'openFolder'> & {
  /** Why the database cannot be read now; undefined when it can be read again. */
  readonly onProblem: (problem: StorageError | undefined) => void;
};

/** The database reports each new edition. Polling finds those whose message was lost. */
const LOOK_MS = 30_000;

/** The interval while the database is unavailable. */
const LOOK_AGAIN_MS = 2_000;

/** Rejects if the database refuses this server, but not if the database is unavailable. */
export async function openDatabaseReader(options: DatabaseReaderOptions): Promise<EditionReader> {
  const { address, openFolder, onProblem } = options;
  const cache = openCache(openFolder(), address);
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
  const followed = new FollowedList(shared, cache, onProblem);
  await followed.start();
  return {
    ...createDatabaseQueries({
      catalogue: () => followed.get(),
      connect: () => connectForDownload(address),
      cache: () => cache,
    }),
    watch: (onNew, onError) => {
      const poll = pollCurrent(async () => (await followed.refreshed()).current(), {
        onNew,
        onProblem: onError,
        pauseMs: () => (followed.hasProblem ? LOOK_AGAIN_MS : LOOK_MS),
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
class FollowedList {
  readonly #shared: SharedConnection;
  readonly #cache: EditionCache;
  readonly #onProblem: DatabaseReaderOptions['onProblem'];
  #known: EditionList;
  /** Whether the list was read over the connection that is open. */
  #isOfConnection = false;
  #problem: StorageError | undefined;

  constructor(
    shared: SharedConnection,
    cache: EditionCache,
    onProblem: DatabaseReaderOptions['onProblem'],
  ) {
    this.#shared = shared;
    this.#cache = cache;
    this.#onProblem = onProblem;
    this.#known = new EditionList(cache.readList() ?? { editions: [], publications: [] });
  }

  get hasProblem(): boolean {
    return this.#problem !== undefined;
  }

  async start(): Promise<void> {
    try {
      await this.#read();
    } catch (error) {
      if (!(error instanceof StorageError) || error.kind !== 'unreachable') throw error;
      this.#setProblem(error);
    }
  }

  /** The connection ended. Another database may answer the next one. */
  lose(): void {
    this.#isOfConnection = false;
  }

  /** While the database is unavailable, only the watch finds out when it is available again. */
  async get(): Promise<EditionList> {
    return this.hasProblem ? this.#known : await this.refreshed();
  }

  /** Asks the database, even while it is unavailable. */
  async refreshed(): Promise<EditionList> {
    try {
      await this.#read();
      this.#setProblem(undefined);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      this.#setProblem(error);
    }
    return this.#known;
  }

  #read(): Promise<void> {
    return this.#shared.read(async (connection) => {
      if (this.#isOfConnection && this.#known.version === (await readVersion(connection))) return;
      this.#known = new EditionList(await readCatalogueRows(connection));
      this.#isOfConnection = true;
      this.#cache.writeList(this.#known.rows);
      this.#cache.prune(this.#known.keptContents);
    });
  }

  #setProblem(problem: StorageError | undefined): void {
    if (problem?.message === this.#problem?.message) return;
    this.#problem = problem;
    this.#onProblem(problem);
  }
}
