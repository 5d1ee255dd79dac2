/** Answers searches and reads changes over a separate connection, so that no write waits for them. */
import { DatabaseSync } from 'node:sqlite';
import type { ReaderAnswer, ReaderCall } from '../reader-messages.ts';
import { ChangeFeed } from './change-feed.ts';
import { BUSY_TIMEOUT_MS } from './database.ts';
import { SearchReader } from './search-reader.ts';

export class SnapshotReader {
  readonly #database: DatabaseSync;
  readonly #searches: SearchReader;
  readonly #feed: ChangeFeed;

  /** `path`: a database with the newest schema. */
  constructor(path: string) {
    this.#database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    this.#searches = new SearchReader(this.#database);
    this.#feed = new ChangeFeed(this.#database);
  }

  /**
   * All parts of the answer are of one state of the database. It has everything that was committed
   * before the call.
   */
  answer(call: ReaderCall, nowMs: number): ReaderAnswer {
    this.#database.exec('BEGIN');
    try {
      return call.kind === 'search'
        ? this.#searches.search(call.request, nowMs)
        : this.#feed.read(call.request);
    } finally {
      this.#database.exec('COMMIT');
    }
  }

  close(): void {
    this.#database.close();
  }
}
