/** The repository in PostgreSQL: several lanes, each of which commits many calls at once. */

import { StorageError } from '../../files/storage-error.ts';
import { UNAVAILABLE } from '../../files/unavailable.ts';
import type { ChainHead } from '../../repository/audit-chain.ts';
import {
  createRefusalCounter,
  type RefusalCount,
  refusalCountRecord,
  withoutCounted,
} from '../../repository/refusal-counter.ts';
import type {
  RepositoryOperation,
  RepositoryResult,
} from '../../repository/repository-operation.ts';
import { instantText } from '../../repository/stored-version.ts';
import { newestPosition } from '../../sql/change-feed.ts';
import type { OrdersDatabase } from '../orders/orders-database.ts';
import { noteHeads } from '../tables/audit-writers.ts';
import { POSTGRES } from '../tables/postgres-dialect.ts';
import { runSteps } from '../tables/session.ts';
import { type AddEntries, Lane, UnknownOutcome } from './lane.ts';
import { countLosses } from './lost-writes.ts';

export interface DatabaseRepositoryOptions {
  /** The number of lanes. */
  readonly poolSize: number;
  readonly failoverSeconds: number;
  /** The base URL of the links of the server, if it is set. */
  readonly baseUrl?: string | undefined;
  readonly now?: () => Date;
  /** Called with the reason of each failure, for the log. */
  readonly onFault?: (fault: Error) => void;
  /** Called with the reason when calls begin to fail, and with undefined when they succeed again. */
  readonly onHealth?: (problem: string | undefined) => void;
}

export class PostgresRepository {
  readonly #lanes: readonly Lane[];
  readonly #auditKey: Uint8Array;
  readonly #refusals = createRefusalCounter();
  readonly #options: Required<Pick<DatabaseRepositoryOptions, 'now' | 'onFault' | 'onHealth'>>;
  #problem: string | undefined;
  #isLooking = false;

  /** The database is ready for use; see `openOrdersDatabase`. */
  constructor(database: OrdersDatabase, options: DatabaseRepositoryOptions) {
    const { poolSize, failoverSeconds, baseUrl, now = () => new Date() } = options;
    const { onFault = () => {}, onHealth = () => {} } = options;
    const onLost = ({ message }: Error) => this.#setProblem(message);
    const lane = { ...database, failoverMs: failoverSeconds * 1000, baseUrl, now, onLost };
    this.#lanes = Array.from({ length: poolSize }, () => new Lane(lane));
    this.#auditKey = database.auditKey;
    this.#options = { now, onFault, onHealth };
  }

  /** Connects each lane, so that later calls need not wait for it. */
  async connect(): Promise<void> {
    for (const lane of this.#lanes) await lane.use(async () => {});
  }

  /** The number of transactions so far, failed ones included. */
  get commits(): number {
    return this.#lanes.reduce((sum, { commits }) => sum + commits, 0);
  }

  /**
   * Resolves with a result for each operation, in their order. Each operation sees the changes of
   * those before it. Everything is then committed except the operations that failed.
   */
  async runBatch(
    operations: readonly RepositoryOperation[],
    lane = 0,
  ): Promise<readonly RepositoryResult[]> {
    const nowMs = this.#options.now().getTime();
    const { rest, resultsOf } = withoutCounted(operations, this.#refusals, nowMs);
    return resultsOf(rest.length === 0 ? [] : await this.#runOrFail(rest, this.#laneAt(lane)));
  }

  /** Records the counted refusals if it is time or `isLast`. If that fails, they stay counted. */
  async recordRefusals({ isLast = false } = {}): Promise<void> {
    const { counts } = this.#refusals;
    if (counts.length === 0) return;
    if (!isLast && !this.#refusals.isDue(this.#options.now().getTime())) return;
    this.#refusals.clear();
    try {
      await this.#laneAt(0).run([], entriesOf(counts));
    } catch (fault) {
      this.#failureOf(fault);
      this.#refusals.restore(counts);
    }
  }

  /** Finds out whether the database can be used, over each lane that was idle for a while. */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await Promise.all(this.#lanes.map((lane) => lane.use((connection) => connection.probe())));
      this.#setProblem(undefined);
    } catch (fault) {
      if (fault instanceof StorageError) this.#setProblem(fault.message);
    } finally {
      this.#isLooking = false;
    }
  }

  /** Notes the ends of the chains of all lanes. Returns the end of the list of writers. */
  async noteHead(): Promise<ChainHead> {
    return this.#laneAt(0).use((connection) => {
      // After a failover, a lane without a connection may have a head that was lost.
      const connected = this.#lanes.filter(({ isConnected }) => isConnected);
      const chains = connected.flatMap(({ chain }) => chain ?? []);
      const heads = new Map(chains.map(({ writer, head }) => [writer, head]));
      return noteHeads(connection, this.#auditKey, heads, this.#options.now().getTime());
    });
  }

  /** The number of losses of stored writes that no operator has confirmed. */
  countLosses(): Promise<number> {
    return this.#laneAt(0).use(countLosses);
  }

  /** The position of the last version that a page of changes can have. */
  newestPosition(): Promise<string> {
    return this.#laneAt(0).use((connection) => runSteps(connection, newestPosition(POSTGRES)));
  }

  /** Removes kept searches that have expired. */
  async removeExpiredSearches(): Promise<void> {
    const sql = `DELETE FROM kept_search WHERE expires_at <= $1
      OR id IN (SELECT id FROM kept_search ORDER BY expires_at DESC OFFSET ${SEARCHES_MAX})`;
    await this.#laneAt(0).use((connection) =>
      connection.query(sql, [this.#options.now().getTime()]),
    );
  }

  async close(): Promise<void> {
    await this.recordRefusals({ isLast: true });
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  #laneAt(at: number): Lane {
    const lane = this.#lanes[at];
    if (lane === undefined) throw new Error(`there is no lane ${at}`);
    return lane;
  }

  async #runOrFail(
    operations: readonly RepositoryOperation[],
    lane: Lane,
  ): Promise<readonly RepositoryResult[]> {
    try {
      const results = await lane.run(operations);
      this.#setProblem(undefined);
      return results;
    } catch (fault) {
      const isOfStore = fault instanceof StorageError || fault instanceof UnknownOutcome;
      if (operations.length > 1 && !isOfStore) {
        // One of them is at fault: the others succeed on their own.
        const results: RepositoryResult[] = [];
        for (const operation of operations) {
          results.push(...(await this.#runOrFail([operation], lane)));
        }
        return results;
      }
      const failure = this.#failureOf(fault);
      return operations.map(() => failure);
    }
  }

  #failureOf(fault: unknown): RepositoryResult {
    const error = fault instanceof Error ? fault : new Error(String(fault));
    this.#options.onFault(error);
    if (error instanceof UnknownOutcome) {
      this.#setProblem(error.message);
      return { kind: 'unavailable', message: error.message };
    }
    if (!(error instanceof StorageError)) return { kind: 'fault', message: error.message };
    this.#setProblem(error.message);
    return { kind: 'unavailable', message: UNAVAILABLE[error.kind] };
  }

  #setProblem(problem: string | undefined): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#options.onHealth(problem);
  }
}

/** The most searches that are kept. */
const SEARCHES_MAX = 1000;

function entriesOf(counts: readonly RefusalCount[]): AddEntries {
  return (tables, nowMs) => {
    for (const count of counts) tables.append(instantText(nowMs), refusalCountRecord(count));
  };
}
