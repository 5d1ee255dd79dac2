/** Opens the order responses of a database: checks the schema, the rights, and the audit key. */

import { makeAuditKey, readAuditKey } from '../../files/key-file.ts';
import { StorageError } from '../../files/storage-error.ts';
import { INDEX_FORM } from '../../repository/search-rows.ts';
import { instantText } from '../../repository/stored-version.ts';
import { type Connection, connect } from '../connection/connection.ts';
import type { DatabaseAddress } from '../connection/database-address.ts';
import { type DatabaseRole, requireRights } from '../schema/grants.ts';
import { requireDatabaseSchema } from '../schema/schema.ts';
import { hasWriters, requireWriterKey } from '../tables/audit-writers.ts';

/** What every connection that writes needs. */
export interface OrdersDatabase {
  readonly address: DatabaseAddress;
  readonly auditKey: Uint8Array;
}

export interface OpenOptions {
  readonly role?: DatabaseRole;
  /** Makes the tables of an empty database, and a key for an empty audit log. */
  readonly mayCreate?: boolean;
  /** Whether the key may be missing while the audit log is empty. The key is then empty too. */
  readonly mayLackKey?: boolean;
}

export async function openOrdersDatabase(
  address: DatabaseAddress,
  keyFile: string,
  { role = 'serve', mayCreate = false, mayLackKey = false }: OpenOptions = {},
): Promise<OrdersDatabase> {
  await using connection = await connect(address, { name: 'gazetteer' });
  await requireDatabaseSchema(connection, { mayCreate });
  await requireRights(connection, role);
  await requireIndexForm(connection);
  const known = readAuditKey(keyFile);
  if (known === undefined && mayLackKey && !(await hasWriters(connection))) {
    return { address, auditKey: new Uint8Array() };
  }
  const auditKey = known ?? (await makeMissingKey(connection, keyFile, mayCreate));
  await requireWriterKey(connection, auditKey);
  return { address, auditKey };
}

async function makeMissingKey(
  connection: Connection,
  keyFile: string,
  mayCreate: boolean,
): Promise<Uint8Array> {
  if (!mayCreate || (await hasWriters(connection))) {
    // A server that started at the same time may have made the file and the first line.
    const made = readAuditKey(keyFile);
    if (made !== undefined) return made;
    throw new StorageError(
      'wrong-key',
      `${keyFile}: missing or empty, and the audit log in the database cannot continue without it; ` +
        'name it with orders.auditKeyFile, or copy it from another server or from a backup',
    );
  }
  return makeAuditKey(keyFile);
}

async function requireIndexForm(connection: Connection): Promise<void> {
  const [row] = await connection.query('SELECT form FROM search_index');
  if (row?.form === INDEX_FORM) return;
  throw new StorageError(
    'unusable',
    `${connection.host}: the search index of the database was built by another version of Gazetteer; ` +
      'run "gazetteer database migrate"',
  );
}

/** The current epoch. Begins a new one if the database has moved to another server. */
export async function currentEpoch(connection: Connection, nowMs: number): Promise<number> {
  const known = await find(connection);
  if (known !== undefined) return known;
  // Two nodes can do this at the same time: one of them adds nothing.
  await connection.query(
    `INSERT INTO database_epoch (epoch, system_identifier, began_at)
     SELECT coalesce((SELECT max(epoch) FROM database_epoch), 0) + 1, system_identifier, $1
     FROM pg_control_system() ON CONFLICT DO NOTHING`,
    [instantText(nowMs)],
  );
  return (await find(connection)) ?? currentEpoch(connection, nowMs);
}

async function find(connection: Connection): Promise<number | undefined> {
  const [row] = await connection.query(
    `SELECT e.epoch FROM database_epoch AS e, pg_control_system() AS c
     WHERE e.epoch = (SELECT max(epoch) FROM database_epoch)
       AND e.system_identifier = c.system_identifier`,
  );
  return row === undefined ? undefined : Number(row.epoch);
}
