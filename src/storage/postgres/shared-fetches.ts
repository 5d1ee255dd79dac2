/** The state and the locks of fetches in a database. */

import type { DatabaseAddress } from '../database-address.ts';
import type { SharedFetches } from '../store.ts';
import { withConnection } from './connection/connection.ts';
import { connectWithLock, FETCH_LOCK, SCHEDULE_LOCK } from './connection/program-lock.ts';
import { requireDatabaseSchema } from './schema.ts';

/** A fetch is rare, so it has no connection between its queries. */
const OPTIONS = { name: 'gazetteer fetch', statementTimeoutMs: 5_000 } as const;

export function createSharedFetches(address: DatabaseAddress): SharedFetches {
  return {
    read: (name) =>
      withConnection(address, OPTIONS, async (connection) => {
        await requireDatabaseSchema(connection);
        const [row] = await connection.query('SELECT content FROM fetch_state WHERE name = $1', [
          name,
        ]);
        return row === undefined ? undefined : String(row.content);
      }),
    write: (name, content) =>
      withConnection(address, OPTIONS, async (connection) => {
        await requireDatabaseSchema(connection);
        await connection.query(
          `INSERT INTO fetch_state (name, content) VALUES ($1, $2)
           ON CONFLICT (name) DO UPDATE SET content = excluded.content, written_at = now()`,
          [name, content],
        );
      }),
    lock: async (kind) => {
      const connection = await connectWithLock(
        address,
        kind === 'fetch' ? FETCH_LOCK : SCHEDULE_LOCK,
      );
      return { release: () => connection.close() };
    },
  };
}
