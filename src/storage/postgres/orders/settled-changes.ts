/**
 * Makes sure that a client finds in a page of changes what it has just written, unless an older
 * transaction takes too long.
 *
 * Such a page ends before the oldest transaction that still runs. A version that was committed can
 * come after it, until that transaction has ended.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Row } from '../../repository/statement.ts';

/** Transactions that write order responses are short, even on a slow disk. */
export const SETTLED_WAIT_MAX_MS = 2_000;

const LOOK_MS = 5;

/** The transaction of the newest version, and the oldest one that runs; the first may be absent. */
const LOOK = `SELECT newest.xid::text AS newest, oldest::text AS oldest
  FROM pg_snapshot_xmin(pg_current_snapshot()) AS oldest
  LEFT JOIN LATERAL (SELECT xid FROM resource_version
    WHERE epoch = (SELECT max(epoch) FROM database_epoch) ORDER BY epoch DESC, xid DESC LIMIT 1
  ) AS newest ON TRUE`;

/** Asks the database one question, so that a call that waits holds no connection. */
export type AskDatabase = (statement: string) => Promise<readonly Row[]>;

export class SettledChanges {
  readonly #ask: AskDatabase;
  readonly #waitMaxMs: number;
  /** The last transaction that had not ended when a call had waited for the longest time. */
  #skipped: bigint | undefined;
  /** The next look of all calls that wait. */
  #next: Promise<bigint> | undefined;

  /** `waitMaxMs`: the most time that one call waits. */
  constructor(ask: AskDatabase, waitMaxMs = SETTLED_WAIT_MAX_MS) {
    this.#ask = ask;
    this.#waitMaxMs = waitMaxMs;
  }

  /**
   * Waits until a page of changes can have every version that is committed now: until the transactions
   * have ended that began before the newest version was written. Other programs can use the server
   * too, and have a transaction for hours: the wait has an end, and later calls do not wait for the
   * same one again. With `shorterMs`, this call waits for less time, and says nothing about later ones.
   */
  async wait(shorterMs = Number.POSITIVE_INFINITY): Promise<void> {
    const endMs = performance.now() + Math.min(this.#waitMaxMs, shorterMs);
    const [row] = await this.#ask(LOOK);
    if (typeof row?.newest !== 'string') return;
    const newest = BigInt(row.newest);
    for (let oldest = oldestIn(row); oldest <= newest; oldest = await this.#lookAgain()) {
      if (oldest === this.#skipped) return;
      if (performance.now() < endMs) continue;
      if (shorterMs >= this.#waitMaxMs) this.#skipped = oldest;
      return;
    }
  }

  /** Shared by all calls that wait: the oldest transaction is never older than at an earlier look. */
  #lookAgain(): Promise<bigint> {
    this.#next ??= pause(LOOK_MS)
      .then(() => this.#ask(LOOK))
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
