/**
 * Makes sure that a client finds in a page of changes what it has just written, unless an older
 * transaction takes too long.
 *
 * Such a page ends before the oldest transaction that still runs. A version that was committed can
 * come after it, until that transaction has ended.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Row } from '../../repository/statement.ts';

const LOOK_MS = 5;

/** The transaction of the newest version, which may be absent, and the oldest one that runs. */
const NEWEST_AND_OLDEST = `SELECT newest.xid::text AS newest, oldest::text AS oldest
  FROM pg_snapshot_xmin(pg_current_snapshot()) AS oldest
  LEFT JOIN (SELECT xid FROM resource_version
    WHERE epoch = (SELECT max(epoch) FROM database_epoch) ORDER BY epoch DESC, xid DESC LIMIT 1
  ) AS newest ON TRUE`;

const OLDEST = 'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest';

/** Asks the database one question. */
export type AskDatabase = (statement: string) => Promise<readonly Row[]>;

/** What a page of changes would lack: the newest version, because of the oldest transaction. */
export interface Unsettled {
  readonly newest: bigint;
  readonly oldest: bigint;
}

export class SettledChanges {
  readonly #ask: AskDatabase;
  readonly #waitMaxMs: number;
  /** The last transaction that had not ended when a call stopped waiting for it. */
  #skipped: bigint | undefined;
  /** The next look of all calls that wait. */
  #next: Promise<bigint> | undefined;

  /**
   * `ask`: over any connection, so that no call holds one while it waits. `waitMaxMs`: the most time
   * that one call waits.
   */
  constructor(ask: AskDatabase, waitMaxMs: number) {
    this.#ask = ask;
    this.#waitMaxMs = waitMaxMs;
  }

  /** What to wait for, or undefined if a page can have every version that is committed now. */
  async find(ask: AskDatabase): Promise<Unsettled | undefined> {
    const [row] = await ask(NEWEST_AND_OLDEST);
    if (typeof row?.newest !== 'string') return undefined;
    const [newest, oldest] = [BigInt(row.newest), oldestIn(row)];
    return oldest > newest || oldest === this.#skipped ? undefined : { newest, oldest };
  }

  /**
   * Waits until the transactions have ended that began before the newest version was written. Other
   * programs can use the server too, and have a transaction for hours: the wait has an end, and later
   * calls do not wait for the same one again.
   */
  async wait({ newest, oldest }: Unsettled): Promise<void> {
    const endMs = performance.now() + this.#waitMaxMs;
    for (let running = oldest; ; ) {
      const found = await this.#look();
      // A shared look can have begun before this call looked.
      if (found > running) running = found;
      if (running > newest || running === this.#skipped) return;
      if (performance.now() < endMs) continue;
      this.#skipped = running;
      return;
    }
  }

  #look(): Promise<bigint> {
    this.#next ??= pause(LOOK_MS)
      .then(() => this.#ask(OLDEST))
      .then(([row]) => oldestIn(row))
      .finally(() => {
        this.#next = undefined;
      });
    return this.#next;
  }
}

function oldestIn(row: Row | undefined): bigint {
  return BigInt(String(row?.oldest));
}
