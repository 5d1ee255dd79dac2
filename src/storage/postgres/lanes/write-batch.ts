/** Sends what a batch adds to the database: one statement for each table. */

import { lastUpdatedEntries } from '../../../fhir/search/resource-parameter.ts';
import type { SavedDelivery } from '../../../orders/subscriptions/delivery-store.ts';
import type { ChainedEntry } from '../../repository/audit-chain.ts';
import { NO_CONTENT } from '../../repository/stored-version.ts';
import type { AddedParameters } from '../../repository/transaction-tables.ts';
import type { FieldKeys } from '../../sql/search.ts';
import type { Connection } from '../connection/connection.ts';
import { bigintArray } from '../tables/arrays.ts';
import {
  bigints,
  bytes,
  type InsertedColumns,
  insertRows,
  runForAll,
  texts,
} from '../tables/insert-rows.ts';
import { type IndexedResource, insertSearchEntries } from '../tables/insert-search-entries.ts';
import type { BatchWrites, WrittenResource, WrittenVersion } from './batch-tables.ts';

export interface BatchOrigin {
  readonly writer: number;
  readonly epoch: number;
}

/** In a transaction. Sends all statements at once; rejects if one of them fails. */
export async function writeBatch(
  connection: Connection,
  fields: FieldKeys,
  writes: BatchWrites,
  { writer, epoch }: BatchOrigin,
): Promise<void> {
  const resources = [...writes.resources.values()];
  const isNew = (resource: WrittenResource) => resource.isNew;
  await Promise.all([
    insertRows(connection, 'audit_entry', writes.entries, entryColumns(writer)),
    insertRows(connection, 'resource', resources.filter(isNew), RESOURCE_COLUMNS),
    updateResources(
      connection,
      resources.filter((each) => !isNew(each)),
    ),
    insertRows(connection, 'resource_version', writes.versions, versionColumns(epoch)),
    insertSearchEntries(connection, fields, resources.flatMap(indexed)),
    insertParameters(connection, writes.parameters),
    insertRows(connection, 'kept_search', writes.searches, SEARCH_COLUMNS),
    saveDeliveries(connection, [...writes.deliveries.values()]),
  ]);
}

const entryColumns = (writer: number): InsertedColumns<ChainedEntry> => ({
  writer: bigints(() => writer),
  number: bigints(({ number }) => number),
  recorded_at: texts(({ recordedAt }) => recordedAt),
  entry: texts(({ entry }) => entry),
  mac: bytes(({ mac }) => mac),
});

const RESOURCE_COLUMNS: InsertedColumns<WrittenResource> = {
  key: bigints(({ key }) => key),
  resource_type: texts(({ type }) => type),
  id: texts(({ id }) => id),
  current_version: bigints(({ stored }) => stored.version),
};

/** The rows are locked. Removes the index entries of the versions before. */
async function updateResources(
  connection: Connection,
  resources: readonly WrittenResource[],
): Promise<void> {
  if (resources.length === 0) return;
  const keys = bigintArray(resources.map(({ key }) => key));
  await Promise.all([
    connection.queryPrepared(
      `UPDATE resource SET current_version = n.version
       FROM unnest($1::bigint[], $2::bigint[]) AS n (key, version) WHERE resource.key = n.key`,
      [keys, bigintArray(resources.map(({ stored }) => stored.version))],
    ),
    connection.queryPrepared('DELETE FROM search_entry WHERE resource = ANY ($1::bigint[])', [
      keys,
    ]),
  ]);
}

const versionColumns = (epoch: number): InsertedColumns<WrittenVersion> => ({
  epoch: bigints(() => epoch),
  resource: bigints(({ key }) => key),
  version: bigints(({ stored }) => stored.version),
  written_at: texts(({ stored }) => stored.writtenAt),
  method: texts(({ stored }) => stored.method),
  audit_writer: bigints(({ entry }) => entry.writer),
  audit_number: bigints(({ entry }) => entry.number),
  text: texts(({ stored }) => stored.text ?? NO_CONTENT),
});

function indexed({ type, key, stored, entries }: WrittenResource): IndexedResource[] {
  if (stored.text === undefined) return [];
  return [{ type, key, entries: [...entries, ...lastUpdatedEntries(stored.writtenAt)] }];
}

const PARAMETER_COLUMNS: InsertedColumns<AddedParameters> = {
  writer: bigints(({ entry }) => entry.writer),
  number: bigints(({ entry }) => entry.number),
  recorded_at: texts(({ recordedAt }) => recordedAt),
  salt: bytes(({ salt }) => salt),
  parameters: texts(({ parameters }) => parameters),
  type: texts(({ type }) => type),
  shown: texts(({ resources }) => JSON.stringify(resources)),
};

/** Adds none of a search that returned a resource which was erased after the search had read it. */
function insertParameters(
  connection: Connection,
  parameters: BatchWrites['parameters'],
): Promise<void> {
  return runForAll(
    connection,
    parameters,
    PARAMETER_COLUMNS,
    (names, arrays) =>
      `INSERT INTO audit_parameters (writer, number, recorded_at, salt, parameters)
       SELECT n.writer, n.number, n.recorded_at, n.salt, n.parameters FROM ${arrays} AS n (${names})
       WHERE NOT EXISTS (SELECT 1 FROM erasure) OR NOT EXISTS (
         SELECT 1 FROM jsonb_array_elements_text(n.shown::jsonb) AS s (id)
         JOIN resource AS r ON r.resource_type = n.type COLLATE "C" AND r.id = s.id COLLATE "C"
         JOIN erasure AS e ON e.resource = r.key)`,
  );
}

const SEARCH_COLUMNS: InsertedColumns<BatchWrites['searches'][number]> = {
  id: texts(({ id }) => id),
  expires_at: bigints(({ expiresMs }) => expiresMs),
  resource_type: texts(({ type }) => type),
  members: bytes(({ members }) => members),
};

const DELIVERY_COLUMNS: InsertedColumns<SavedDelivery> = {
  subscription: texts(({ subscription }) => subscription),
  position: texts(({ position }) => position),
  written_at: texts(({ writtenAt }) => writtenAt),
  failing_since: texts(({ failingSinceMs }) => failingSinceMs?.toFixed() ?? ''),
  problem: texts(({ problem }) => problem),
  holder: texts(({ holder = '' }) => holder),
};

function saveDeliveries(connection: Connection, states: readonly SavedDelivery[]): Promise<void> {
  return runForAll(
    connection,
    states,
    DELIVERY_COLUMNS,
    (names, arrays) =>
      `INSERT INTO subscription_delivery (subscription, position, written_at, failing_since, problem)
       SELECT n.subscription, n.position, n.written_at, NULLIF(n.failing_since, '')::bigint, n.problem
       FROM ${arrays} AS n (${names})
       WHERE n.holder = '' OR n.holder IN (SELECT l.holder FROM delivery_lease AS l FOR SHARE)
       ON CONFLICT (subscription) DO UPDATE SET position = excluded.position,
         written_at = excluded.written_at, failing_since = excluded.failing_since,
         problem = excluded.problem`,
  );
}
