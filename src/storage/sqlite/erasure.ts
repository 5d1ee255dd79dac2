/** Erases the content of resources, immediately or by age, except for resources on hold. */
import type { DatabaseSync } from 'node:sqlite';
import type { ResourceAddress } from '../../fhir/stored/repository.ts';
import type { DataFolder } from '../data-folder.ts';
import type { AuditNumber } from '../repository/audit-record.ts';
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
import { eraseParametersBefore, eraseParametersOf } from './kept-searches.ts';
import { type RecordCommand, withCommand } from './record-command.ts';
import { ResourceTables } from './resource-tables.ts';
import { truncateLog } from './write-ahead-log.ts';

/**
 * Erases the content of all versions, or of one, from the database and from its write-ahead log.
 * The versions and their audit entries stay. Does nothing more to a resource that was erased before, except
 * that it empties the write-ahead log again. Waits for readers up to `waitMs`.
 */
export function eraseContent(
  folder: DataFolder,
  name: ContentName,
  reason: string,
  waitMs?: number,
): ErasedContent {
  let isLogEmpty = false;
  const erased = withCommand(
    folder,
    'erase',
    (database, record, nowMs) => {
      const found = find(database, name);
      const { address, holdReason } = found;
      if (holdReason !== undefined) throw heldError(address, holdReason);
      const { version } = name;
      const versions =
        version !== undefined
          ? eraseVersion(database, found, version, (about) => record({ ...about, reason }), nowMs)
          : found.isErased
            ? 0
            : eraseRow(database, found, record, reason, nowMs);
      eraseParametersOf(database, address);
      return { ...address, versions };
    },
    (database) => {
      isLogEmpty = truncateLog(database, waitMs);
    },
  );
  return { ...erased, isComplete: isLogEmpty };
}

/** Holds a resource, so that it is not erased. Replaces the reason of an earlier hold. */
export function holdResource(
  folder: DataFolder,
  name: ResourceName,
  reason: string,
): ResourceAddress {
  return withCommand(folder, 'hold', (database, record, nowMs) => {
    const { key, address, isErased } = find(database, name);
    if (isErased) throw erasedError(address);
    database
      .prepare('INSERT OR REPLACE INTO hold (resource, held_at, reason) VALUES (?, ?, ?)')
      .run(key, instantText(nowMs), reason);
    record({ outcome: 'done', ...entryOf(address), reason });
    return address;
  });
}

/** Ends a hold. */
export function releaseResource(folder: DataFolder, name: ResourceName): ResourceAddress {
  return withCommand(folder, 'release', (database, record) => {
    const { key, address, holdReason } = find(database, name);
    if (holdReason === undefined) throw notHeldError(address);
    database.prepare('DELETE FROM hold WHERE resource = ?').run(key);
    record({ outcome: 'done', ...entryOf(address), reason: holdReason });
    return address;
  });
}

/** The resources on hold, the earliest hold first. */
export function heldResources(database: DatabaseSync): HeldResource[] {
  return database
    .prepare(
      `SELECT r.resource_type, r.id, h.held_at, h.reason
       FROM hold AS h JOIN resource AS r ON r.key = h.resource ORDER BY h.held_at, h.resource`,
    )
    .all()
    .map((row) => ({
      type: String(row.resource_type),
      id: String(row.id),
      heldAt: String(row.held_at),
      reason: String(row.reason),
    }));
}

/**
 * Erases the resources that were written last before `beforeMs`, at most `limit` of them, except
 * those on hold, and the parameters of some searches before that time. Call it in a transaction.
 * Returns the number of resources and searches: 0 if none are left.
 */
export function eraseWrittenBefore(
  database: DatabaseSync,
  { beforeMs, limit }: { readonly beforeMs: number; readonly limit: number },
  record: RecordCommand,
  nowMs: number,
): number {
  const searches = eraseParametersBefore(database, beforeMs);
  const rows = database.prepare(SELECT_EXPIRED).all(instantText(beforeMs), limit);
  for (const row of rows) eraseRow(database, foundResource(row), record, undefined, nowMs);
  return rows.length + searches;
}

/** The version is the current one, and so the resource has not been written since. */
const SELECT_EXPIRED = `${SELECT_RESOURCES}
  JOIN resource_version AS v ON v.resource = r.key AND v.version = r.current_version
  WHERE v.written_at < ? AND e.resource IS NULL AND h.resource IS NULL
  ORDER BY v.written_at LIMIT ?`;

function find(database: DatabaseSync, { type, id }: ResourceName): FoundResource {
  const sql = `${SELECT_RESOURCES} WHERE r.id = ? AND (?2 IS NULL OR r.resource_type = ?2)`;
  const [row, other] = database.prepare(sql).all(id, type ?? null);
  if (row === undefined) throw absentResource({ type, id });
  if (other !== undefined) {
    throw ambiguousResource(id, [String(row.resource_type), String(other.resource_type)]);
  }
  return foundResource(row);
}

/** Returns the number of versions. */
function eraseRow(
  database: DatabaseSync,
  { key, address }: FoundResource,
  record: RecordCommand,
  reason: string | undefined,
  nowMs: number,
): number {
  const { writer, number }: AuditNumber = record({
    outcome: 'done',
    ...entryOf(address),
    ...(reason !== undefined && { reason }),
  });
  database
    .prepare(
      `INSERT INTO erasure (resource, erased_at, audit_writer, audit_number) VALUES (?, ?, ?, ?)`,
    )
    .run(key, instantText(nowMs), writer, number);
  return new ResourceTables(database).erase(key);
}

/** Returns the number of versions. */
function eraseVersion(
  database: DatabaseSync,
  found: FoundResource,
  version: number,
  record: RecordCommand,
  nowMs: number,
): number {
  const { key, address } = found;
  const row = database
    .prepare(`${SELECT_VERSION} WHERE r.key = ? AND v.version = ?`)
    .get(key, version);
  if (!hasErasableContent(row, found, version)) return 0;
  const { writer, number } = record({ outcome: 'done', ...entryOf(address), version });
  database
    .prepare(
      `INSERT INTO version_erasure (resource, version, erased_at, audit_writer, audit_number)
       VALUES (?, ?, ?, ?, ?)`,
    )
    .run(key, version, instantText(nowMs), writer, number);
  const { changes } = database
    .prepare("UPDATE resource_version SET text = '' WHERE resource = ? AND version = ?")
    .run(key, version);
  return Number(changes);
}

function entryOf({ type, id }: ResourceAddress) {
  return { resourceType: type, resource: id };
}
