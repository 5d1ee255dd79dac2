/**
 * Reads the editions of a database for a server. While the database is unavailable, it answers
 * from the list and the copies that this machine has.
 */
import type { EditionReader } from '../../../directory/edition/edition-store.ts';
import type { EditionList } from '../../editions/edition-list.ts';
import { createEditionQueries, pollCurrent } from '../../editions/edition-queries.ts';
import type { Poll } from '../../poll.ts';
import { StorageError } from '../../storage-error.ts';
import { EDITION_CHANNEL, SharedConnection } from '../connection/shared-connection.ts';
import type { DatabaseEditionsOptions } from './database-editions.ts';
import { EditionCache } from './edition-cache.ts';
import { type DatabaseEdition, listOf, readDetail, readList, readVersion } from './edition-rows.ts';

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
  const followed = new FollowedList(shared, cache, onProblem);
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
  #known: EditionList<DatabaseEdition>;
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
    this.#known = listOf(cache.readList() ?? { editions: [], publications: [] });
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
  async get(): Promise<EditionList<DatabaseEdition>> {
    return this.hasProblem ? this.#known : await this.refreshed();
  }

  /** Asks the database, even while it is unavailable. */
  async refreshed(): Promise<EditionList<DatabaseEdition>> {
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
      const last = this.#known.rows.publications.at(-1)?.id ?? 0;
      if (this.#isOfConnection && last === (await readVersion(connection))) return;
      this.#known = await readList(connection);
      this.#isOfConnection = true;
      this.#cache.writeList(this.#known.rows);
      this.#cache.prune(this.#known.keptRows);
    });
  }

  #setProblem(problem: StorageError | undefined): void {
    if (problem?.message === this.#problem?.message) return;
    this.#problem = problem;
    this.#onProblem(problem);
  }
}
