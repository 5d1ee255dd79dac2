/** The configuration of each connection to the PostgreSQL server. */

import { readFileSync } from 'node:fs';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import pg, { type ClientConfig } from 'pg';
import { withStorageErrors } from '../../files/storage-error.ts';
import type { DatabaseAddress, DatabaseHost } from './database-address.ts';

export interface ConnectionOptions {
  /** Names the connection in the lists of the server: `gazetteer serve`. */
  readonly name: string;
  /** The server ends a statement after this time. Absent: never. */
  readonly statementTimeoutMs?: number;
  /** Called once when a connection that was open is lost or closed. */
  readonly onEnd?: () => void;
  /** Called for each message of `NOTIFY` on a channel that the connection listens to. */
  readonly onNotification?: (channel: string, payload: string) => void;
}

/** How long a transaction may wait for its client, and a statement for a lock. */
const IDLE_IN_TRANSACTION_MS = 10_000;
const LOCK_TIMEOUT_MS = 3_000;

export function clientConfig(
  host: DatabaseHost,
  address: DatabaseAddress,
  options: ConnectionOptions,
): ClientConfig & { readonly pipeline: boolean } {
  return {
    host: host.name,
    port: host.port,
    user: address.user,
    database: address.database,
    ...(address.password !== undefined && { password: address.password }),
    ssl: tlsOptions(address),
    types: { getTypeParser },
    application_name: options.name,
    connectionTimeoutMillis: address.connectTimeoutMs,
    statement_timeout: options.statementTimeoutMs ?? 0,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    // The server notices soon when this program is gone, and ends its transaction. The isolation does
    // not depend on the settings of the database.
    options:
      '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 ' +
      '-c client_min_messages=warning -c default_transaction_isolation=read\\ committed',
    keepAlive: true,
    pipeline: true,
  };
}

/** A commit must be on the disk, and on the replicas that the server is set to wait for. */
export const SELECT_SERVER = `
  SELECT current_setting('server_version_num')::int AS version,
    current_setting('server_version') AS version_text,
    pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool AS is_read_only,
    pg_postmaster_start_time()::text AS started_at,
    coalesce(inet_server_addr()::text || ':' || inet_server_port(), '') AS address,
    CASE WHEN current_setting('synchronous_commit') IN ('off', 'local')
      THEN set_config('synchronous_commit', 'on', false) END AS synchronous_commit`;

/** The options of TLS. */
function tlsOptions({ sslMode, caFile }: DatabaseAddress): false | TlsOptions {
  if (sslMode === 'disable') return false;
  if (sslMode === 'require') return { rejectUnauthorized: false };
  const ca = caFile && withStorageErrors(caFile, () => readFileSync(caFile, 'utf8'));
  return {
    ...(ca && { ca }),
    ...(sslMode === 'verify-ca' && { checkServerIdentity: () => undefined }),
  };
}

/** 8-byte numbers become numbers, as in SQLite. One that a number cannot hold is an error there too. */
const getTypeParser: typeof pg.types.getTypeParser = (type: number, format?: 'text' | 'binary') =>
  type === pg.types.builtins.INT8 ? numberIn : pg.types.getTypeParser(type, format as 'text');

function numberIn(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`a number of the database is too large: ${text}`);
}
