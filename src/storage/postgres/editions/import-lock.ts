/** The lock that lets only one program at a time import editions into a database, or roll back. */
import { hostname } from 'node:os';
import type { DatabaseAddress } from '../../database-address.ts';
import { StorageError } from '../../storage-error.ts';
import { type Connection, connect } from '../connection.ts';
import { requireDatabaseSchema } from '../schema.ts';

/**
 * Opens a connection that holds the lock until it is closed or lost. It never waits: throws a
 * `StorageError` of kind `locked` that names the program which holds the lock.
 */
export async function connectWithImportLock(address: DatabaseAddress): Promise<Connection> {
  const connection = await connect(address, {
    name: holderName(),
    statementTimeoutMs: STATEMENT_MS_MAX,
  });
  try {
    await requireDatabaseSchema(connection);
    const [row] = await connection.query('SELECT pg_try_advisory_lock($1) AS is_held', [
      IMPORT_LOCK,
    ]);
    if (row?.is_held !== true) throw await lockedError(connection);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** The same, but waits until the program that held the lock is gone. */
export async function connectAfterImport(address: DatabaseAddress): Promise<Connection> {
  const connection = await connect(address, {
    name: holderName(),
    statementTimeoutMs: STATEMENT_MS_MAX,
  });
  try {
    await connection.query('SET lock_timeout = 0');
    await connection.query('SELECT pg_advisory_lock($1)', [IMPORT_LOCK]);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Identifies the lock among those of this database: `GZIM` */
const IMPORT_LOCK = 0x475a494d;

/** A few chunks of an edition take so long only if the network is broken. */
const STATEMENT_MS_MAX = 60_000;

/** PostgreSQL cuts off longer names: 63 bytes. */
const HOST_LENGTH_MAX = 24;

/** Every user of the database can read the name of a connection. */
function holderName(): string {
  const host = hostname().slice(0, HOST_LENGTH_MAX);
  const since = new Date().toISOString().replace(/\.\d+/, '');
  return `gazetteer ${process.pid} ${host} ${since}`;
}

const HOLDER_FORM = /^gazetteer (\d+) (.*) (\d{4}-\S+)$/;

async function lockedError(connection: Connection): Promise<StorageError> {
  const [row] = await connection.query(SELECT_HOLDER, [IMPORT_LOCK]);
  const [, pid, host, since] = HOLDER_FORM.exec(String(row?.application_name)) ?? [];
  const holder =
    pid === undefined
      ? 'another program is importing or rolling back'
      : `process ${pid} is importing or rolling back on ${host} since ${since}`;
  return new StorageError('locked', `${connection.host}: ${holder}; try again when it has ended`);
}

const SELECT_HOLDER = `
  SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND classid = 0 AND objid = $1 AND objsubid = 1 AND granted
    AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
