/** Checks a database before servers use it: schema, rights, and the settings that keep data safe. */
import type { DatabaseAddress, DatabaseFacts } from '../database-address.ts';
import { withConnection } from './connection.ts';
import { type DatabaseRole, requireRights } from './grants.ts';
import { requireDatabaseSchema } from './schema.ts';

/** Throws a `StorageError` that names the remedy. Changes nothing. */
export async function readDatabaseFacts(
  address: DatabaseAddress,
  role: DatabaseRole,
): Promise<DatabaseFacts> {
  const options = { name: 'gazetteer doctor', statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  return withConnection(address, options, async (connection) => {
    await requireDatabaseSchema(connection, { mayCreate: false });
    await requireRights(connection, role);
    const [row = {}] = await connection.query(SELECT_FACTS);
    return {
      host: connection.host,
      version: String(row.version),
      isDurable: row.is_durable === true,
      replicas: Number(row.replicas),
      waitsForReplica: row.waits_for_replica === true,
      clockAheadMs: Number(row.now_ms) - Date.now(),
    };
  });
}

const STATEMENT_TIMEOUT_MS = 10_000;

/** A user without further rights can read these settings, and count the replicas. */
const SELECT_FACTS = `
  SELECT current_setting('server_version') AS version,
    current_setting('fsync')::bool AND current_setting('full_page_writes')::bool AS is_durable,
    (SELECT count(*) FROM pg_stat_replication) AS replicas,
    current_setting('synchronous_standby_names') <> '' AS waits_for_replica,
    extract(epoch FROM clock_timestamp()) * 1000 AS now_ms`;
