/** Sends what a batch adds to the database: one statement for each table. */
import type { FieldEntry } from '../../../fhir/search/criterion.ts';
import { lastUpdatedEntries } from '../../../fhir/search/resource-parameter.ts';
import type { SavedDelivery } from '../../../subscriptions/delivery-store.ts';
import { NO_CONTENT } from '../../repository/stored-version.ts';
import type { FieldKeys } from '../../sql/search.ts';
import { rowsOf } from '../../sql/search-rows.ts';
import { bigintArray, bytesArray, textArray } from '../arrays.ts';
import type { Connection } from '../connection/connection.ts';
import { storedEntry } from '../postgres-dialect.ts';
import type { BatchWrites, WrittenResource } from './batch-tables.ts';

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
  await Promise.all([
    insertEntries(connection, writer, writes.entries),
    insertResources(
      connection,
      resources.filter(({ isNew }) => isNew),
    ),
    updateResources(
      connection,
      resources.filter(({ isNew }) => !isNew),
    ),
    insertVersions(connection, epoch, writes.versions),
    insertSearchEntries(connection, fields, resources.flatMap(indexed)),
    insertParameters(connection, writes.parameters),
    insertSearches(connection, writes.searches),
    saveDeliveries(connection, [...writes.deliveries.values()]),
  ]);
}

async function insertEntries(
  connection: Connection,
  writer: number,
  entries: BatchWrites['entries'],
): Promise<void> {
  if (entries.length === 0) return;
  await connection.queryPrepared(
    `INSERT INTO audit_entry (writer, number, recorded_at, entry, mac)
     SELECT $1::bigint, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::bytea[])`,
    [
      writer,
      bigintArray(entries.map(({ number }) => number)),
      textArray(entries.map(({ recordedAt }) => recordedAt)),
      textArray(entries.map(({ entry }) => entry)),
      bytesArray(entries.map(({ mac }) => mac)),
    ],
  );
}

async function insertResources(
  connection: Connection,
  resources: readonly WrittenResource[],
): Promise<void> {
  if (resources.length === 0) return;
  await connection.queryPrepared(
    `INSERT INTO resource (key, resource_type, id, current_version)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[])`,
    [
      bigintArray(resources.map(({ key }) => key)),
      textArray(resources.map(({ type }) => type)),
      textArray(resources.map(({ id }) => id)),
      bigintArray(resources.map(({ stored }) => stored.version)),
    ],
  );
}

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

async function insertVersions(
  connection: Connection,
  epoch: number,
  versions: BatchWrites['versions'],
): Promise<void> {
  if (versions.length === 0) return;
  await connection.queryPrepared(
    `INSERT INTO resource_version (epoch, resource, version, written_at, method, audit_writer,
       audit_number, text)
     SELECT $1::int, * FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[],
       $7::bigint[], $8::text[])`,
    [
      epoch,
      bigintArray(versions.map(({ key }) => key)),
      bigintArray(versions.map(({ stored }) => stored.version)),
      textArray(versions.map(({ stored }) => stored.writtenAt)),
      textArray(versions.map(({ stored }) => stored.method)),
      bigintArray(versions.map(({ entry }) => entry.writer)),
      bigintArray(versions.map(({ entry }) => entry.number)),
      textArray(versions.map(({ stored }) => stored.text ?? NO_CONTENT)),
    ],
  );
}

function indexed({ type, key, stored, entries }: WrittenResource): IndexedResource[] {
  if (stored.text === undefined) return [];
  return [{ type, key, entries: [...entries, ...lastUpdatedEntries(stored.writtenAt)] }];
}

/** The entries of the current version of a resource. */
interface IndexedResource {
  readonly type: string;
  readonly key: number;
  readonly entries: readonly FieldEntry[];
}

/** `fields` has the keys of all fields. */
export async function insertSearchEntries(
  connection: Connection,
  fields: FieldKeys,
  resources: readonly IndexedResource[],
): Promise<void> {
  const rows = resources.flatMap(({ type, key, entries }) => {
    const all = entries.flatMap(rowsOf).map(storedEntry);
    // A resource can have the same value twice.
    const byText = new Map(
      all.map((row) => [`${row.name}\0${row.value}\0${row.detail}`, { ...row, type, key }]),
    );
    return [...byText.values()];
  });
  if (rows.length === 0) return;
  await connection.queryPrepared(
    `INSERT INTO search_entry (field, resource, value, detail)
     SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[])`,
    [
      bigintArray(rows.map(({ type, name }) => fields.keyOf(type, name))),
      bigintArray(rows.map(({ key }) => key)),
      textArray(rows.map(({ value }) => value)),
      textArray(rows.map(({ detail }) => detail)),
    ],
  );
}

/** Adds none of a search that returned a resource which was erased after the search had read it. */
async function insertParameters(
  connection: Connection,
  parameters: BatchWrites['parameters'],
): Promise<void> {
  if (parameters.length === 0) return;
  await connection.queryPrepared(
    `INSERT INTO audit_parameters (writer, number, recorded_at, salt, parameters)
     SELECT n.writer, n.number, n.recorded_at, n.salt, n.parameters
     FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bytea[], $5::text[], $6::text[], $7::text[])
       AS n (writer, number, recorded_at, salt, parameters, type, shown)
     WHERE NOT EXISTS (SELECT 1 FROM erasure) OR NOT EXISTS (
       SELECT 1 FROM jsonb_array_elements_text(n.shown::jsonb) AS s (id)
       JOIN resource AS r ON r.resource_type = n.type COLLATE "C" AND r.id = s.id COLLATE "C"
       JOIN erasure AS e ON e.resource = r.key)`,
    [
      bigintArray(parameters.map(({ entry }) => entry.writer)),
      bigintArray(parameters.map(({ entry }) => entry.number)),
      textArray(parameters.map(({ recordedAt }) => recordedAt)),
      bytesArray(parameters.map(({ salt }) => salt)),
      textArray(parameters.map((each) => each.parameters)),
      textArray(parameters.map(({ type }) => type)),
      textArray(parameters.map(({ resources }) => JSON.stringify(resources))),
    ],
  );
}

async function insertSearches(
  connection: Connection,
  searches: BatchWrites['searches'],
): Promise<void> {
  if (searches.length === 0) return;
  await connection.queryPrepared(
    `INSERT INTO kept_search (id, expires_at, resource_type, members)
     SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bytea[])`,
    [
      textArray(searches.map(({ id }) => id)),
      bigintArray(searches.map(({ expiresMs }) => expiresMs)),
      textArray(searches.map(({ type }) => type)),
      bytesArray(searches.map(({ members }) => members)),
    ],
  );
}

async function saveDeliveries(
  connection: Connection,
  states: readonly SavedDelivery[],
): Promise<void> {
  if (states.length === 0) return;
  const columns = 'subscription, position, written_at, failing_since, problem';
  await connection.queryPrepared(
    `INSERT INTO subscription_delivery (${columns})
     SELECT n.subscription, n.position, n.written_at, NULLIF(n.failing_since, '')::bigint, n.problem
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
       AS n (${columns}, holder)
     WHERE n.holder = '' OR n.holder IN (SELECT l.holder FROM delivery_lease AS l FOR SHARE)
     ON CONFLICT (subscription) DO UPDATE SET position = excluded.position,
       written_at = excluded.written_at, failing_since = excluded.failing_since,
       problem = excluded.problem`,
    [
      textArray(states.map(({ subscription }) => subscription)),
      textArray(states.map(({ position }) => position)),
      textArray(states.map(({ writtenAt }) => writtenAt)),
      textArray(states.map(({ failingSinceMs }) => failingSinceMs?.toFixed() ?? '')),
      textArray(states.map(({ problem }) => problem)),
      textArray(states.map(({ holder = '' }) => holder)),
    ],
  );
}
