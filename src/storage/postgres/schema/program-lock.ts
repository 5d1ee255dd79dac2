/** Locks that let only one program at a time do something with a database, such as import. */
import { hostname } from 'node:os';
import { StorageError } from '../../files/storage-error.ts';
import { type Connection, connect } from '../connection/connection.ts';
import type { DatabaseAddress } from '../connection/database-address.ts';
import { requireDatabaseSchema } from './schema.ts';

export interface ProgramLock {
  /** Identifies the lock among those of the database. */
  readonly key: number;
  /** What the program that holds it is doing. */
  readonly act: string;
}

/** `GZIM` */
export const IMPORT_LOCK: ProgramLock = { key: 0x475a494d, act: 'importing or rolling back' };

/** `GZFT` */
export const FETCH_LOCK: ProgramLock = { key: 0x475a4654, act: 'fetching' };

/** Of the servers that fetch at planned times: `GZSC` */
export const SCHEDULE_LOCK: ProgramLock = { key: 0x475a5343, act: 'fetching' };

/**
 * Opens a connection that holds the lock until it is closed or lost. It never waits: throws a
 * `StorageError` of kind `locked` that names the program which holds the lock.
 */
export async function connectWithLock(
  address: DatabaseAddress,
  lock: ProgramLock,
): Promise<Connection> {
  return await connectAsHolder(address, async (connection) => {
    await requireDatabaseSchema(connection);
    const [row] = await connection.query('SELECT pg_try_advisory_lock($1) AS is_held', [lock.key]);
    if (row?.is_held !== true) throw await lockedError(connection, lock);
  });
}

/** The same, but waits until the program that holds the lock has released it. */
export async function connectAfterLock(
  address: DatabaseAddress,
  lock: ProgramLock,
): Promise<Connection> {
  return await connectAsHolder(address, async (connection) => {
    await connection.query('SET lock_timeout = 0');
    await connection.query('SELECT pg_advisory_lock($1)', [lock.key]);
  });
}

/** A few chunks of an edition take longer only if the network is broken. */
const STATEMENT_MS_MAX = 60_000;

/** PostgreSQL cuts off longer names: 63 bytes. */
const HOST_LENGTH_MAX = 24;

/** Every user of the database can read the name of a connection. */
async function connectAsHolder(
  address: DatabaseAddress,
  takeLock: (connection: Connection) => Promise<void>,
): Promise<Connection> {
  const host = hostname().slice(0, HOST_LENGTH_MAX);
  const since = new Date().toISOString().replace(/\.\d+/, '');
  const name = `gazetteer ${process.pid} ${host} ${since}`;
  const connection = await connect(address, { name, statementTimeoutMs: STATEMENT_MS_MAX });
  try {
    await takeLock(connection);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

const HOLDER_FORM = /^gazetteer (\d+) (.*) (\d{4}-\S+)$/;

async function lockedError(
  connection: Connection,
  { key, act }: ProgramLock,
): Promise<StorageError> {
  const [row] = await connection.query(SELECT_HOLDER, [key]);
  const [, pid, host, since] = HOLDER_FORM.exec(String(row?.application_name)) ?? [];
  const holder =
    pid === undefined
      ? `another program is ${act}`
      : `process ${pid} is ${act} on ${host} since ${since}`;
  return new StorageError('locked', `${connection.host}: ${holder}; try again when it has ended`);
}

const SELECT_HOLDER = `
  SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND classid = 0 AND objid = $1 AND objsubid = 1 AND granted
    AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
