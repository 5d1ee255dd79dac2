/** What the servers of a database share beside its data: fetches, receivers of webhooks, and a lease. */
import { randomUUID } from 'node:crypto';
import { type DeliveryLease, LEASE_MS } from '../../orders/subscriptions/delivery-holder.ts';
import type { ReceiverState, ReceiverStates } from '../../orders/subscriptions/webhooks.ts';
import type { Row } from '../repository/statement.ts';
import type { SharedFetches } from '../store/shared-fetches.ts';
import { type Connection, connect } from './connection/connection.ts';
import type { DatabaseAddress } from './connection/database-address.ts';
import { connectWithLock, FETCH_LOCK, SCHEDULE_LOCK } from './schema/program-lock.ts';
import { requireDatabaseSchema } from './schema/schema.ts';
import { SharedConnection } from './schema/shared-connection.ts';

/** A fetch is rare, so it has no connection between its queries. */
const FETCHES = { name: 'gazetteer fetch', statementTimeoutMs: 5_000 } as const;

export function createSharedFetches(address: DatabaseAddress): SharedFetches {
  return {
    read: async (name) => {
      await using connection = await connect(address, FETCHES);
      await requireDatabaseSchema(connection);
      const select = 'SELECT content FROM fetch_state WHERE name = $1';
      const [row] = await connection.query(select, [name]);
      return row === undefined ? undefined : String(row.content);
    },
    write: async (name, content) => {
      await using connection = await connect(address, FETCHES);
      await requireDatabaseSchema(connection);
      await connection.query(
        `INSERT INTO fetch_state (name, content) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET content = excluded.content, written_at = now()`,
        [name, content],
      );
    },
    lock: async (kind) => {
      const connection = await connectWithLock(
        address,
        kind === 'fetch' ? FETCH_LOCK : SCHEDULE_LOCK,
      );
      return { release: () => connection.close() };
    },
  };
}

/** Editions are rare, so there is no connection between them. Without it, the lock is free. */
const WEBHOOKS = { name: 'gazetteer webhooks', statementTimeoutMs: 5_000 } as const;

/** Identifies these locks among those of the database: `GZWH` */
const WEBHOOK_LOCK = 0x475a5748;

export function createDatabaseReceiverStates(address: DatabaseAddress): ReceiverStates {
  return {
    exclusively: async (receiver, action) => {
      await using connection = await connect(address, WEBHOOKS);
      await requireDatabaseSchema(connection);
      const [lock] = await connection.query(
        'SELECT pg_try_advisory_lock($1::int, hashtext($2)) AS is_held',
        [WEBHOOK_LOCK, receiver],
      );
      if (lock?.is_held !== true) return undefined;
      const [row] = await connection.query(
        'SELECT accepted, sent, turn FROM webhook_state WHERE receiver = $1',
        [receiver],
      );
      const known = row && receiverState(row);
      return await action(known, (state) => saveReceiver(connection, receiver, state));
    },
  };
}

/** The states of all receivers, by the SHA-256 of their URLs. */
export async function readSharedReceivers(
  connection: Connection,
): Promise<Record<string, ReceiverState>> {
  const rows = await connection.query('SELECT receiver, accepted, sent, turn FROM webhook_state');
  return Object.fromEntries(rows.map((row) => [String(row.receiver), receiverState(row)]));
}

export async function saveReceiver(
  connection: Connection,
  receiver: string,
  { accepted, sent, turn }: ReceiverState,
): Promise<void> {
  await connection.query(SAVE_RECEIVER, [receiver, accepted, sent, turn]);
}

function receiverState({ accepted, sent, turn }: Row): ReceiverState {
  return { accepted: Number(accepted), sent: Number(sent), turn: Number(turn) };
}

const SAVE_RECEIVER = `
  INSERT INTO webhook_state (receiver, accepted, sent, turn) VALUES ($1, $2, $3, $4)
  ON CONFLICT (receiver) DO UPDATE SET accepted = excluded.accepted, sent = excluded.sent,
    turn = excluded.turn`;

/** Lets one server deliver notifications, until it stops renewing its lease. */
export function createDeliveryLease(address: DatabaseAddress): DeliveryLease {
  const holder = randomUUID();
  const shared = new SharedConnection(address, { name: 'gazetteer deliveries' });
  return {
    holder,
    renew: () =>
      // A lost connection repeats it, which changes nothing.
      shared.read(async (connection) => {
        const rows = await connection.query(RENEW, [holder, LEASE_MS]);
        return rows.length > 0;
      }),
    release: async () => {
      try {
        await shared.read((connection) =>
          connection.query('DELETE FROM delivery_lease WHERE holder = $1', [holder]),
        );
      } finally {
        await shared.close();
      }
    },
  };
}

const RENEW = `
  INSERT INTO delivery_lease AS l (name, holder, ends_at)
  VALUES ('deliveries', $1, clock_timestamp() + $2::int * interval '1 millisecond')
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at
  WHERE l.holder = excluded.holder OR l.ends_at < clock_timestamp()
  RETURNING holder`;
