/** Erases the content of resources, at once or by age, and holds resources against that. */
import type { AuditCommand, AuditRecord } from '../../fhir/audit/audit.ts';
import type { ResourceAddress } from '../../fhir/stored/repository.ts';
import { commandRecord, retentionRecord } from '../repository/command-record.ts';
import {
  absentResource,
  ambiguousResource,
  type ContentName,
  type ErasedContent,
  erasedError,
  type FoundResource,
  foundResource,
  type HeldResource,
  hasErasableContent,
  heldError,
  notHeldError,
  type ResourceName,
  SELECT_RESOURCES,
  SELECT_VERSION,
} from '../repository/erased-content.ts';
import { instantText } from '../repository/stored-version.ts';
import type { CommandSession, CommandTransaction } from './command-session.ts';
import type { Connection } from './connection.ts';

/**
 * Erases the content of all versions, or of one. The versions and their audit entries stay. PostgreSQL keeps
 * the old rows until it vacuums the table, which this function does at once.
 */
export async function eraseDatabaseContent(
  session: CommandSession,
  name: ContentName,
  reason: string,
): Promise<Omit<ErasedContent, 'isComplete'>> {
  return session.run(async (transaction) => {
    const found = await find(transaction.connection, name);
    const { address, holdReason, isErased } = found;
    if (holdReason !== undefined) throw heldError(address, holdReason);
    const { version } = name;
    const about = { ...aboutOf(address), ...(version !== undefined && { version }) };
    const record = commandRecord('erase', { outcome: 'done', ...about, reason });
    const versions =
      version !== undefined
        ? await eraseVersion(transaction, found, version, record)
        : isErased
          ? 0
          : await eraseResource(transaction, found, record);
    await eraseParametersOf(transaction.connection, address);
    return { ...address, versions };
  });
}

/** Holds a resource, so that it is not erased. Replaces the reason of an earlier hold. */
export async function holdDatabaseResource(
  session: CommandSession,
  name: ResourceName,
  reason: string,
): Promise<ResourceAddress> {
  return session.run(async ({ connection, append, nowMs }) => {
    const { key, address, isErased } = await find(connection, name);
    if (isErased) throw erasedError(address);
    await connection.query('DELETE FROM hold WHERE resource = $1', [key]);
    await connection.query('INSERT INTO hold (resource, held_at, reason) VALUES ($1, $2, $3)', [
      key,
      instantText(nowMs),
      reason,
    ]);
    await append(doneBy('hold', address, reason));
    return address;
  });
}

/** Ends a hold. */
export async function releaseDatabaseResource(
  session: CommandSession,
  name: ResourceName,
): Promise<ResourceAddress> {
  return session.run(async ({ connection, append }) => {
    const { key, address, holdReason } = await find(connection, name);
    if (holdReason === undefined) throw notHeldError(address);
    await connection.query('DELETE FROM hold WHERE resource = $1', [key]);
    await append(doneBy('release', address, holdReason));
    return address;
  });
}

/** The resources on hold, the earliest hold first. */
export async function listHeldResources(connection: Connection): Promise<HeldResource[]> {
  const rows = await connection.query(
    `SELECT r.resource_type, r.id, h.held_at, h.reason
     FROM hold AS h JOIN resource AS r ON r.key = h.resource ORDER BY h.held_at, h.resource`,
  );
  return rows.map((row) => ({
    type: String(row.resource_type),
    id: String(row.id),
    heldAt: String(row.held_at),
    reason: String(row.reason),
  }));
}

/**
 * Erases the resources that were written last before `beforeMs`, at most `limit` of them, except
 * those on hold, and the parameters of some searches before that time. Returns the number of
 * resources and searches: 0 if none are left, or while another node does this.
 */
export async function eraseDatabaseExpired(
  session: CommandSession,
  { beforeMs, limit }: { readonly beforeMs: number; readonly limit: number },
): Promise<number> {
  const before = instantText(beforeMs);
  return session.run(async (transaction) => {
    const { connection } = transaction;
    const [lock] = await connection.query('SELECT pg_try_advisory_xact_lock($1) AS is_free', [
      RETENTION_LOCK,
    ]);
    if (lock?.is_free !== true) return 0;
    const [searches] = await connection.query(
      `WITH erased AS (DELETE FROM audit_parameters WHERE (writer, number) IN (
         SELECT writer, number FROM audit_parameters WHERE recorded_at < $1 LIMIT $2) RETURNING 1)
       SELECT count(*) AS count FROM erased`,
      [before, PARAMETERS_ERASED_MAX],
    );
    const rows = await connection.query(SELECT_EXPIRED, [before, limit]);
    for (const row of rows) {
      const found = foundResource(row);
      const record = retentionRecord({ outcome: 'done', ...aboutOf(found.address) });
      await eraseResource(transaction, found, record);
    }
    return rows.length + Number(searches?.count);
  });
}

/** Only one node erases at a time: `GZRT` */
const RETENTION_LOCK = 0x475a5254;

const PARAMETERS_ERASED_MAX = 2000;

/** The version is the current one, and so the resource has not been written since. */
const SELECT_EXPIRED = `${SELECT_RESOURCES}
  JOIN resource_version AS v ON v.resource = r.key AND v.version = r.current_version
  WHERE v.written_at < $1 AND e.resource IS NULL AND h.resource IS NULL
  ORDER BY v.written_at LIMIT $2 FOR UPDATE OF r`;

async function find(connection: Connection, { type, id }: ResourceName): Promise<FoundResource> {
  // A server that writes the resource at the same time waits for this transaction, or this one for it.
  await connection.query(
    'SELECT key FROM resource WHERE id = $1 AND ($2::text IS NULL OR resource_type = $2) FOR UPDATE',
    [id, type ?? null],
  );
  const [row, other] = await connection.query(
    `${SELECT_RESOURCES} WHERE r.id = $1 AND ($2::text IS NULL OR r.resource_type = $2)`,
    [id, type ?? null],
  );
  if (row === undefined) throw absentResource({ type, id });
  if (other !== undefined) {
    throw ambiguousResource(id, [String(row.resource_type), String(other.resource_type)]);
  }
  return foundResource(row);
}

/** Returns the number of versions. */
async function eraseResource(
  { connection, append, nowMs }: CommandTransaction,
  { key }: FoundResource,
  record: AuditRecord,
): Promise<number> {
  const { writer, number } = await append(record);
  await connection.query(
    `INSERT INTO erasure (resource, erased_at, audit_writer, audit_number) VALUES ($1, $2, $3, $4)`,
    [key, instantText(nowMs), writer, number],
  );
  await connection.query('DELETE FROM search_entry WHERE resource = $1', [key]);
  const [row] = await connection.query(
    `WITH erased AS (UPDATE resource_version SET text = '' WHERE resource = $1 RETURNING 1)
     SELECT count(*) AS versions FROM erased`,
    [key],
  );
  return Number(row?.versions);
}

/** Returns the number of versions. */
async function eraseVersion(
  { connection, append, nowMs }: CommandTransaction,
  found: FoundResource,
  version: number,
  record: AuditRecord,
): Promise<number> {
  const { key } = found;
  const [row] = await connection.query(`${SELECT_VERSION} WHERE r.key = $1 AND v.version = $2`, [
    key,
    version,
  ]);
  if (!hasErasableContent(row, found, version)) return 0;
  const { writer, number } = await append(record);
  await connection.query(
    `INSERT INTO version_erasure (resource, version, erased_at, audit_writer, audit_number)
     VALUES ($1, $2, $3, $4, $5)`,
    [key, version, instantText(nowMs), writer, number],
  );
  await connection.query(
    "UPDATE resource_version SET text = '' WHERE resource = $1 AND version = $2",
    [key, version],
  );
  return 1;
}

/**
 * Erases the parameters of the searches that returned a resource, or an audit entry about it: they
 * can name its patient.
 */
async function eraseParametersOf(connection: Connection, { id }: ResourceAddress): Promise<void> {
  await connection.query(
    `WITH about AS MATERIALIZED (
       SELECT writer, number FROM audit_entry
       WHERE entry::jsonb ->> 'resource' = $1 OR (${IS_LIST} AND entry::jsonb -> 'resources' ? $1)
     ), shown AS (
       SELECT writer, number FROM audit_entry
       WHERE ${IS_LIST} AND entry::jsonb -> 'resources' ?| (SELECT array_agg(${EVENT_ID}) FROM about)
     )
     DELETE FROM audit_parameters WHERE (writer, number) IN (
       SELECT writer, number FROM about UNION SELECT writer, number FROM shown)`,
    [id],
  );
}

/** The condition of the index of the entries that list resources. */
const IS_LIST = `entry LIKE '%"resources":%'`;

/** As `auditEventId` makes it. */
const EVENT_ID = `CASE writer WHEN 1 THEN '' ELSE writer || '-' END || number`;

function doneBy(command: AuditCommand, address: ResourceAddress, reason: string): AuditRecord {
  return commandRecord(command, { outcome: 'done', ...aboutOf(address), reason });
}

function aboutOf({ type, id }: ResourceAddress) {
  return { resourceType: type, resource: id };
}
