/**
 * Writes that the database has lost after their commit: a replica that did not have them yet became
 * the primary. The list of writers records each loss, and that an operator knows of it.
 */
import type { ChainHead } from '../../repository/audit-chain.ts';
import { type Connection, connect } from '../connection/connection.ts';
import type { DatabaseSettings } from '../connection/database-settings.ts';
import { openOrdersDatabase } from '../orders/orders-database.ts';
import { binaryOf, noteHeads } from '../tables/audit-writers.ts';
import type { WriterChain } from './batch-tables.ts';

/**
 * Whether the database lacks the writer of a chain, or entries up to its head. Records the loss of
 * entries. `start` is the head before the first entry.
 */
export async function hasLostEntries(
  connection: Connection,
  { writer, key, head }: WriterChain,
  start: ChainHead,
  nowMs: number,
): Promise<boolean> {
  const rows = await connection.query(SELECT_HEAD, [writer, Buffer.from(start.mac)]);
  const [{ number = 0, mac } = {}] = rows;
  const isBehind = Number(number) < head.number;
  const isOther = Number(number) === head.number && head.number > 0 && !isSame(mac, head.mac);
  if (rows.length > 0 && !isBehind && !isOther) return false;
  if (head.number > 0) {
    await noteHeads(connection, key, new Map([[writer, head]]), nowMs, { isLost: true });
  }
  return true;
}

const SELECT_HEAD = `
  SELECT e.number, e.mac FROM audit_writer AS w
  LEFT JOIN LATERAL (SELECT * FROM audit_entry WHERE writer = w.number ORDER BY number DESC LIMIT 1)
    AS e ON true
  WHERE w.number = $1 AND w.mac = $2`;

function isSame(mac: unknown, other: Uint8Array): boolean {
  return Buffer.compare(binaryOf(mac), other) === 0;
}

/** The number of losses that no operator has confirmed. */
export async function countLosses(connection: Connection): Promise<number> {
  const [row] = await connection.query(
    `SELECT count(*) AS losses FROM audit_writer WHERE entry LIKE '%"isLost":true%' AND number >
       (SELECT coalesce(max(number), 0) FROM audit_writer WHERE entry LIKE '%"isConfirmed":true%')`,
  );
  return Number(row?.losses);
}

/** Records that an operator knows of the losses. Returns their number. */
export async function confirmDatabaseLosses(settings: DatabaseSettings): Promise<number> {
  const { address, auditKey } = await openOrdersDatabase(settings.address, settings.auditKeyFile);
  await using connection = await connect(address, { name: 'gazetteer command' });
  const losses = await countLosses(connection);
  if (losses > 0) {
    await noteHeads(connection, auditKey, new Map(), Date.now(), { isConfirmed: true });
  }
  return losses;
}
