/** Erases the content of resources, at once or by age, and holds resources against that. */
import type { AuditCommand, AuditRecord } from '../../fhir/audit/audit.ts';
import { auditEventId } from '../../fhir/audit/audit-event.ts';
import { WRITE_METHODS } from '../../fhir/request/interaction-code.ts';
import type { ResourceAddress } from '../../fhir/stored/repository.ts';
import { SUBSCRIPTION } from '../../orders/subscriptions/subscription.ts';
import { StorageError } from '../files/storage-error.ts';
import { commandRecord, retentionRecord } from '../repository/access-record.ts';
import type { AuditNumber } from '../repository/audit-record.ts';
import { all, first, type Row, type SqlSteps, sql } from '../repository/statement.ts';
import { instantText, NO_CONTENT } from '../repository/stored-version.ts';
import type { SqlDialect } from './dialect.ts';

/** A resource by its id, which is enough if only one type has it. */
export interface ResourceName {
  readonly type?: string | undefined;
  readonly id: string;
}

/** The resource whose content a command erases: that of all versions, or of one. */
export interface ContentName extends ResourceName {
  readonly version?: number | undefined;
}

export interface ErasedContent extends ResourceAddress {
  /** How many versions lost their content; 0 if they had none. */
  readonly versions: number;
  /** Whether the content is gone from all files. False while a reader uses the old state. */
  readonly isComplete: boolean;
}

export interface HeldResource extends ResourceAddress {
  readonly heldAt: string;
  readonly reason: string;
}

/** The transaction of a command that changes order responses. */
export interface CommandTransaction {
  readonly dialect: SqlDialect;
  /** Adds an entry to the audit log. */
  readonly append: (record: AuditRecord) => AuditNumber;
  readonly nowMs: number;
}

/**
 * Erases the content of all versions, or of one. The versions and their audit entries stay. Does
 * nothing more to what was erased before.
 */
export function* eraseContent(
  transaction: CommandTransaction,
  name: ContentName,
  reason: string,
): SqlSteps<Omit<ErasedContent, 'isComplete'>> {
  const found = yield* find(transaction, name);
  const { address, holdReason, isErased } = found;
  if (holdReason !== undefined) {
    throw refusal(
      address,
      `is on hold (${holdReason}). End the hold with "gazetteer orders release ` +
        `${address.type}/${address.id}" first.`,
    );
  }
  const { version } = name;
  const about = { ...aboutOf(address), ...(version !== undefined && { version }) };
  const record = commandRecord('erase', { outcome: 'done', ...about, reason });
  const versions =
    version !== undefined
      ? yield* eraseVersion(transaction, found, version, record)
      : isErased
        ? 0
        : yield* eraseResource(transaction, found, record);
  yield* eraseParametersOf(transaction, address);
  return { ...address, versions };
}

/** Holds a resource, so that it is not erased. Replaces the reason of an earlier hold. */
export function* holdResource(
  transaction: CommandTransaction,
  name: ResourceName,
  reason: string,
): SqlSteps<ResourceAddress> {
  const { key, address, isErased } = yield* find(transaction, name);
  if (isErased) throw refusal(address, 'has already been erased.');
  const heldAt = instantText(transaction.nowMs);
  yield [
    sql`DELETE FROM hold WHERE resource = ${key}`,
    sql`INSERT INTO hold (resource, held_at, reason) VALUES (${key}, ${heldAt}, ${reason})`,
  ];
  transaction.append(doneBy('hold', address, reason));
  return address;
}

/** Ends a hold. */
export function* releaseResource(
  transaction: CommandTransaction,
  name: ResourceName,
): SqlSteps<ResourceAddress> {
  const { key, address, holdReason } = yield* find(transaction, name);
  if (holdReason === undefined) throw refusal(address, 'is not on hold.');
  yield [sql`DELETE FROM hold WHERE resource = ${key}`];
  transaction.append(doneBy('release', address, holdReason));
  return address;
}

/** The resources on hold, the earliest hold first. */
export const SELECT_HELD = sql`
  SELECT r.resource_type, r.id, h.held_at, h.reason
  FROM hold AS h JOIN resource AS r ON r.key = h.resource ORDER BY h.held_at, h.resource`;

/** From a row of `SELECT_HELD`. */
export function heldResource(row: Row): HeldResource {
  return {
    type: String(row.resource_type),
    id: String(row.id),
    heldAt: String(row.held_at),
    reason: String(row.reason),
  };
}

/**
 * Erases the resources that were written last before `beforeMs`, at most `limit` of them, except
 * those on hold and subscriptions that were not deleted, and the parameters of some searches before
 * that time. Returns the number of resources and searches: 0 if none are left.
 */
export function* eraseWrittenBefore(
  transaction: CommandTransaction,
  { beforeMs, limit }: { readonly beforeMs: number; readonly limit: number },
): SqlSteps<number> {
  const before = instantText(beforeMs);
  // The version is the current one, and so the resource has not been written since.
  const [searches = [], resources = []] = yield [
    sql`DELETE FROM audit_parameters WHERE (writer, number) IN (
      SELECT writer, number FROM audit_parameters WHERE recorded_at < ${before}
      LIMIT ${PARAMETERS_ERASED_MAX}) RETURNING 1`,
    sql`${SELECT_RESOURCES}
      JOIN resource_version AS v ON v.resource = r.key AND v.version = r.current_version
      WHERE v.written_at < ${before} AND e.resource IS NULL AND h.resource IS NULL
        AND (r.resource_type <> ${SUBSCRIPTION} OR v.method = ${WRITE_METHODS.delete})
      ORDER BY v.written_at LIMIT ${limit} ${transaction.dialect.forUpdate}`,
  ];
  for (const row of resources) {
    const found = foundResource(row);
    const record = retentionRecord({ outcome: 'done', ...aboutOf(found.address) });
    yield* eraseResource(transaction, found, record);
  }
  return resources.length + searches.length;
}

/** Erasing this number takes a few milliseconds, for which writes wait. */
const PARAMETERS_ERASED_MAX = 2000;

const SELECT_RESOURCES = sql`
  SELECT r.key, r.resource_type, r.id, e.resource AS erased, h.reason
  FROM resource AS r
  LEFT JOIN erasure AS e ON e.resource = r.key
  LEFT JOIN hold AS h ON h.resource = r.key`;

/** A resource as a command finds it. */
interface FoundResource {
  readonly key: number;
  readonly address: ResourceAddress;
  readonly isErased: boolean;
  readonly holdReason: string | undefined;
}

/** From a row of `SELECT_RESOURCES`. */
function foundResource(row: Row): FoundResource {
  return {
    key: Number(row.key),
    address: { type: String(row.resource_type), id: String(row.id) },
    isErased: row.erased !== null,
    holdReason: row.reason === null ? undefined : String(row.reason),
  };
}

function* find(
  { dialect }: CommandTransaction,
  { type, id }: ResourceName,
): SqlSteps<FoundResource> {
  const isNamed = sql`r.id = ${id} ${type === undefined ? sql`` : sql`AND r.resource_type = ${type}`}`;
  // A server that writes the resource at the same time waits for this transaction, or this one for it.
  const [, rows = []] = yield [
    sql`SELECT r.key FROM resource AS r WHERE ${isNamed} ${dialect.forUpdate}`,
    sql`${SELECT_RESOURCES} WHERE ${isNamed}`,
  ];
  const [found, other] = rows.map(foundResource);
  if (found === undefined) {
    const name = type === undefined ? `resource with the id ${id}` : `${type}/${id}`;
    throw new StorageError('refused', `There is no ${name}.`);
  }
  if (other === undefined) return found;
  throw new StorageError(
    'refused',
    `The types ${found.address.type} and ${other.address.type} have a resource with the id ${id}. ` +
      'Name it as TYPE/ID.',
  );
}

/** Returns the number of versions. */
function* eraseResource(
  { append, nowMs }: CommandTransaction,
  { key }: FoundResource,
  record: AuditRecord,
): SqlSteps<number> {
  const { writer, number } = append(record);
  const [, , versions = []] = yield [
    sql`INSERT INTO erasure (resource, erased_at, audit_writer, audit_number)
      VALUES (${key}, ${instantText(nowMs)}, ${writer}, ${number})`,
    sql`DELETE FROM search_entry WHERE resource = ${key}`,
    sql`UPDATE resource_version SET text = '' WHERE resource = ${key} RETURNING 1`,
  ];
  return versions.length;
}

/** Returns the number of versions. */
function* eraseVersion(
  { append, nowMs }: CommandTransaction,
  { key, address }: FoundResource,
  version: number,
  record: AuditRecord,
): SqlSteps<number> {
  const row = yield* first(sql`
    SELECT v.text, r.current_version FROM resource AS r
    JOIN resource_version AS v ON v.resource = r.key
    WHERE r.key = ${key} AND v.version = ${version}`);
  const name = `${address.type}/${address.id}`;
  if (row === undefined) {
    throw new StorageError('refused', `There is no version ${version} of ${name}.`);
  }
  if (row.text === NO_CONTENT) return 0;
  if (Number(row.current_version) === version) {
    throw new StorageError(
      'refused',
      `Version ${version} of ${name} is the current one. Update or delete the resource first, or ` +
        'erase all versions.',
    );
  }
  const { writer, number } = append(record);
  yield [
    sql`INSERT INTO version_erasure (resource, version, erased_at, audit_writer, audit_number)
      VALUES (${key}, ${version}, ${instantText(nowMs)}, ${writer}, ${number})`,
    sql`UPDATE resource_version SET text = '' WHERE resource = ${key} AND version = ${version}`,
  ];
  return 1;
}

/**
 * Erases the parameters of the searches that returned a resource, or an audit entry about it: they
 * can name its patient.
 */
function* eraseParametersOf(
  { dialect }: CommandTransaction,
  { id }: ResourceAddress,
): SqlSteps<void> {
  const about = dialect.entriesAbout([id]);
  const events = (yield* all(about)).map(({ writer, number }) =>
    auditEventId({ writer: Number(writer), number: Number(number) }),
  );
  yield [
    sql`DELETE FROM audit_parameters WHERE (writer, number) IN (
      ${about} UNION ${dialect.entriesAbout(events)})`,
  ];
}

function doneBy(command: AuditCommand, address: ResourceAddress, reason: string): AuditRecord {
  return commandRecord(command, { outcome: 'done', ...aboutOf(address), reason });
}

function aboutOf({ type, id }: ResourceAddress) {
  return { resourceType: type, resource: id };
}

function refusal({ type, id }: ResourceAddress, why: string): StorageError {
  return new StorageError('refused', `${type}/${id} ${why}`);
}
