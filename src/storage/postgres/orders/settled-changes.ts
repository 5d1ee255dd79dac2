/**
 * So that a client finds in a page of changes what it has just written.
 *
 * Such a page ends before the oldest transaction that still runs. A version that was committed can
 * come after it, until that transaction has ended.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '../connection/connection.ts';

export interface SettledChangesOptions {
  /** The most time that one call waits. */
  readonly waitMaxMs?: number;
}

/** The transactions of Gazetteer are short, even on a slow disk. */
const WAIT_MAX_MS = 2_000;
const LOOK_MS = 5;

const NEWEST_VERSION = `SELECT xid::text FROM resource_version
  WHERE epoch = (SELECT max(epoch) FROM database_epoch) ORDER BY epoch DESC, xid DESC LIMIT 1`;

const OLDEST_TRANSACTION = `SELECT oldest::text, $1::text::xid8 < oldest AS is_settled
  FROM pg_snapshot_xmin(pg_current_snapshot()) AS oldest`;

export class SettledChanges {
  readonly #waitMaxMs: number;
  /** The last transaction that had not ended when a call stopped waiting for it. */
  #endless: unknown;

  constructor({ waitMaxMs = WAIT_MAX_MS }: SettledChangesOptions = {}) {
    this.#waitMaxMs = waitMaxMs;
  }

  /**
   * Waits until a page of changes can have every version that is committed now. That takes as long
   * as a transaction that began before. Other programs can use the server too, and have a transaction
   * for hours: the wait has an end, and later calls do not wait for the same one again.
   */
  async wait(connection: Pick<Connection, 'queryPrepared'>): Promise<void> {
    const [newest] = await connection.queryPrepared(NEWEST_VERSION);
    if (newest === undefined) return;
    const endMs = performance.now() + this.#waitMaxMs;
    for (;;) {
      const [row] = await connection.queryPrepared(OLDEST_TRANSACTION, [String(newest.xid)]);
      if (row?.is_settled === true || row?.oldest === this.#endless) return;
      if (performance.now() >= endMs) {
        this.#endless = row?.oldest;
        return;
      }
      await pause(LOOK_MS);
    }
  }
}
