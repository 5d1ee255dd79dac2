/**
 * Checks the order of the change feed: epochs, and the numbers of transactions. The audit log does
 * not record them, but the entries of a writer have the order of its versions.
 */
import { plain, type Row, sql } from '../sql/statement.ts';
import { RESOURCE_NAME } from '../sql/verify.ts';

/** The versions of each server whose place in the feed is before that of an earlier one. */
const SELECT_DISORDER = sql`
  SELECT name FROM (
    SELECT v.audit_number, 'version ' || v.version || ' of ' ||
        ${RESOURCE_NAME} AS name,
      lag(v.audit_number) OVER (PARTITION BY v.audit_writer ORDER BY v.epoch, v.xid, v.key) AS before
    FROM resource_version AS v
    -- A move of a data folder writes versions of several writers in the name of one.
    JOIN audit_writer AS w ON w.number = v.audit_writer AND w.entry LIKE '%"baseUrl":%'
    LEFT JOIN resource AS r ON r.key = v.resource
  ) AS each WHERE before > audit_number`;

/** Versions of an epoch that does not exist, or of a transaction that the server has not yet run. */
const SELECT_STRANGE_PLACES = sql`
  SELECT 'version ' || v.version || ' of ' ||
    ${RESOURCE_NAME} AS name
  FROM resource_version AS v
  LEFT JOIN resource AS r ON r.key = v.resource
  LEFT JOIN database_epoch AS e ON e.epoch = v.epoch
  WHERE e.epoch IS NULL OR (
    v.xid >= pg_snapshot_xmax(pg_current_snapshot())
    AND v.epoch = (SELECT max(epoch) FROM database_epoch)
    AND e.system_identifier = (SELECT system_identifier FROM pg_control_system()))`;

export const SELECT_MISPLACED = sql`${SELECT_DISORDER} UNION ${SELECT_STRANGE_PLACES}`;

export function placeFinding({ name }: Row): string {
  return `the place of ${name} in the order of changes was changed`;
}

export const SELECT_EPOCHS = sql`
  SELECT max(epoch) AS last FROM database_epoch
  HAVING count(*) > 0 AND (min(epoch) <> 1 OR max(epoch) <> count(*))`;

export function epochFinding({ last }: Row): string {
  return `the epochs of the database up to ${last} have gaps: an epoch was changed or removed`;
}

/** Whether writers or entries are gone altogether, although a server has written. */
// A sequence keeps its place when rows are removed.
const WAS_USED = plain(`pg_sequence_last_value('resource_key_seq') IS NOT NULL`);

export const SELECT_EMPTIED = sql`
  SELECT what FROM (VALUES
    ('the list of the writers of the audit log',
      EXISTS (SELECT 1 FROM database_epoch) OR ${WAS_USED}, EXISTS (SELECT 1 FROM audit_writer)),
    ('the audit log', ${WAS_USED}, EXISTS (SELECT 1 FROM audit_entry))
  ) AS part (what, is_expected, is_found) WHERE is_expected AND NOT is_found`;

export function emptiedFinding({ what }: Row): string {
  return `${what} is empty, although a server has used the database: its rows were removed, unless all writes failed`;
}
