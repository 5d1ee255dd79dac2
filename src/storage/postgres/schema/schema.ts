/** The schema of the database: its migrations, and whether this program may use what it finds. */

import { setTimeout as pause } from 'node:timers/promises';
import { StorageError } from '../../files/storage-error.ts';
import { type Connection, connect } from '../connection/connection.ts';
import type { DatabaseAddress } from '../connection/database-address.ts';
import { sqlStateOf } from '../connection/database-error.ts';
import {
  createEditionTables,
  createFetchState,
  createPostcodes,
  createPractitioners,
  createWebhookStates,
} from '../migrations/directory.ts';
import {
  createDeliveryTables,
  createOrderTables,
  createTokenKeys,
  createVersionErasures,
} from '../migrations/orders.ts';
import { fillDatabaseIndex, noteIndexForm } from './fill-index.ts';

/** Migrates the schema from one version to the next. A released migration never changes. */
export interface DatabaseMigration {
  readonly sql: string;
  /**
   * The oldest program that can use the schema afterwards, as the number of migrations that it
   * knows. It lets servers of the previous version continue while the others are restarted.
   */
  readonly oldestProgram: number;
}

export const DATABASE_MIGRATIONS: readonly DatabaseMigration[] = [
  { sql: createOrderTables, oldestProgram: 1 },
  { sql: createEditionTables, oldestProgram: 1 },
  { sql: createTokenKeys, oldestProgram: 1 },
  { sql: createFetchState, oldestProgram: 1 },
  { sql: createVersionErasures, oldestProgram: 1 },
  { sql: createPostcodes, oldestProgram: 1 },
  { sql: createDeliveryTables, oldestProgram: 1 },
  { sql: createWebhookStates, oldestProgram: 1 },
  // Servers of schema 4, of version 0.2.0, write no search entries of parameters that came later.
  { sql: createPractitioners, oldestProgram: 8 },
];

export interface Migrated {
  /** The version before; 0: the database was empty. */
  readonly from: number;
  readonly to: number;
}

/** A migration of a large database takes a long time, so no statement has a time limit. */
export async function migrateDatabase(
  address: DatabaseAddress,
  migrations = DATABASE_MIGRATIONS,
  { reindex = false }: { readonly reindex?: boolean } = {},
): Promise<Migrated> {
  await using connection = await connect(address, { name: 'gazetteer database migrate' });
  const migrated = await migrate(connection, migrations);
  if (reindex) await fillDatabaseIndex(connection, true);
  return migrated;
}

/**
 * Throws if this program cannot use the schema. Migrates a database that has no tables, as far as
 * the user may, unless `mayCreate` is false.
 */
export async function requireDatabaseSchema(
  connection: Connection,
  {
    migrations = DATABASE_MIGRATIONS,
    mayCreate = true,
  }: { readonly migrations?: readonly DatabaseMigration[]; readonly mayCreate?: boolean } = {},
): Promise<void> {
  const { version, oldestProgram } = await schemaOf(connection);
  if (version === 0) {
    if (!mayCreate) throw empty(connection);
    await migrate(connection, migrations);
    return;
  }
  if (version < migrations.length) {
    throw new StorageError(
      'unusable',
      `${connection.host}: the schema of the database has version ${version}, and this program ` +
        `needs ${migrations.length}; run "gazetteer database migrate"`,
    );
  }
  if (oldestProgram > migrations.length) throw newer(connection, version, migrations.length);
}

async function migrate(
  connection: Connection,
  migrations: readonly DatabaseMigration[],
): Promise<Migrated> {
  await lockMigrations(connection);
  try {
    const { version: from } = await schemaOf(connection);
    const to = migrations.length;
    if (from > to) throw newer(connection, from, to);
    if (from === 0) await requireEmpty(connection);
    // A server that starts in the meantime must not see a part of the first tables.
    const step = from === 0 ? to : 1;
    for (let at = from; at < to; at += step) await apply(connection, migrations, at, at + step);
    await fillDatabaseIndex(connection);
    return { from, to };
  } finally {
    if (connection.isOpen) {
      await connection.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    }
  }
}

/** Asks again and again, because the statements of some connections have a time limit. */
async function lockMigrations(connection: Connection): Promise<void> {
  const endMs = performance.now() + LOCK_MS_MAX;
  for (;;) {
    const [row] = await connection.query('SELECT pg_try_advisory_lock($1) AS is_locked', [
      MIGRATION_LOCK,
    ]);
    if (row?.is_locked === true) return;
    if (performance.now() > endMs) {
      throw new StorageError(
        'locked',
        `${connection.host}: another program migrates the database; try again when it has finished`,
      );
    }
    await pause(LOCK_RETRY_MS);
  }
}

/** Identifies the lock among those of this database: `GZMG` */
const MIGRATION_LOCK = 0x475a4d47;

/** The time that a second program waits for the migration of the first one. */
const LOCK_MS_MAX = 10 * 60 * 1000;
const LOCK_RETRY_MS = 100;

/** Migrates from one version to another in one transaction. */
async function apply(
  connection: Connection,
  migrations: readonly DatabaseMigration[],
  from: number,
  to: number,
): Promise<void> {
  await connection.transaction(async () => {
    if (from === 0) await connection.query(CREATE_SCHEMA_VERSION);
    for (const [at, { sql, oldestProgram }] of migrations.slice(from, to).entries()) {
      await connection.query(sql);
      await connection.query(
        'INSERT INTO schema_version (version, oldest_program, applied_at) VALUES ($1, $2, now())',
        [from + at + 1, oldestProgram],
      );
    }
    // The index of an empty database is complete. A server that starts now must find that it is.
    if (from === 0) await noteIndexForm(connection);
  });
}

const CREATE_SCHEMA_VERSION = `
CREATE TABLE schema_version (
  version        int         PRIMARY KEY, -- how many migrations were applied
  oldest_program int         NOT NULL,    -- a program that knows fewer migrations may not use it
  applied_at     timestamptz NOT NULL
)`;

/** The version is 0 if there is no schema. */
async function schemaOf(
  connection: Connection,
): Promise<{ readonly version: number; readonly oldestProgram: number }> {
  try {
    const [row = {}] = await connection.query(
      'SELECT version, oldest_program FROM schema_version ORDER BY version DESC LIMIT 1',
    );
    return {
      version: Number(row.version ?? 0),
      oldestProgram: Number(row.oldest_program ?? 0),
    };
  } catch (error) {
    if (sqlStateOf(error) === UNDEFINED_TABLE) return { version: 0, oldestProgram: 0 };
    throw error;
  }
}

const UNDEFINED_TABLE = '42P01';

async function requireEmpty(connection: Connection): Promise<void> {
  const [row = {}] = await connection.query(SELECT_STATE);
  if (row.encoding !== 'UTF8') {
    throw new StorageError(
      'unusable',
      `${connection.host}: the encoding of the database is ${row.encoding}; create one with ` +
        'the encoding UTF8',
    );
  }
  if (row.table_name !== null) {
    throw new StorageError(
      'unusable',
      `${connection.host}: the database has tables of another program, such as ` +
        `${row.table_name}; name an empty database`,
    );
  }
  if (row.may_create !== true) {
    throw new StorageError(
      'denied',
      `${connection.host}: the database is empty, and its user may not create tables; run ` +
        '"gazetteer database migrate" as the owner of the database',
    );
  }
}

const SELECT_STATE = `
  SELECT current_setting('server_encoding') AS encoding,
    has_schema_privilege(current_schema(), 'CREATE') AS may_create,
    (SELECT min(relname::text) FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r') AS table_name`;

function empty({ host }: Connection): StorageError {
  return new StorageError(
    'unusable',
    `${host}: the database is empty; start a server with it, or run "gazetteer database migrate"`,
  );
}

function newer(connection: Connection, version: number, known: number): StorageError {
  return new StorageError(
    'newer',
    `${connection.host}: written by a newer version of Gazetteer (schema ${version}, this one ` +
      `knows ${known}); use that version, or restore a backup from before the upgrade into ` +
      'another database',
  );
}
