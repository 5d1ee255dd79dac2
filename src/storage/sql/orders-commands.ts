/** What commands do with the order responses of a store: export, audit, hold, verify. */

import type { AuditEntry } from '../../fhir/audit/audit.ts';
import type { ResourceAddress, StoredVersion } from '../../fhir/stored/repository.ts';
import type { DeliveryState } from '../../orders/subscriptions/delivery-store.ts';
import { StorageError } from '../files/storage-error.ts';
import { commandRecord } from '../repository/access-record.ts';
import { auditEntryOf, UnreadableEntry } from '../repository/audit-record.ts';
import { first, type Row, type Sql, type SqlSteps, sql } from '../repository/statement.ts';
import {
  instantText,
  NO_CONTENT,
  VERSION_COLUMNS,
  versionOf,
} from '../repository/stored-version.ts';
import type { CheckedPart } from '../repository/verification.ts';
import { failedCheck } from '../repository/verification.ts';
import type { AuditQuery } from './audit-search.ts';
import { listEntries } from './audit-search.ts';
import type { SqlDialect, SqlReader } from './dialect.ts';
import type { HeldResource } from './erasure.ts';
import {
  type CommandTransaction,
  heldResource,
  holdResource,
  type ResourceName,
  releaseResource,
  SELECT_HELD,
} from './erasure.ts';
import { FieldKeys } from './search.ts';
import { resourcesText } from './stored-counts.ts';
import type { OrdersVerdict } from './verify.ts';

export interface OrdersAccess {
  /** Reads what was committed at the start; servers can write at the same time. */
  read<Item>(read: (reader: SqlReader) => AsyncIterable<Item>): AsyncIterable<Item>;
  /** Runs a task in the transaction of a command. */
  command<Result>(task: (transaction: CommandTransaction) => SqlSteps<Result>): Promise<Result>;
}

/** The methods of commands for order responses. Every method throws a `StorageError`. */
export interface OrdersCommands {
  /**
   * The text of every version, oldest first, from the first one on that was written at or after
   * `sinceMs`. The audit log gets an entry before the first version is read.
   */
  exportVersions(sinceMs: number | undefined): AsyncIterable<string>;
  /** The subscriptions, without deleted and erased ones. The audit log gets no entry. */
  subscriptions(): AsyncIterable<StoredSubscription>;
  /**
   * The versions with content of the resources that have all these properties. The audit log gets
   * no entry.
   */
  storedTexts(name: Partial<ResourceName>): AsyncIterable<StoredText>;
  /** Audit entries, oldest first. */
  auditEntries(query: AuditQuery): AsyncIterable<AuditEntry>;
  /** Holds a resource, so that it is not erased; and ends a hold. */
  holdResource(name: ResourceName, reason: string): Promise<ResourceAddress>;
  releaseResource(name: ResourceName): Promise<ResourceAddress>;
  /** The resources on hold, the earliest hold first. */
  heldResources(): AsyncIterable<HeldResource>;
}

export interface StoredText extends ResourceAddress {
  readonly version: number;
  readonly isCurrent: boolean;
  /** The resource as JSON. */
  readonly text: string;
}

export interface StoredSubscription extends Pick<DeliveryState, 'failingSinceMs' | 'problem'> {
  readonly id: string;
  readonly version: number;
  /** The resource as JSON. */
  readonly text: string;
}

const SUBSCRIPTIONS = sql`SELECT ${VERSION_COLUMNS}, d.failing_since, d.problem
  FROM resource AS r
  JOIN resource_version AS v ON v.resource = r.key AND v.version = r.current_version
  LEFT JOIN subscription_delivery AS d ON d.subscription = r.id
  WHERE r.resource_type = 'Subscription' ORDER BY r.key`;

function selectTexts({ type, id }: Partial<ResourceName>): Sql {
  return sql`SELECT ${VERSION_COLUMNS}, r.current_version
    FROM resource AS r JOIN resource_version AS v ON v.resource = r.key
    WHERE v.text <> ${NO_CONTENT}
      AND ${type === undefined ? sql`TRUE` : sql`r.resource_type = ${type}`}
      AND ${id === undefined ? sql`TRUE` : sql`r.id = ${id}`}
    ORDER BY r.key, v.version`;
}

export function createOrdersCommands({ read, command }: OrdersAccess): OrdersCommands {
  return {
    exportVersions: (sinceMs) =>
      read(async function* (reader) {
        const count = await reader.run(versionCount(reader.dialect, sinceMs));
        await command((transaction) => recordExport(transaction, count));
        const versions = sql`SELECT ${VERSION_COLUMNS}
          FROM resource_version AS v JOIN resource AS r ON r.key = v.resource
          WHERE ${isSince(reader.dialect, sinceMs)} ORDER BY ${reader.dialect.versionOrder}`;
        for await (const row of reader.rows(versions)) yield exportText(row);
      }),
    subscriptions: () =>
      read(async function* (reader) {
        for await (const row of reader.rows(SUBSCRIPTIONS)) {
          const { id, version, text } = versionOf(row);
          const failingSinceMs = row.failing_since === null ? null : Number(row.failing_since);
          const problem = String(row.problem ?? '');
          if (text !== undefined) yield { id, version, text, failingSinceMs, problem };
        }
      }),
    storedTexts: (name) =>
      read(async function* (reader) {
        for await (const row of reader.rows(selectTexts(name))) {
          const { id, version, text } = versionOf(row);
          const isCurrent = Number(row.current_version) === version;
          const type = String(row.resource_type);
          if (text !== undefined) yield { type, id, version, isCurrent, text };
        }
      }),
    auditEntries: (query) =>
      read(async function* (reader) {
        try {
          const listed = listEntries(reader.dialect, new FieldKeys(), query);
          const { entries, queries } = await reader.run(listed);
          yield* entries;
          for (const each of queries) {
            for await (const row of reader.rows(each)) {
              yield auditEntryOf(row, reader.dialect.store);
            }
          }
        } catch (error) {
          throw error instanceof UnreadableEntry
            ? new StorageError('damaged', error.message, error)
            : error;
        }
      }),
    holdResource: (name, reason) =>
      command((transaction) => holdResource(transaction, name, reason)),
    releaseResource: (name) => command((transaction) => releaseResource(transaction, name)),
    heldResources: () =>
      read(async function* (reader) {
        for await (const row of reader.rows(SELECT_HELD)) yield heldResource(row);
      }),
  };
}

function* recordExport({ append }: CommandTransaction, count: number): SqlSteps<void> {
  append(commandRecord('export', { outcome: 'found', count }));
  yield []; // it has no statements of its own
}

/** The number of versions from the first one on that was written at or after a time. */
function* versionCount(dialect: SqlDialect, sinceMs: number | undefined): SqlSteps<number> {
  const row = yield* first(sql`
    SELECT count(*) AS count FROM resource_version AS v WHERE ${isSince(dialect, sinceMs)}`);
  return Number(row?.count);
}

/** Later versions are included even if the clock was set back in between. */
function isSince({ versionOrder }: SqlDialect, sinceMs: number | undefined): Sql {
  if (sinceMs === undefined) return sql`TRUE`;
  return sql`(${versionOrder}) >= (SELECT ${versionOrder} FROM resource_version AS v
    WHERE v.written_at >= ${instantText(sinceMs)} ORDER BY ${versionOrder} LIMIT 1)`;
}

/** A version that deletes a resource is a Bundle with one entry, as in a history. */
function exportText(row: Row): string {
  const version = versionOf(row);
  return version.text ?? deletionText(String(row.resource_type), version);
}

function deletionText(type: string, { id, writtenAt, method }: StoredVersion): string {
  return JSON.stringify({
    resourceType: 'Bundle',
    meta: { lastUpdated: writtenAt },
    type: 'history',
    entry: [{ request: { method, url: `${type}/${id}` } }],
  });
}

/** A store that cannot be read is a finding. */
export async function checkOrders(
  name: string,
  verify: () => OrdersVerdict | Promise<OrdersVerdict>,
): Promise<CheckedPart> {
  try {
    const verdict = await verify();
    const { findings, findingsTotal, head, remedy } = verdict;
    const unlisted = findingsTotal - findings.length;
    const more = unlisted > 0 ? [`and ${unlisted} more`] : [];
    const summary = `${resourcesText(verdict)}, ${verdict.versions} versions`;
    const listed = [...findings, ...more];
    return { name, findings: listed, summary, head, ...(remedy !== undefined && { remedy }) };
  } catch (error) {
    // A value that no version of the program writes: a number that is too large, or bytes as a text.
    if (error instanceof RangeError || isSqliteError(error)) {
      return { name, findings: [`a value cannot be read: ${error.message}`] };
    }
    return { name, ...failedCheck(error) };
  }
}

function isSqliteError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}
