/**
 * Versions of any resources in the order of their writing, and the positions of that order.
 *
 * Many transactions write at the same time, and a transaction can end after one that began later.
 * The order is that of epochs, of the numbers of transactions, and of keys. A page ends before the
 * oldest transaction that still runs, because nothing is added before it.
 *
 * A position is the epoch, the number of the transaction, the key of a version, and the start of the
 * MAC of its audit entry. After a restore, other versions may get these numbers. They then have
 * other MACs.
 */
import { historyPage } from '../../fhir/stored/history-page.ts';
import { type Change, type ChangesRequest, START_POSITION } from '../../fhir/stored/repository.ts';
import { instantText, VERSION_COLUMNS, versionOf } from '../repository/stored-version.ts';
import type { Row } from '../sql/statement.ts';
import { type ChangesAnswer, changesAnswer, UNKNOWN_POSITION } from '../threads/reader-answers.ts';
import { textArray } from './arrays.ts';
import type { Connection } from './connection/connection.ts';
import { binaryOf } from './lanes/audit-writers.ts';
import { measured } from './session.ts';

/** Call it in a transaction with one snapshot. */
export async function readChanges(
  connection: Connection,
  request: ChangesRequest,
): Promise<ChangesAnswer> {
  const { types, order, position, sinceMs, count, lengthMax } = request;
  const isNewestFirst = order === 'newest-first';
  const place = position === undefined ? undefined : await placeOf(connection, position);
  if (position !== undefined && place === undefined) return UNKNOWN_POSITION;
  const [epoch, xid, key] = place ?? (isNewestFirst ? LAST : FIRST);
  const since = sinceMs === undefined ? '' : instantText(sinceMs);
  const [rows, [end]] = await Promise.all([
    connection.queryPrepared(isNewestFirst ? NEWEST_FIRST : OLDEST_FIRST, [
      epoch,
      xid,
      key,
      textArray(types),
      since,
      count + 1,
      lengthMax,
    ]),
    connection.queryPrepared(`${SELECT_PLACE} WHERE ${IS_SETTLED} ORDER BY ${DESCENDING} LIMIT 1`),
  ]);
  return changesAnswer({
    kind: 'found',
    ...historyPage(rows.map(changeOf), request),
    end: end === undefined ? START_POSITION : positionOf(end),
  });
}

/**
 * Waits until each version that is committed now is on a page. That takes as long as a transaction
 * that began before; not longer than `WAIT_MAX_MS`, because other programs can use the server too.
 * So a client that wrote a version finds it.
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

/** Epoch, transaction and key. */
type Place = readonly [epoch: number, xid: string, key: string];

const FIRST: Place = [0, '0', '0'];
const LAST: Place = [2_147_483_647, '0', '0'];

/** Undefined if no version has the position. */
async function placeOf(connection: Connection, position: string): Promise<Place | undefined> {
  if (position === START_POSITION) return FIRST;
  const [, epoch, xid = '', key = '', start] =
    /^([1-9]\d{0,8})\.(\d{1,18})\.(\d{1,18})-([0-9a-f]{8})$/.exec(position) ?? [];
  if (epoch === undefined) return undefined;
  const [row] = await connection.queryPrepared(
    `${SELECT_PLACE} WHERE v.epoch = $1 AND v.xid = $2::text::xid8 AND v.key = $3`,
    [Number(epoch), xid, key],
  );
  return row !== undefined && macStart(row) === start ? [Number(epoch), xid, key] : undefined;
}

const JOIN_ENTRY =
  'JOIN audit_entry AS a ON a.writer = v.audit_writer AND a.number = v.audit_number';

const SELECT_PLACE = `
  SELECT v.epoch, v.xid::text AS xid, v.key, a.mac FROM resource_version AS v ${JOIN_ENTRY}`;

const ASCENDING = 'v.epoch, v.xid, v.key';
const DESCENDING = 'v.epoch DESC, v.xid DESC, v.key DESC';

/** The transactions of earlier epochs have ended. */
const IS_SETTLED = `
  (v.epoch < (SELECT max(epoch) FROM database_epoch)
    OR v.xid < pg_snapshot_xmin(pg_current_snapshot()))`;

const selectPage = (comparison: '<' | '>', order: string) =>
  measured(
    `SELECT row_number() OVER (ORDER BY ${order}) AS place, v.epoch, v.xid::text AS xid, v.key,
       a.mac, ${VERSION_COLUMNS.text}
     FROM resource_version AS v
     JOIN resource AS r ON r.key = v.resource
     ${JOIN_ENTRY}
     WHERE (v.epoch, v.xid, v.key) ${comparison} ($1::int, $2::text::xid8, $3::bigint)
       AND r.resource_type = ANY ($4::text[] COLLATE "C") AND v.written_at >= $5 AND ${IS_SETTLED}
     ORDER BY ${order} LIMIT $6`,
    '$7',
  );

const OLDEST_FIRST = selectPage('>', ASCENDING);
const NEWEST_FIRST = selectPage('<', DESCENDING);

function changeOf(row: Row): Change {
  return { ...versionOf(row), type: String(row.resource_type), position: positionOf(row) };
}

function positionOf(row: Row): string {
  return `${row.epoch}.${row.xid}.${row.key}-${macStart(row)}`;
}

/** 32 bits: enough to tell two databases apart. */
function macStart({ mac }: Row): string {
  return Buffer.from(binaryOf(mac).subarray(0, 4)).toString('hex');
}
