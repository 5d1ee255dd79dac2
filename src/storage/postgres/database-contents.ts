/** All that a database has, to carry it to a data folder; and the way back. */
import type { DataFolder } from '../data-folder.ts';
import { StorageError } from '../storage-error.ts';
import type { StoreContents } from '../store-contents.ts';
import type { DatabaseSettings } from '../threads/repository-messages.ts';
import { withConnection } from './connection.ts';
import { readDatabaseEditions, writeDatabaseEditions } from './editions/moved-editions.ts';
import { readDatabaseOrders, writeDatabaseOrders } from './moved-orders.ts';
import { requireDatabaseSchema } from './schema.ts';

export function createDatabaseContents(
  settings: DatabaseSettings,
  openFolder: () => DataFolder,
): StoreContents {
  const { address } = settings;
  return {
    requireEmpty: () =>
      withConnection(address, { name: 'gazetteer move' }, async (connection) => {
        await requireDatabaseSchema(connection);
        const [row = {}] = await connection.query(SELECT_USE);
        if (row.is_used === true) {
          throw new StorageError(
            'refused',
            `${connection.host}: the database has editions or order responses already; name an ` +
              'empty one',
          );
        }
        if (row.has_server === true) {
          throw new StorageError(
            'locked',
            `${connection.host}: a server uses the database; stop it first`,
          );
        }
      }),
    readEditions: () => readDatabaseEditions(address, openFolder()),
    writeEditions: (editions) => writeDatabaseEditions(address, editions),
    readOrders: () => readDatabaseOrders(settings),
    writeOrders: (orders) => writeDatabaseOrders(settings, orders),
  };
}

const SELECT_USE = `
  SELECT EXISTS (SELECT 1 FROM edition) OR EXISTS (SELECT 1 FROM resource)
      OR EXISTS (SELECT 1 FROM audit_writer) AS is_used,
    EXISTS (SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'gazetteer serve') AS has_server`;
