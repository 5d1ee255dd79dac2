/** Reads what a batch needs, in few round trips, and locks the resources that it can change. */
import { AUDIT_EVENT, parseAuditEventId } from '../../../fhir/audit/audit-event.ts';
import type { ResourceAddress } from '../../../fhir/stored/repository.ts';
import { auditEventVersion, identityIn } from '../../repository/audit-record.ts';
import type { Row } from '../../repository/statement.ts';
import {
  NO_CONTENT,
  readHistory,
  VERSION_COLUMNS,
  versionOf,
} from '../../repository/stored-version.ts';
import { CONDITION_CANDIDATES_MAX } from '../../repository/transaction-tables.ts';
import { loadEntries } from '../../sql/audit-search.ts';
import { type FieldKeys, matchingKeys } from '../../sql/search.ts';
import type { Connection, Parameter } from '../connection/connection.ts';
import { bigintArray, storable, textArray } from '../tables/arrays.ts';
import { POSTGRES } from '../tables/postgres-dialect.ts';
import { runSteps } from '../tables/session.ts';
import { addressKey, type BatchNeeds, type TypeCondition } from './batch-needs.ts';
import type { LoadedResource, LoadedRows } from './batch-tables.ts';

/** In a transaction. The statements are sent at once, and run in their order. */
export async function loadBatch(
  connection: Connection,
  fields: FieldKeys,
  needs: BatchNeeds,
): Promise<LoadedRows> {
  const [, found, , current, versions, histories, newKeys, creators] = await Promise.all([
    lockTypes(connection, needs),
    findMatches(connection, fields, needs),
    lockResources(connection, needs.written),
    loadCurrent(connection, needs.current),
    loadVersions(connection, needs),
    Promise.all(needs.histories.map((request) => runSteps(connection, readHistory(request)))),
    loadNewKeys(connection, needs.creates),
    loadCreators(connection, needs.limitedTypes),
  ]);
  return {
    current,
    versions,
    histories: new Map(needs.histories.map((request, at) => [request, histories[at]])),
    matches: await loadMatches(connection, fields, needs, found, current),
    firstEntries: await loadFirstEntries(connection, needs, current),
    newKeys,
    creators,
  };
}

/** Until this transaction ends, no other one searches or counts these types to write to them. */
async function lockTypes(
  connection: Connection,
  { conditions, limitedTypes }: BatchNeeds,
): Promise<void> {
  const types = new Set([...limitedTypes, ...[...conditions.values()].map(({ type }) => type)]);
  await Promise.all(
    [...types]
      .sort()
      .map((type) =>
        connection.queryPrepared('SELECT pg_advisory_xact_lock($1, hashtext($2))', [
          CONDITION_LOCK,
          type,
        ]),
      ),
  );
}

/** Sets the locks of types apart from others: `GZCW` */
const CONDITION_LOCK = 0x475a4357;

/** A match as it was when the query ran. */
interface Match {
  readonly id: string;
  readonly version: number;
}

/** By condition; undefined: too costly. */
type Matches = ReadonlyMap<string, readonly Match[] | undefined>;

async function findMatches(
  connection: Connection,
  fields: FieldKeys,
  { conditions }: BatchNeeds,
): Promise<Matches> {
  return new Map(
    await Promise.all(
      [...conditions].map(
        async ([key, condition]) => [key, await findMatch(connection, fields, condition)] as const,
      ),
    ),
  );
}

async function findMatch(
  connection: Connection,
  fields: FieldKeys,
  { type, criteria }: TypeCondition,
): Promise<readonly Match[] | undefined> {
  const query = { type, criteria, sort: [], candidatesMax: CONDITION_CANDIDATES_MAX };
  const keys = await runSteps(connection, matchingKeys(POSTGRES, fields, query));
  if (keys === undefined || keys.length === 0) return keys === undefined ? undefined : [];
  const rows = await connection.queryPrepared(
    `SELECT r.id, r.current_version FROM unnest($1::bigint[]) WITH ORDINALITY AS n (key, place)
     JOIN resource AS r ON r.key = n.key ORDER BY n.place`,
    [bigintArray([...keys])],
  );
  return rows.map(({ id, current_version }) => ({
    id: String(id),
    version: Number(current_version),
  }));
}

/**
 * Locks and loads the matches that the calls can read or change, and repeats a query if one of its
 * matches was changed meanwhile. With more matches than the batch can change, the calls only count them.
 */
async function loadMatches(
  connection: Connection,
  fields: FieldKeys,
  needs: BatchNeeds,
  first: Matches,
  current: Map<string, LoadedResource | undefined>,
): Promise<LoadedRows['matches']> {
  const fewMax = 1 + needs.written.size + needs.creates;
  let found = first;
  for (let attempt = 1; needs.conditions.size > 0; attempt++) {
    const addresses = new Map<string, ResourceAddress>();
    for (const [key, matches = []] of found) {
      const type = needs.conditions.get(key)?.type ?? '';
      if (matches.length > fewMax) continue;
      for (const { id } of matches) addresses.set(addressKey({ type, id }), { type, id });
    }
    if (addresses.size === 0) break;
    const [, loaded] = await Promise.all([
      lockResources(connection, addresses),
      loadCurrent(connection, addresses),
    ]);
    for (const [address, resource] of loaded) current.set(address, resource);
    const isChanged = [...found].some(([key, matches = []]) =>
      matches.some(({ id, version }) => {
        const type = needs.conditions.get(key)?.type ?? '';
        const now = loaded.get(addressKey({ type, id }));
        return now !== undefined && now.stored.version !== version;
      }),
    );
    if (!isChanged || attempt === ATTEMPTS_MAX) break;
    found = await findMatches(connection, fields, needs);
  }
  return new Map([...found].map(([key, matches]) => [key, matches?.map(({ id }) => id)]));
}

/** The locks of one attempt stay, so that the next one finds fewer changes. */
const ATTEMPTS_MAX = 5;

type Addresses = ReadonlyMap<string, ResourceAddress>;

function addressArrays(addresses: Addresses): Parameter[] {
  const all = [...addresses.values()];
  return [textArray(all.map(({ type }) => type)), textArray(all.map(({ id }) => storable(id)))];
}

/** All transactions lock in the same order, to avoid deadlocks. */
async function lockResources(connection: Connection, addresses: Addresses): Promise<void> {
  if (addresses.size === 0) return;
  await connection.queryPrepared(
    `SELECT key FROM resource
     WHERE (resource_type, id) IN
       (SELECT type COLLATE "C", id COLLATE "C" FROM unnest($1::text[], $2::text[]) AS n (type, id))
     ORDER BY resource_type, id FOR UPDATE`,
    addressArrays(addresses),
  );
}

/** A separate statement, because a locking one can miss a version that it waited for. */
async function loadCurrent(connection: Connection, addresses: Addresses): Promise<Loaded> {
  const loaded: Loaded = new Map();
  if (addresses.size === 0) return loaded;
  await Promise.all([
    loadResources(connection, addresses, loaded),
    loadAuditEvents(connection, addresses, loaded),
  ]);
  return loaded;
}

type Loaded = Map<string, LoadedResource | undefined>;

/** Entries of the audit log, as resources that clients only read. */
async function loadAuditEvents(
  connection: Connection,
  addresses: Addresses,
  loaded: Loaded,
): Promise<void> {
  const names = [...addresses.values()].flatMap(({ type, id }) =>
    type === AUDIT_EVENT ? (parseAuditEventId(id) ?? []) : [],
  );
  for (const entry of await runSteps(connection, loadEntries(POSTGRES, names))) {
    const stored = auditEventVersion(entry);
    loaded.set(addressKey({ type: AUDIT_EVENT, id: stored.id }), { key: 0, stored });
  }
}

async function loadResources(
  connection: Connection,
  addresses: Addresses,
  loaded: Loaded,
): Promise<void> {
  const rows = await connection.queryPrepared(
    `SELECT r.key, ${VERSION_COLUMNS.text}
     FROM unnest($1::text[], $2::text[]) AS n (type, id)
     JOIN resource AS r ON r.resource_type = n.type COLLATE "C" AND r.id = n.id COLLATE "C"
     LEFT JOIN resource_version AS v ON v.resource = r.key AND v.version = r.current_version`,
    addressArrays(addresses),
  );
  for (const row of rows) {
    const address = addressKeyOf(row);
    if (row.version === null) throw new Error(`the current version of ${address} is missing`);
    loaded.set(address, { key: Number(row.key), stored: versionOf(row) });
  }
}

async function loadVersions(
  connection: Connection,
  { versions, previous }: BatchNeeds,
): Promise<LoadedRows['versions']> {
  const queries: Promise<readonly Row[]>[] = [];
  if (versions.length > 0) {
    queries.push(
      connection.queryPrepared(SELECT_NAMED, [
        textArray(versions.map(({ type }) => type)),
        textArray(versions.map(({ id }) => storable(id))),
        bigintArray(versions.map(({ version }) => version)),
      ]),
    );
  }
  if (previous.size > 0) {
    queries.push(connection.queryPrepared(SELECT_PREVIOUS, addressArrays(previous)));
  }
  const rows = (await Promise.all(queries)).flat();
  return new Map(rows.map((row) => [`${addressKeyOf(row)}/${row.version}`, versionOf(row)]));
}

const selectVersions = (named: string, version: string) => `
  SELECT ${VERSION_COLUMNS.text} FROM ${named}
  JOIN resource AS r ON r.resource_type = n.type COLLATE "C" AND r.id = n.id COLLATE "C"
  JOIN resource_version AS v ON v.resource = r.key AND v.version = ${version}`;

const SELECT_NAMED = selectVersions(
  'unnest($1::text[], $2::text[], $3::bigint[]) AS n (type, id, version)',
  'n.version',
);

const SELECT_PREVIOUS = selectVersions(
  'unnest($1::text[], $2::text[]) AS n (type, id)',
  'r.current_version - 1',
);

async function loadNewKeys(connection: Connection, count: number): Promise<readonly number[]> {
  if (count === 0) return [];
  const rows = await connection.queryPrepared(
    `SELECT nextval('resource_key_seq') AS key FROM generate_series(1, $1::int)`,
    [count],
  );
  return rows.map(({ key }) => Number(key));
}

function addressKeyOf({ resource_type, id }: Row): string {
  return addressKey({ type: String(resource_type), id: String(id) });
}

async function loadFirstEntries(
  connection: Connection,
  { needsCreators }: BatchNeeds,
  current: LoadedRows['current'],
): Promise<LoadedRows['firstEntries']> {
  if (!needsCreators || current.size === 0) return new Map();
  const rows = await connection.queryPrepared(
    `SELECT v.resource, a.entry FROM resource_version AS v
     JOIN audit_entry AS a ON a.writer = v.audit_writer AND a.number = v.audit_number
     WHERE v.resource = ANY ($1::bigint[]) AND v.version = 1`,
    [bigintArray([...current.values()].flatMap((loaded) => loaded?.key ?? []))],
  );
  return new Map(rows.map(({ resource, entry }) => [Number(resource), String(entry)]));
}

/** By `addressKey`: who created each resource of these types that has content. */
async function loadCreators(
  connection: Connection,
  types: ReadonlySet<string>,
): Promise<LoadedRows['creators']> {
  if (types.size === 0) return new Map();
  const rows = await connection.queryPrepared(
    `SELECT r.resource_type, r.id, a.entry FROM resource AS r
     JOIN resource_version AS c ON c.resource = r.key AND c.version = r.current_version
     JOIN resource_version AS v ON v.resource = r.key AND v.version = 1
     JOIN audit_entry AS a ON a.writer = v.audit_writer AND a.number = v.audit_number
     WHERE r.resource_type = ANY (SELECT type COLLATE "C" FROM unnest($1::text[]) AS n (type))
       AND c.text <> '${NO_CONTENT}'`,
    [textArray([...types])],
  );
  return new Map(rows.map((row) => [addressKeyOf(row), identityIn(String(row.entry))]));
}
