/**
 * A connection to PostgreSQL. Statements are sent at once, without waiting for the answers to those
 * before. Nothing is sent twice: the caller must find out what was carried out when it is lost.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { StorageError } from '../../files/storage-error.ts';
import type { Row } from '../../repository/statement.ts';
import { type ConnectionOptions, clientConfig, SELECT_SERVER } from './client-config.ts';
import type { DatabaseAddress, DatabaseHost } from './database-address.ts';
import { ConnectionLost, databaseError, type ErrorContext } from './database-error.ts';
import { hostText } from './database-url.ts';

/** Of an array: its elements in PostgreSQL's binary form; see `arrays.ts`. */
export type Parameter = string | number | boolean | null | Buffer;

/** The time that an answer may take longer than the server's own limit. */
const ANSWER_MARGIN_MS = 2_000;

/** A connection can be lost without a sign, for instance if a firewall forgets it. */
const PROBE_AFTER_MS = 1_000;
const PROBE_LIMIT_MS = 2_000;

const VERSION_MIN = 150_000;

/** Clients choose the form of searches, so the number of forms is unlimited. */
const PREPARED_MAX = 200;

/**
 * Tries the hosts, each a moment after the one before, and takes the first that can be used. Throws a
 * `StorageError` if none can.
 */
export async function connect(
  address: DatabaseAddress,
  options: ConnectionOptions,
): Promise<Connection> {
  let chosen: Connection | undefined;
  const attempts = address.hosts.map(async (host, at) => {
    await pause(at * NEXT_HOST_MS);
    if (chosen !== undefined) throw new ConnectionLost('another host answered before');
    const connection = await connectTo(host, address, options);
    if (chosen === undefined) chosen = connection;
    else connection.destroy();
    return chosen;
  });
  try {
    return await Promise.any(attempts);
  } catch (error) {
    const problems: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
    // A refusal tells more than a host that does not answer.
    throw problems.find((problem) => !(problem instanceof ConnectionLost)) ?? problems[0];
  }
}

/** An unreachable host delays the others only by this time. */
const NEXT_HOST_MS = 250;

/** Uses a connection for one action. */
export async function withConnection<Result>(
  address: DatabaseAddress,
  options: ConnectionOptions,
  action: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  await using connection = await connect(address, options);
  return await action(connection);
}

async function connectTo(
  host: DatabaseHost,
  address: DatabaseAddress,
  options: ConnectionOptions,
): Promise<Connection> {
  const { user, database } = address;
  const context = { host: hostText(host), user, database };
  const client = new pg.Client(clientConfig(host, address, options));
  // Every query rejects on its own; without a listener, the event would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (fault) {
    void client.end().catch(() => {});
    throw databaseError(fault, context);
  }
  const connection = new Connection(client, context, options);
  try {
    await connection.open(address.mustAcceptWrites);
    return connection;
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

export class Connection implements AsyncDisposable {
  readonly #client: pg.Client;
  readonly #context: ErrorContext;
  readonly #options: ConnectionOptions;
  /** By statement: the name under which the server has prepared it. */
  readonly #prepared = new Map<string, string>();
  #serverId = '';
  #isEnded = false;
  #hasWarning = false;
  /** The open transaction, and its first error, which makes all its later statements fail. */
  #transaction: { failure?: unknown } | undefined;
  #unanswered = 0;
  #answeredMs = 0;
  readonly #watch: NodeJS.Timeout | undefined;

  /** Use `connect`. */
  constructor(client: pg.Client, context: ErrorContext, options: ConnectionOptions) {
    this.#client = client;
    this.#context = context;
    this.#options = options;
    const { statementTimeoutMs, onNotification } = options;
    if (statementTimeoutMs !== undefined) {
      this.#watch = setTimeout(
        () => this.#unanswered > 0 && this.destroy(),
        statementTimeoutMs + ANSWER_MARGIN_MS,
      ).unref();
    }
    client.on('end', () => this.#ended());
    client.on('error', () => this.destroy());
    client.on('notice', ({ severity }) => {
      this.#hasWarning ||= severity === 'WARNING';
    });
    client.on('notification', ({ channel, payload = '' }) => onNotification?.(channel, payload));
  }

  /** `db1:5432` */
  get host(): string {
    return this.#context.host;
  }

  /** Names the server process that answers: another one after a failover or a restart. */
  get serverId(): string {
    return this.#serverId;
  }

  get isOpen(): boolean {
    return !this.#isEnded;
  }

  /** Checks the server. Call it once. */
  async open(mustAcceptWrites: boolean): Promise<void> {
    const [row = {}] = await this.query(SELECT_SERVER);
    if (Number(row.version) < VERSION_MIN) {
      throw new StorageError(
        'unusable',
        `${this.host}: PostgreSQL ${row.version_text} is too old; use version 15 or newer`,
      );
    }
    if (mustAcceptWrites && row.is_read_only !== false) {
      throw new ConnectionLost(`${this.host}: the server does not accept writes now`);
    }
    this.#serverId = `${this.host} ${row.address} ${row.started_at}`;
  }

  /** Closes the connection if the server does not answer soon, unless it has answered lately. */
  async probe(): Promise<void> {
    if (performance.now() < this.#answeredMs + PROBE_AFTER_MS) return;
    using _late = setTimeout(() => this.destroy(), PROBE_LIMIT_MS);
    await this.query('SELECT 1');
  }

  /** Rejects with a `StorageError`, or with the error of the server where that is a fault. */
  async query(text: string, values: readonly Parameter[] = []): Promise<readonly Row[]> {
    return (await this.#run({ text, values: [...values] })).rows;
  }

  /** As `query`, for a statement that is sent again and again: the server keeps its plan. */
  async queryPrepared(text: string, values: readonly Parameter[] = []): Promise<readonly Row[]> {
    let name = this.#prepared.get(text);
    if (name === undefined) {
      if (this.#prepared.size === PREPARED_MAX) return this.query(text, values);
      name = `s${this.#prepared.size + 1}`;
      this.#prepared.set(text, name);
    }
    return (await this.#run({ name, text, values: [...values] })).rows;
  }

  /** Begins a transaction. Its statements can be sent at once. */
  async begin(mode = ''): Promise<void> {
    this.#hasWarning = false;
    this.#transaction = {};
    await this.#run({ text: `BEGIN ${mode}` });
  }

  /** `unreplicated`: the server gave up waiting for a replica, so a failover could lose it. */
  async commit(): Promise<'committed' | 'rolled-back' | 'unreplicated'> {
    const { command } = await this.#end('COMMIT');
    if (command !== 'COMMIT') return 'rolled-back';
    return this.#hasWarning ? 'unreplicated' : 'committed';
  }

  async rollback(): Promise<void> {
    await this.#end('ROLLBACK');
  }

  async #end(text: 'COMMIT' | 'ROLLBACK'): Promise<pg.QueryResult> {
    const ending = this.#run({ text });
    this.#transaction = undefined;
    return await ending;
  }

  /** Commits what `action` does, or nothing where it throws. Not for writes that need certainty. */
  async transaction<Result>(action: () => Promise<Result>, mode = ''): Promise<Result> {
    return (await this.#transact(action, mode)).result;
  }

  /** As `transaction`. Throws a `ConnectionLost` if a failover could lose the transaction. */
  async certainTransaction<Result>(action: () => Promise<Result>): Promise<Result> {
    const { result, outcome } = await this.#transact(action, '');
    if (outcome !== 'committed')
      throw new ConnectionLost(`${this.host}: the transaction is not stored safely`);
    return result;
  }

  async #transact<Result>(action: () => Promise<Result>, mode: string) {
    const begun = this.begin(mode);
    try {
      await begun;
      return { result: await action(), outcome: await this.commit() };
    } catch (error) {
      if (this.isOpen) await this.rollback().catch(() => {});
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.#isEnded) return;
    await this.#client.end().catch(() => {});
    this.#ended();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Closes at once. Statements without an answer are rejected. */
  destroy(): void {
    if (this.#isEnded) return;
    this.#ended();
    // The types leave the socket out.
    const { connection } = this.#client as unknown as {
      connection: { stream: { destroy(): void } };
    };
    connection.stream.destroy();
  }

  async #run(query: {
    name?: string;
    text: string;
    values?: Parameter[];
  }): Promise<pg.QueryResult> {
    if (this.#isEnded)
      throw new ConnectionLost(`${this.host}: the connection to the database is lost`);
    const transaction = this.#transaction;
    this.#unanswered++;
    this.#watch?.refresh();
    try {
      const result = await this.#client.query(query);
      this.#answeredMs = performance.now();
      return result;
    } catch (fault) {
      const error = databaseError(fault, this.#context);
      if (error instanceof ConnectionLost) this.destroy();
      if (transaction === undefined) throw error;
      transaction.failure ??= error;
      throw transaction.failure;
    } finally {
      this.#unanswered--;
      this.#watch?.refresh();
    }
  }

  #ended(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#watch);
    if (this.#serverId !== '') this.#options.onEnd?.();
  }
}
