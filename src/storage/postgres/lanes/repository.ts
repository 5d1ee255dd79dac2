/** The repository in PostgreSQL: several lanes, each of which commits many calls at once. */

import { StorageError } from '../../files/storage-error.ts';
import type { ChainHead } from '../../repository/audit-chain.ts';
import {
  type Batch,
  type BatchFailure,
  type BatchOutcome,
  BatchRunner,
  type BatchSteps,
  batchFailure,
} from '../../repository/batch-runner.ts';
import type {
  RepositoryOperation,
  RepositoryResult,
} from '../../repository/repository-operation.ts';
import { newestPosition } from '../../sql/change-feed.ts';
import type { OrdersDatabase } from '../orders/orders-database.ts';
import { noteHeads } from '../tables/audit-writers.ts';
import { POSTGRES } from '../tables/postgres-dialect.ts';
import { runSteps } from '../tables/session.ts';
import { Lane, UnknownOutcome } from './lane.ts';
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
  readonly #batches: BatchRunner;
  readonly #options: Required<Pick<DatabaseRepositoryOptions, 'now' | 'onHealth'>>;
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
    this.#options = { now, onHealth };
    this.#batches = new BatchRunner({ now, onFault });
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
  runBatch(
    operations: readonly RepositoryOperation[],
    lane = 0,
  ): Promise<readonly RepositoryResult[]> {
    return this.#run(this.#batches.run(operations), this.#laneAt(lane));
  }

  /** Records the counted refusals if it is time or `isLast`. If that fails, they stay counted. */
  recordRefusals(options: { readonly isLast?: boolean } = {}): Promise<void> {
    return this.#run(this.#batches.recordRefusals(options), this.#laneAt(0));
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

  async #run<Result>(steps: BatchSteps<Result>, lane: Lane): Promise<Result> {
    let next = steps.next([]);
    while (!next.done) next = steps.next(await this.#outcomeOf(next.value, lane));
    return next.value;
  }

  async #outcomeOf(batch: Batch, lane: Lane): Promise<BatchOutcome> {
    try {
      const results = await lane.run(batch);
      this.#setProblem(undefined);
      return results;
    } catch (fault) {
      const failure = failureOf(fault);
      if (failure.unavailable !== undefined) this.#setProblem(failure.error.message);
      return failure;
    }
  }

  #setProblem(problem: string | undefined): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#options.onHealth(problem);
  }
}

/** The most searches that are kept. */
const SEARCHES_MAX = 1000;

function failureOf(fault: unknown): BatchFailure {
  if (fault instanceof UnknownOutcome) return { error: fault, unavailable: fault.message };
  return batchFailure(fault);
}
