/** Lets one server of a database deliver notifications, until it stops renewing its lease. */
import { randomUUID } from 'node:crypto';
import { type DeliveryLease, LEASE_MS } from '../../subscriptions/delivery-holder.ts';
import type { DatabaseAddress } from '../database-address.ts';
import { SharedConnection } from './connection/shared-connection.ts';

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
