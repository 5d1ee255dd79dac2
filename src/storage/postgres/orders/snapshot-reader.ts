/** Answers searches and reads changes over separate connections, so that no write waits for them. */
import { Slots } from '../../../threads/slots.ts';
import { StorageError } from '../../files/storage-error.ts';
import type { ReaderAnswer, ReaderCall } from '../../repository/reader-answers.ts';
import { answerCall } from '../../sql/answer-call.ts';
import { FieldKeys } from '../../sql/search.ts';
import { type Connection, connect } from '../connection/connection.ts';
import type { DatabaseAddress } from '../connection/database-address.ts';
import { ConnectionLost } from '../connection/database-error.ts';
import { POSTGRES } from '../tables/postgres-dialect.ts';
import { runSteps } from '../tables/session.ts';
import { type AskDatabase, SettledChanges } from './settled-changes.ts';

/** How many calls are answered at the same time, each over a connection. */
const CONNECTIONS_MAX = 2;

/** A search looks at a limited number of resources, so a longer one means that the server hangs. */
const SEARCHES = { name: 'gazetteer search', statementTimeoutMs: 5_000 } as const;

/** A call that has waited for a connection for this time fails, because the database hangs. */
const WAIT_MAX_MS = 4_000;

/** Transactions that write order responses are short, even on a slow disk. */
export const SETTLED_WAIT_MAX_MS = 2_000;

/**
 * A call for facts comes after each commit and each look of `createChangeLook`: what is not settled
 * yet is found by a later one, so it need not wait for long.
 */
const FACTS_WAIT_MAX_MS = 250;

export class DatabaseReader {
  readonly #address: DatabaseAddress;
  readonly #fields = new FieldKeys();
  readonly #idle: Connection[] = [];
  readonly #slots = new Slots(CONNECTIONS_MAX);
  /** For the kinds of calls that read what is settled. */
  readonly #settled: Partial<Record<ReaderCall['kind'], SettledChanges>>;

  /** `settledWaitMaxMs`: how long a page of changes waits for older transactions. */
  constructor(address: DatabaseAddress, settledWaitMaxMs = SETTLED_WAIT_MAX_MS) {
    this.#address = address;
    const ask: AskDatabase = (statement) =>
      this.#use((connection) => connection.queryPrepared(statement));
    this.#settled = {
      changes: new SettledChanges(ask, settledWaitMaxMs),
      facts: new SettledChanges(ask, Math.min(FACTS_WAIT_MAX_MS, settledWaitMaxMs)),
    };
  }

  /**
   * All parts of the answer are of one state of the database. It has everything that was committed
   * before the call; changes have it unless an older transaction takes too long. Rejects with a
   * `StorageError` if the database cannot answer.
   */
  async answer(call: ReaderCall, nowMs: number): Promise<ReaderAnswer> {
    const settled = this.#settled[call.kind];
    const read = (connection: Connection) => this.#read(connection, call, nowMs);
    if (settled === undefined) return await this.#use(read);
    const found = await this.#use(async (connection) => {
      const unsettled = await settled.find((statement) => connection.queryPrepared(statement));
      return unsettled === undefined ? { answer: await read(connection) } : { unsettled };
    });
    if (found.answer !== undefined) return found.answer;
    await settled.wait(found.unsettled);
    return await this.#use(read);
  }

  async #read(connection: Connection, call: ReaderCall, nowMs: number): Promise<ReaderAnswer> {
    const answer = await connection.transaction<ReaderAnswer>(
      () => runSteps<ReaderAnswer>(connection, answerCall(POSTGRES, this.#fields, call, nowMs)),
      'ISOLATION LEVEL REPEATABLE READ READ ONLY',
    );
    return withServer(answer, connection.serverId);
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }

  /** Uses a connection for something that can be repeated, as soon as one is free. */
  async #use<Result>(action: (connection: Connection) => Promise<Result>): Promise<Result> {
    const startMs = performance.now();
    return await this.#slots.use(async () => {
      if (performance.now() > startMs + WAIT_MAX_MS) {
        throw new StorageError('unreachable', 'no connection for searches became free in time');
      }
      return await this.#useAgain(action);
    });
  }

  /** An idle connection can be lost without a sign, so the action is then repeated over a new one. */
  async #useAgain<Result>(action: (connection: Connection) => Promise<Result>): Promise<Result> {
    const idle = this.#idle.pop();
    try {
      if (idle !== undefined) return await this.#useOnce(idle, action);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
    }
    return this.#useOnce(await connect(this.#address, SEARCHES), action);
  }

  async #useOnce<Result>(
    connection: Connection,
    action: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    try {
      await connection.probe();
      return await action(connection);
    } finally {
      if (connection.isOpen) this.#idle.push(connection);
    }
  }
}

function withServer(answer: ReaderAnswer, server: string): ReaderAnswer {
  if (answer.kind === 'search') return { ...answer, found: { ...answer.found, server } };
  if (answer.kind === 'changes') return { ...answer, found: { ...answer.found, server } };
  return answer;
}
