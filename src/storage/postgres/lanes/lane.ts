/**
 * A lane: one connection that writes, and one writer of the audit log. It runs one batch of calls at
 * a time, and finds out whether it was committed if the connection is lost.
 *
 * The numbers of audit entries are unique, so a batch can be committed only once, however often it
 * is sent: each attempt has the number after the last one that is known to be stored.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Slots } from '../../../threads/slots.ts';
import { MOVED, OUTCOME_UNKNOWN } from '../../files/unavailable.ts';
import { CHAIN_START, type ChainHead } from '../../repository/audit-chain.ts';
import type { Batch } from '../../repository/batch-runner.ts';
import { OperationRunner } from '../../repository/operation-runner.ts';
import { appendRefusals } from '../../repository/refusal-counter.ts';
import type {
  RepositoryAnswer,
  RepositoryOperation,
  RepositoryResult,
} from '../../repository/repository-operation.ts';
import { FieldKeys } from '../../sql/search.ts';
import { type Connection, connect } from '../connection/connection.ts';
import type { DatabaseAddress } from '../connection/database-address.ts';
import { ConnectionLost, isTransient, sqlStateOf } from '../connection/database-error.ts';
import { currentEpoch } from '../orders/orders-database.ts';
import { addWriter, binaryOf } from '../tables/audit-writers.ts';
import { runSteps } from '../tables/session.ts';
import { needsOf } from './batch-needs.ts';
import { BatchTables, type WriterChain } from './batch-tables.ts';
import { loadBatch } from './load-batch.ts';
import { hasLostEntries } from './lost-writes.ts';
import { writeBatch } from './write-batch.ts';

export interface LaneOptions {
  readonly address: DatabaseAddress;
  readonly auditKey: Uint8Array;
  /** How long a batch waits for a lost database. */
  readonly failoverMs: number;
  readonly baseUrl?: string | undefined;
  readonly now: () => Date;
  /** Called while a batch waits for a lost database to find out whether it was committed. */
  readonly onLost?: (fault: Error) => void;
}

/** The outcome of a batch cannot be found out. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';

  constructor() {
    super(OUTCOME_UNKNOWN);
  }
}

/** Results that were sent to the database, and are possibly committed. */
interface Attempt {
  readonly results: readonly RepositoryResult[];
  readonly head: ChainHead;
}

/** How long the server may work on a statement, or wait for a replica. */
const STATEMENT_TIMEOUT_MS = 5_000;
const RECONNECT_PAUSE_MS = 100;
/** A client gets an answer within this time plus that of one attempt to connect. */
const RECONNECT_MAX_MS = 2_000;
/** How long a batch is repeated while other transactions prevent it. */
const REPEAT_MAX_MS = 4_000;
const REPEAT_PAUSE_MS = 10;
const REPEAT_PAUSE_MAX_MS = 500;

export class Lane {
  readonly #options: LaneOptions;
  readonly #fields = new FieldKeys();
  #connection: Connection | undefined;
  /** Undefined until the first connection. */
  #chain: WriterChain | undefined;
  /** The head of the chain before its first entry. */
  #start = CHAIN_START;
  #isHeadKnown = true;
  #epoch = 0;
  #commits = 0;
  #isClosed = false;
  /** One action after the other, because a connection has one transaction at a time. */
  readonly #turns = new Slots(1);

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** The number of transactions so far, failed ones included. */
  get commits(): number {
    return this.#commits;
  }

  get isConnected(): boolean {
    return this.#connection?.isOpen === true;
  }

  /** The end of the chain of this writer, as far as it is known to be stored. */
  get chain(): WriterChain | undefined {
    return this.#chain;
  }

  /** Uses the connection between two batches. Rejects with a `StorageError` if there is none. */
  use<Result>(action: (connection: Connection) => Promise<Result>): Promise<Result> {
    return this.#turns.use(async () => action(await this.#connect()));
  }

  async #connect(): Promise<Connection> {
    if (this.#connection?.isOpen === true) return this.#connection;
    if (this.#isClosed) throw new ConnectionLost('the lane is closed');
    const { address, auditKey, now, baseUrl = null } = this.#options;
    const connection = await connect(address, {
      name: 'gazetteer orders',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    });
    try {
      const nowMs = now().getTime();
      this.#epoch = await currentEpoch(connection, nowMs);
      const chain = this.#chain;
      if (chain === undefined || (await hasLostEntries(connection, chain, this.#start, nowMs))) {
        const { writer, head } = await addWriter(connection, auditKey, nowMs, { baseUrl });
        this.#chain = { writer, key: auditKey, head };
        this.#start = head;
      }
    } catch (error) {
      connection.destroy();
      throw error;
    }
    this.#connection = connection;
    return connection;
  }

  /**
   * Commits the calls, and resolves with a result for each. Rejects with a `StorageError` if nothing
   * was stored, and with `UnknownOutcome` if that cannot be known. Other errors are faults of a call.
   */
  run(batch: Batch): Promise<readonly RepositoryResult[]> {
    return this.#turns.use(() => this.#run(batch));
  }

  async #run(batch: Batch): Promise<readonly RepositoryResult[]> {
    const startMs = performance.now();
    /** Attempts whose answers were lost. */
    const lost: Attempt[] = [];
    for (let failures = 1; ; failures++) {
      try {
        const connection = await this.#connect();
        const stored = await this.#findStored(connection, lost);
        return stored ?? (await this.#attempt(connection, batch, lost));
      } catch (error) {
        const waitedMs = performance.now() - startMs;
        if (lost.length > 0) {
          if (waitedMs > this.#options.failoverMs || this.#isClosed) {
            this.#isHeadKnown = false;
            throw new UnknownOutcome();
          }
          // At the first failure, the next connection can succeed at once.
          if (failures > 1 && error instanceof Error) this.#options.onLost?.(error);
        } else if (!this.#mayRepeat(error, waitedMs)) throw error;
        await pause(error instanceof ConnectionLost ? RECONNECT_PAUSE_MS : repeatPauseMs(failures));
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turns.use(async () => this.#connection?.close());
  }

  /** Nothing was sent that could have been stored. */
  #mayRepeat(error: unknown, waitedMs: number): boolean {
    if (this.#isClosed) return false;
    if (error instanceof ConnectionLost) return waitedMs < RECONNECT_MAX_MS;
    // A batch whose outcome was unknown was stored after all.
    const isTaken = sqlStateOf(error) === UNIQUE_VIOLATION && /audit_entry/.test(String(error));
    if (isTaken) this.#isHeadKnown = false;
    return (isTaken || isTransient(error)) && waitedMs < REPEAT_MAX_MS;
  }

  /** The results of an attempt that was stored, although its answer was lost. */
  async #findStored(
    connection: Connection,
    lost: Attempt[],
  ): Promise<readonly RepositoryResult[] | undefined> {
    const chain = this.#chain;
    if (lost.length === 0 || chain === undefined) return undefined;
    const { mac } = await this.#readHead(connection, chain);
    const stored = lost.find(({ head }) => Buffer.compare(head.mac, mac) === 0);
    if (stored === undefined) return undefined;
    // The entry may still wait for a replica. A later commit waits for both.
    await connection.begin();
    await connection.query(`SELECT pg_logical_emit_message(true, 'gazetteer', 'barrier')`);
    if ((await connection.commit()) !== 'committed') throw waitsForReplica(connection);
    this.#chain = { ...chain, head: stored.head };
    return stored.results;
  }

  async #readHead(connection: Connection, { writer }: WriterChain): Promise<ChainHead> {
    const [row] = await connection.query(
      'SELECT number, mac FROM audit_entry WHERE writer = $1 ORDER BY number DESC LIMIT 1',
      [writer],
    );
    return row === undefined ? this.#start : { number: Number(row.number), mac: binaryOf(row.mac) };
  }

  async #attempt(
    connection: Connection,
    { operations, refusals }: Batch,
    lost: Attempt[],
  ): Promise<readonly RepositoryResult[]> {
    let chain = this.#chain;
    if (chain === undefined) throw new Error('the lane has no writer');
    if (!this.#isHeadKnown) {
      chain = { ...chain, head: await this.#readHead(connection, chain) };
      this.#chain = chain;
      this.#isHeadKnown = true;
    }
    const needs = needsOf(operations);
    await runSteps(connection, this.#fields.add([...needs.fields.values()]));
    this.#commits++;
    let attempt: Attempt | undefined;
    try {
      const [, loaded] = await Promise.all([
        connection.begin(),
        loadBatch(connection, this.#fields, needs),
      ]);
      const tables = new BatchTables(loaded, chain);
      const nowMs = this.#options.now().getTime();
      appendRefusals(tables, refusals, nowMs);
      const results = runAll(new OperationRunner(tables), operations, connection.serverId, nowMs);
      if (tables.writes.entries.length > 0) {
        attempt = { results, head: tables.head };
        lost.push(attempt);
      }
      const [, outcome] = await Promise.all([
        writeBatch(connection, this.#fields, tables.writes, {
          writer: chain.writer,
          epoch: this.#epoch,
        }),
        connection.commit(),
      ]);
      if (outcome === 'unreplicated' && attempt !== undefined) throw waitsForReplica(connection);
      this.#chain = { ...chain, head: tables.head };
      return results;
    } catch (error) {
      if (error instanceof ConnectionLost) throw error;
      // The server refused a statement, and so all of this attempt; or a call failed before.
      if (attempt !== undefined) lost.splice(lost.indexOf(attempt), 1);
      if (connection.isOpen) await connection.rollback().catch(() => {});
      throw error;
    }
  }
}

/** Grows with each failure. The lanes that prevent each other must not repeat at the same time. */
function repeatPauseMs(failures: number): number {
  return Math.random() * Math.min(REPEAT_PAUSE_MAX_MS, REPEAT_PAUSE_MS * 2 ** failures);
}

function waitsForReplica({ host }: Connection): ConnectionLost {
  return new ConnectionLost(`${host}: the database waits for a replica`);
}

const UNIQUE_VIOLATION = '23505';

/** Searches that another server process answered may be out of date, and are refused. */
function runAll(
  runner: OperationRunner,
  operations: readonly RepositoryOperation[],
  serverId: string,
  nowMs: number,
): readonly RepositoryResult[] {
  return operations.map((operation): RepositoryAnswer | RepositoryResult => {
    const isRecord = operation.kind === 'recordSearch' || operation.kind === 'recordChanges';
    const server = isRecord ? operation.args[0].server : undefined;
    if (server !== undefined && server !== serverId) return { kind: 'unavailable', message: MOVED };
    return runner.run(operation, nowMs);
  });
}
