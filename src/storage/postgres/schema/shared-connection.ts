/** A connection for the small queries of a program, which is opened again after it was lost. */

import { startPoll } from '../../files/poll.ts';
import type { ConnectionOptions } from '../connection/client-config.ts';
import { type Connection, connect } from '../connection/connection.ts';
import type { DatabaseAddress } from '../connection/database-address.ts';
import { ConnectionLost } from '../connection/database-error.ts';
import { requireDatabaseSchema } from './schema.ts';

export interface SharedConnectionOptions
  extends Pick<ConnectionOptions, 'name' | 'onNotification' | 'onEnd'> {
  /** Channels of `NOTIFY` that each connection listens to. */
  readonly channels?: readonly string[];
  /** The connection is closed if it was not used for this time. */
  readonly idleMs?: number;
}

/** Queries are small, so a longer answer means that the server hangs. */
const STATEMENT_MS_MAX = 5_000;

/** After a failed attempt, queries fail at once for this time, so that none waits for another. */
const PAUSE_MS = 2_000;

export class SharedConnection {
  readonly #address: DatabaseAddress;
  readonly #options: SharedConnectionOptions;
  #opening: Promise<Connection> | undefined;
  #failure: { readonly error: unknown; readonly untilMs: number } | undefined;
  #isClosed = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(address: DatabaseAddress, options: SharedConnectionOptions) {
    this.#address = address;
    this.#options = options;
  }

  /** For an action that only reads: it is repeated if the connection was lost unnoticed. */
  async read<Result>(action: (connection: Connection) => Promise<Result>): Promise<Result> {
    const isFirstUse = this.#opening === undefined;
    try {
      return await action(await this.#connected());
    } catch (error) {
      if (isFirstUse || !(error instanceof ConnectionLost)) throw error;
      return await action(await this.#connected());
    } finally {
      this.#closeWhenIdle();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#disconnect();
  }

  async #disconnect(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    await (await opening?.catch(() => undefined))?.close();
  }

  #closeWhenIdle(): void {
    const { idleMs } = this.#options;
    clearTimeout(this.#idle);
    if (idleMs === undefined || this.#isClosed) return;
    this.#idle = setTimeout(() => void this.#disconnect(), idleMs).unref();
  }

  #connected(): Promise<Connection> {
    if (this.#isClosed) return Promise.reject(new ConnectionLost('the connection is closed'));
    if (this.#opening === undefined) {
      const { error, untilMs = 0 } = this.#failure ?? {};
      if (performance.now() < untilMs) return Promise.reject(error);
      const opening: Promise<Connection> = this.#open(() => this.#lost(opening));
      this.#opening = opening;
      opening.catch((failure) => {
        this.#failure = { error: failure, untilMs: performance.now() + PAUSE_MS };
        if (this.#opening === opening) this.#opening = undefined;
      });
    }
    return this.#opening;
  }

  #lost(opening: Promise<Connection>): void {
    if (this.#opening !== opening) return;
    this.#opening = undefined;
    this.#options.onEnd?.();
  }

  async #open(onEnd: () => void): Promise<Connection> {
    const { name, channels = [], onNotification } = this.#options;
    const connection = await connect(this.#address, {
      name,
      statementTimeoutMs: STATEMENT_MS_MAX,
      ...(onNotification && { onNotification }),
      onEnd,
    });
    try {
      await requireDatabaseSchema(connection);
      for (const channel of channels) await connection.query(`LISTEN ${channel}`);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }
}

/** The database reports each change. Polling finds those whose message was lost. */
export const WATCH_MS = 30_000;

/** The interval while the database is unavailable. */
export const WATCH_AGAIN_MS = 2_000;

export interface DatabaseWatch {
  /** The name of the connection. */
  readonly name: string;
  readonly channel: string;
  /** Looks for a change with `read`, as that of a shared connection. */
  look(read: SharedConnection['read'], hasEnded: () => boolean): Promise<void>;
  onProblem(error: unknown): void;
}

/** Looks again and again, and at each message of a channel, until the function that it returns ends it. */
export function watchDatabase(
  address: DatabaseAddress,
  { name, channel, look, onProblem }: DatabaseWatch,
): () => Promise<void> {
  let isAway = false;
  const lookNow = () => poll.look();
  const shared = new SharedConnection(address, {
    name,
    channels: [channel],
    onNotification: lookNow,
    onEnd: lookNow,
  });
  const read: SharedConnection['read'] = async (action) => {
    const result = await shared.read(action);
    isAway = false;
    return result;
  };
  const poll = startPoll((hasEnded) => look(read, hasEnded), {
    pauseMs: () => (isAway ? WATCH_AGAIN_MS : WATCH_MS),
    onProblem: (error) => {
      isAway = true;
      onProblem(error);
    },
  });
  return async () => {
    poll.end();
    await shared.close();
  };
}

/** Another edition is current. */
export const EDITION_CHANNEL = 'gazetteer_edition';

/** The keys of tokens have changed. */
export const TOKEN_KEY_CHANNEL = 'gazetteer_token_key';

/** Another table was imported, by the name of its kind. */
export const TABLE_CHANNELS = {
  postcodes: 'gazetteer_postcodes',
  practitioners: 'gazetteer_practitioners',
} as const;
