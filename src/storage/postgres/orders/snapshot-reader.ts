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
import { SettledChanges, type SettledChangesOptions } from './settled-changes.ts';

/** How many calls are answered at the same time, each over a connection. */
const CONNECTIONS_MAX = 2;

/** A search looks at a limited number of resources, so a longer one means that the server hangs. */
const SEARCHES = { name: 'gazetteer search', statementTimeoutMs: 5_000 } as const;

/** A call that has waited for a connection for this time fails, because the database hangs. */
const WAIT_MAX_MS = 4_000;

export class DatabaseReader {
  readonly #address: DatabaseAddress;
  readonly #fields = new FieldKeys();
  readonly #idle: Connection[] = [];
  readonly #settled: SettledChanges;
  readonly #slots = new Slots(CONNECTIONS_MAX);

  constructor(address: DatabaseAddress, settled?: SettledChangesOptions) {
    this.#address = address;
    this.#settled = new SettledChanges(settled);
  }

  /**
   * All parts of the answer are of one state of the database. It has everything that was committed
   * before the call. Rejects with a `StorageError` if the database cannot answer.
   */
  async answer(call: ReaderCall, nowMs: number): Promise<ReaderAnswer> {
    const startMs = performance.now();
    return await this.#slots.use(async () => {
      if (performance.now() > startMs + WAIT_MAX_MS) {
        throw new StorageError('unreachable', 'no connection for searches became free in time');
      }
      return await this.#answerAgain(call, nowMs);
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }

  /** An idle connection can be lost without a sign, so the call is then repeated over a new one. */
  async #answerAgain(call: ReaderCall, nowMs: number): Promise<ReaderAnswer> {
    const idle = this.#idle.pop();
    try {
      if (idle !== undefined) return await this.#answerOver(idle, call, nowMs);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
    }
    return this.#answerOver(await connect(this.#address, SEARCHES), call, nowMs);
  }

  async #answerOver(
    connection: Connection,
    call: ReaderCall,
    nowMs: number,
  ): Promise<ReaderAnswer> {
    try {
      await connection.probe();
      if (call.kind !== 'search') await this.#settled.wait(connection);
      const answer = await connection.transaction<ReaderAnswer>(
        () => runSteps<ReaderAnswer>(connection, answerCall(POSTGRES, this.#fields, call, nowMs)),
        'ISOLATION LEVEL REPEATABLE READ READ ONLY',
      );
      return withServer(answer, connection.serverId);
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
