/** Waits until a page of the change feed can have every version that is committed now. */
import type { Connection } from './connection/connection.ts';

/**
 * That takes as long as a transaction that began before; not longer than `WAIT_MAX_MS`, because
 * other programs can use the server too. So a client that wrote a version finds it.
 */
export async function awaitSettled(
  connection: Connection,
  pause: (ms: number) => Promise<unknown>,
): Promise<void> {
  const [last] = await connection.queryPrepared(
    `SELECT xid::text FROM resource_version WHERE epoch = (SELECT max(epoch) FROM database_epoch)
     ORDER BY epoch DESC, xid DESC LIMIT 1`,
  );
  if (last === undefined) return;
  for (let waitedMs = 0; waitedMs < WAIT_MAX_MS; waitedMs += LOOK_MS) {
    const [row] = await connection.queryPrepared(
      'SELECT $1::text::xid8 < pg_snapshot_xmin(pg_current_snapshot()) AS is_settled',
      [String(last.xid)],
    );
    if (row?.is_settled === true) return;
    await pause(LOOK_MS);
  }
}

const LOOK_MS = 5;
const WAIT_MAX_MS = 250;
