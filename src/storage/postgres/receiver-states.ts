/** Which edition each receiver of webhooks has: of all servers of a database, one at a time sends to it. */
import type { ReceiverState, ReceiverStates } from '../../subscriptions/webhooks.ts';
import type { DatabaseAddress } from '../database-address.ts';
import { withConnection } from './connection/connection.ts';
import { requireDatabaseSchema } from './schema.ts';

/** Editions are rare, so there is no connection between them. Without it, the lock is free. */
const OPTIONS = { name: 'gazetteer webhooks', statementTimeoutMs: 5_000 } as const;

/** Identifies these locks among those of the database: `GZWH` */
const LOCK = 0x475a5748;

export function createDatabaseReceiverStates(address: DatabaseAddress): ReceiverStates {
  return {
    exclusively: async (receiver, action) =>
      await withConnection(address, OPTIONS, async (connection) => {
        await requireDatabaseSchema(connection);
        const [lock] = await connection.query(
          'SELECT pg_try_advisory_lock($1::int, hashtext($2)) AS is_held',
          [LOCK, receiver],
        );
        if (lock?.is_held !== true) return undefined;
        const [row] = await connection.query(
          'SELECT accepted, sent, turn FROM webhook_state WHERE receiver = $1',
          [receiver],
        );
        const known = row && {
          accepted: Number(row.accepted),
          sent: Number(row.sent),
          turn: Number(row.turn),
        };
        return await action(known, async ({ accepted, sent, turn }: ReceiverState) => {
          await connection.query(SAVE, [receiver, accepted, sent, turn]);
        });
      }),
  };
}

const SAVE = `
  INSERT INTO webhook_state (receiver, accepted, sent, turn) VALUES ($1, $2, $3, $4)
  ON CONFLICT (receiver) DO UPDATE SET accepted = excluded.accepted, sent = excluded.sent,
    turn = excluded.turn`;
