/**
 * The tables in a database, which all its servers share, and the copies that this machine keeps for
 * a start while the database is unavailable.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { AboutTable, StoredTable } from '../../directory/arrays/stored-table.ts';
import { type DataFolder, makePrivateFolder, replaceFile } from '../files/data-folder.ts';
import { StorageError, withStorageErrors } from '../files/storage-error.ts';
import { decodeTable } from '../tables/table-bytes.ts';
import { readStoredTable } from '../tables/table-file.ts';
import type { TableKind } from '../tables/table-kinds.ts';
import type { TableStore } from '../tables/table-store.ts';
import { type Connection, withConnection } from './connection/connection.ts';
import type { DatabaseAddress } from './connection/database-address.ts';
import { databaseNameOf } from './editions/edition-cache.ts';
import { connectWithLock, IMPORT_LOCK } from './schema/program-lock.ts';
import { requireDatabaseSchema } from './schema/schema.ts';
import { TABLE_CHANNELS, watchDatabase } from './schema/shared-connection.ts';

export function createDatabaseTable<About extends AboutTable>(
  kind: TableKind<About>,
  address: DatabaseAddress,
  openFolder: () => DataFolder,
): TableStore<About> {
  const readBytes = () =>
    withConnection(address, { name: `gazetteer ${kind.name}` }, async (connection) => {
      await requireDatabaseSchema(connection);
      return await readParts(kind, connection);
    });
  return {
    kind,
    read: async () => {
      const memory = await readBytes();
      return memory && decodeTable(kind, placeOf(kind), memory);
    },
    bytes: async () => {
      const memory = await readBytes();
      return memory && new Uint8Array(memory);
    },
    publish: (bytes) => writeParts(kind, address, bytes),
    watch: (onNew, onProblem) => {
      const copy = copyPath(kind, openFolder(), address);
      return watchTable(kind, { address, copy, readBytes }, onNew, onProblem);
    },
  };
}

interface WatchedTable {
  readonly address: DatabaseAddress;
  /** The path of the copy of this machine. */
  readonly copy: string;
  readonly readBytes: () => Promise<SharedArrayBuffer | undefined>;
}

async function watchTable<About extends AboutTable>(
  kind: TableKind<About>,
  { address, copy, readBytes }: WatchedTable,
  ...[onNew, onProblem]: Parameters<TableStore<About>['watch']>
): Promise<() => Promise<void>> {
  const firstLook = Promise.withResolvers<void>();
  let known: string | undefined;
  const report = (stored: StoredTable<About> | undefined) => {
    if (stored === undefined || stored.about.version === known) return;
    known = stored.about.version;
    onNew(stored);
  };
  const end = watchDatabase(address, {
    name: `gazetteer serve ${kind.name}`,
    channel: TABLE_CHANNELS[kind.name],
    look: async (read, hasEnded) => {
      const version = await read((connection) => readVersion(kind, connection));
      if (version !== undefined && version !== known) {
        const memory = await readBytes();
        if (memory !== undefined && !hasEnded()) {
          report(decodeTable(kind, placeOf(kind), memory));
          replaceFile(copy, new Uint8Array(memory));
        }
      }
      firstLook.resolve();
    },
    onProblem: (error) => {
      try {
        if (known === undefined) report(readStoredTable(kind, copy));
      } catch {
        // The copy is damaged. The database has the table.
      }
      firstLook.resolve();
      // The watch of the editions reports a database that is away.
      const isUnreachable = error instanceof StorageError && error.kind === 'unreachable';
      if (!isUnreachable) onProblem(error);
    },
  });
  await firstLook.promise;
  return end;
}

function placeOf({ name }: Named): string {
  return `the ${name} in the database`;
}

type Named = Pick<TableKind, 'name'>;

/** The table in SQL that has the parts. */
const SQL_TABLES: Readonly<Record<TableKind['name'], string>> = {
  postcodes: 'postcode_part',
  practitioners: 'practitioner_part',
};

async function readVersion({ name }: Named, connection: Connection): Promise<string | undefined> {
  const [row] = await connection.query(`SELECT version FROM ${SQL_TABLES[name]} LIMIT 1`);
  return row === undefined ? undefined : String(row.version);
}

const PART_BYTES = 1 << 20;

/** All parts are of one version, also if another one is published meanwhile. */
async function readParts(
  kind: Named,
  connection: Connection,
): Promise<SharedArrayBuffer | undefined> {
  const table = SQL_TABLES[kind.name];
  await connection.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const [row = {}] = await connection.query(
    `SELECT count(*) AS parts, sum(length(bytes)) AS bytes FROM ${table}`,
  );
  if (Number(row.parts) === 0) return undefined;
  const memory = new SharedArrayBuffer(Number(row.bytes));
  const target = new Uint8Array(memory);
  let at = 0;
  for (let part = 0; part < Number(row.parts); part++) {
    const [found] = await connection.queryPrepared(`SELECT bytes FROM ${table} WHERE part = $1`, [
      part,
    ]);
    if (!Buffer.isBuffer(found?.bytes)) {
      throw new StorageError('damaged', `${placeOf(kind)}: incomplete`);
    }
    target.set(found.bytes, at);
    at += found.bytes.length;
  }
  return memory;
}

async function writeParts<About extends AboutTable>(
  kind: TableKind<About>,
  address: DatabaseAddress,
  bytes: Uint8Array,
): Promise<void> {
  await using connection = await connectWithLock(address, IMPORT_LOCK);
  await connection.transaction(() => insertTable(kind, connection, bytes));
}

/** Replaces the table in the open transaction. */
export async function insertTable<About extends AboutTable>(
  kind: TableKind<About>,
  connection: Connection,
  bytes: Uint8Array,
): Promise<void> {
  const table = SQL_TABLES[kind.name];
  const memory = new SharedArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  const { version } = decodeTable(kind, placeOf(kind), memory).about;
  await connection.query(`DELETE FROM ${table}`);
  for (let part = 0; part * PART_BYTES < bytes.length; part++) {
    const piece = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
    await connection.queryPrepared(
      `INSERT INTO ${table} (version, part, bytes) VALUES ($1, $2, $3)`,
      [version, part, Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)],
    );
  }
  await connection.query(`NOTIFY ${TABLE_CHANNELS[kind.name]}`);
}

/** Makes the folder. A copy of another database has another name. */
function copyPath(kind: Named, { cache }: DataFolder, address: DatabaseAddress): string {
  withStorageErrors(cache, () => makePrivateFolder(cache));
  const name = createHash('sha256').update(databaseNameOf(address)).digest('hex').slice(0, 16);
  return join(cache, `${kind.name}-${name}.bin`);
}
