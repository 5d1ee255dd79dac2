/**
 * Epochs of the database. Transactions of a server are numbered in their order. After a dump was
 * restored on another server, the numbers start again, so a new epoch begins.
 */
import { instantText } from '../repository/stored-version.ts';
import type { Connection } from './connection.ts';

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
