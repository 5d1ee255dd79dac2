/** Reads the contents of a database for a move, and writes those of another store into a database. */
import { deflateSync, inflateSync } from 'node:zlib';
import { byChangeKind, type DetailedEdition } from '../editions/edition-list.ts';
import type { DataFolder } from '../files/data-folder.ts';
import { StorageError } from '../files/storage-error.ts';
import type { ServerStore } from '../store/store.ts';
import {
  type MovedEditions,
  type MovedOrders,
  movedRows,
  type StoreContents,
} from '../store/store-contents.ts';
import { type Connection, connect } from './connection/connection.ts';
import type { DatabaseAddress } from './connection/database-address.ts';
import type { DatabaseSettings } from './connection/database-settings.ts';
import { EditionCache } from './editions/edition-cache.ts';
import { readDetails, readList } from './editions/edition-rows.ts';
import { moveIntoDatabase } from './move-into-database.ts';
import { connectForCommand } from './orders/command-session.ts';
import { openOrdersDatabase } from './orders/orders-database.ts';
import { requireDatabaseSchema } from './schema/schema.ts';
import { readSharedReceivers } from './shared-state.ts';
import { readerOf } from './tables/session.ts';

export function createDatabaseContents(
  settings: DatabaseSettings,
  { postcodes, practitioners }: Pick<ServerStore, 'postcodes' | 'practitioners'>,
  openFolder: () => DataFolder,
): StoreContents {
  const { address } = settings;
  return {
    reserveAsSource: async () => requireUse(address, { isEmpty: false }),
    reserveAsTarget: async () => requireUse(address, { isEmpty: true }),
    read: async () => {
      const editions = await readDatabaseEditions(address, openFolder());
      const tables = {
        postcodes: await postcodes.bytes(),
        practitioners: await practitioners.bytes(),
      };
      const connection = await connectForCommand(address);
      try {
        return {
          editions,
          ...tables,
          receivers: await readSharedReceivers(connection),
          orders: await readOrders(connection, settings),
          [Symbol.asyncDispose]: () => connection.close(),
        };
      } catch (error) {
        await connection.close();
        throw error;
      }
    },
    write: (contents) => moveIntoDatabase(settings, contents),
  };
}

/** No server may use the database. A server that starts later cannot be kept out. */
async function requireUse(
  address: DatabaseAddress,
  { isEmpty }: { readonly isEmpty: boolean },
): Promise<Disposable> {
  await using connection = await connect(address, { name: 'gazetteer move' });
  await requireDatabaseSchema(connection, { mayCreate: isEmpty });
  const [row = {}] = await connection.query(SELECT_USE);
  if (isEmpty && row.is_used === true) {
    throw new StorageError(
      'refused',
      `${connection.host}: the database has data already; name an empty one`,
    );
  }
  if (row.has_server === true) {
    throw new StorageError(
      'locked',
      `${connection.host}: a server uses the database; stop it first`,
    );
  }
  return { [Symbol.dispose]: () => undefined };
}

const SELECT_USE = `
  SELECT EXISTS (SELECT 1 FROM edition) OR EXISTS (SELECT 1 FROM postcode_part)
      OR EXISTS (SELECT 1 FROM practitioner_part)
      OR EXISTS (SELECT 1 FROM resource) OR EXISTS (SELECT 1 FROM audit_writer)
      OR EXISTS (SELECT 1 FROM webhook_state) OR EXISTS (SELECT 1 FROM subscription_delivery)
      AS is_used,
    EXISTS (SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'gazetteer serve') AS has_server`;

/** Undefined if there never was an access. Reads what was committed at the start. */
async function readOrders(
  connection: Connection,
  { address, auditKeyFile }: DatabaseSettings,
): Promise<MovedOrders | undefined> {
  const [row] = await connection.query('SELECT EXISTS (SELECT 1 FROM audit_entry) AS is_used');
  if (row?.is_used !== true) return undefined;
  const { auditKey } = await openOrdersDatabase(address, auditKeyFile);
  await connection.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const reader = readerOf(connection);
  return { auditKey, rows: (table) => movedRows(reader, table) };
}

/** Undefined if no edition was ever published. Copies the data to the cache of this machine. */
async function readDatabaseEditions(
  address: DatabaseAddress,
  folder: DataFolder,
): Promise<MovedEditions | undefined> {
  const cache = new EditionCache(folder, address);
  await using connection = await connect(address, { name: 'gazetteer move' });
  const { rows } = await readList(connection);
  if (rows.editions.length === 0) return undefined;
  const contents = new Map(rows.editions.map(({ number, content }) => [number, content]));
  const editions: DetailedEdition[] = [];
  for (const row of rows.editions) {
    editions.push({ ...row, ...(await detailsOf(connection, row.number)) });
  }
  return {
    editions,
    publications: rows.publications,
    folderOf: (number) => cache.fetch(contents.get(number) ?? ''),
  };
}

/** Also of damaged rows. */
async function detailsOf(
  connection: Connection,
  edition: number,
): Promise<Pick<DetailedEdition, 'byRole' | 'codes'>> {
  const rows = await readDetails(connection, edition);
  const contentOf = (kind: string) =>
    rows.find((row) => row.kind === kind)?.content ?? deflateSync('');
  return {
    byRole: inflateSync(contentOf('by-role')).toString('latin1'),
    codes: byChangeKind(contentOf),
  };
}
