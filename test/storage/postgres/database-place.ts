/** Places for order responses in a PostgreSQL database of a test's server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import type { AuditEntry } from '../../../src/fhir/audit/audit.ts';
import { withConnection } from '../../../src/storage/postgres/connection/connection.ts';
import type { DatabaseAddress } from '../../../src/storage/postgres/connection/database-address.ts';
import { parseDatabaseUrl } from '../../../src/storage/postgres/connection/database-url.ts';
import { createDatabaseStore } from '../../../src/storage/postgres/database-store.ts';
import { needsTypeLock } from '../../../src/storage/postgres/lanes/batch-needs.ts';
import {
  type DatabaseRepositoryOptions,
  PostgresRepository,
} from '../../../src/storage/postgres/lanes/repository.ts';
import { openOrdersDatabase } from '../../../src/storage/postgres/orders/orders-database.ts';
import { verifyOrders } from '../../../src/storage/postgres/orders/verify-orders.ts';
import { migrateDatabase } from '../../../src/storage/postgres/schema/schema.ts';
import { databaseReader } from '../../../src/storage/postgres/start-database-thread.ts';
import { POSTGRES } from '../../../src/storage/postgres/tables/postgres-dialect.ts';
import { runSteps } from '../../../src/storage/postgres/tables/session.ts';
import type { ChainHead } from '../../../src/storage/repository/audit-chain.ts';
import { createRepositoryBatches } from '../../../src/storage/repository/repository-batches.ts';
import type { RepositoryCalls } from '../../../src/storage/repository/repository-operation.ts';
import { listEntries } from '../../../src/storage/sql/audit-search.ts';
import { FieldKeys } from '../../../src/storage/sql/search.ts';
import {
  createChangeLook,
  LOOK_FOR_CHANGES_MS,
} from '../../../src/storage/threads/commit-signal.ts';
import { createRepositoryClient } from '../../../src/storage/threads/repository-client.ts';
import {
  commitSignalOf,
  countResults,
  createRepositoryCounters,
} from '../../../src/storage/threads/serve-ports.ts';
import { storeOptions } from '../store-options.ts';
import type { StorePlace } from '../store-place.ts';
import { describePostgres, type PostgresServer, startPostgres } from './server.ts';

const LANES = 3;

export interface NodeOptions extends Partial<DatabaseRepositoryOptions> {
  /** How long a page of changes waits for older transactions. */
  readonly settledWaitMaxMs?: number;
}

export interface DatabasePlace extends StorePlace {
  readonly database: string;
  readonly url: string;
  readonly address: DatabaseAddress;
  readonly keyFile: string;
  /** Notes the ends of the chains of the node. */
  noteHead(): Promise<unknown>;
}

/** Makes places that are emptied and used again, because a new database takes long. */
export function createPlaces(server: () => PostgresServer) {
  const free: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-keys-'));
  let keys = 0;

  const takeDatabase = async (): Promise<string> => {
    const known = free.pop();
    if (known !== undefined) return known;
    const made = await server().createDatabase();
    await migrateDatabase(parseDatabaseUrl(server().url(made)));
    return made;
  };

  const make = async (options: NodeOptions = {}): Promise<DatabasePlace> => {
    const database = await takeDatabase();
    const taken = [database];
    const keyFile = join(folder, `audit-${++keys}.key`);
    const node = await openNode(server().url(database), keyFile, options);
    return {
      database,
      url: server().url(database),
      address: parseDatabaseUrl(server().url(database)),
      keyFile,
      store: node.store,
      commands: createDatabaseStore(server().url(database), {
        ...storeOptions(folder),
        auditKeyFile: keyFile,
      }),
      tamper: async (sql) => {
        await server().run(`SET session_replication_role = replica; ${sql}`, database);
      },
      refill: async () => {
        await migrateDatabase(parseDatabaseUrl(server().url(database)));
      },
      emptyStore: async () => {
        const other = await takeDatabase();
        taken.push(other);
        return createDatabaseStore(server().url(other), {
          ...storeOptions(folder),
          auditKeyFile: join(folder, `audit-${++keys}.key`),
        });
      },
      noteHead: () => node.repository.noteHead(),
      entries: () => entriesIn(server().url(database)),
      findings: async () => (await verdictIn(server().url(database), keyFile)).findings,
      remove: async () => {
        await node.close();
        for (const each of taken) await emptyDatabase(server(), each);
        free.push(...taken);
      },
    };
  };

  return { make, close: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Suites that get places of a server. */
export function describeOnPostgres(
  name: string,
  define: (place: ReturnType<typeof createPlaces>['make']) => void,
): void {
  describePostgres(name, () => {
    let server: PostgresServer;
    const places = createPlaces(() => server);
    before(async () => {
      server = await startPostgres();
    });
    after(async () => {
      places.close();
      await server.stop();
    });
    define(places.make);
  });
}

/** A node of a database in this thread. */
export async function openNode(
  url: string,
  keyFile: string,
  { settledWaitMaxMs, ...options }: NodeOptions = {},
) {
  const address = parseDatabaseUrl(url);
  const orders = await openOrdersDatabase(address, keyFile, { mayCreate: true });
  const repository = new PostgresRepository(orders, {
    poolSize: LANES,
    failoverSeconds: 20,
    ...options,
  });
  await repository.connect();
  const counters = createRepositoryCounters();
  const batches = createRepositoryBatches(
    async (operations, lane) => {
      const results = await repository.runBatch(operations, lane);
      countResults(counters, results, 1);
      return results;
    },
    { lanes: options.poolSize ?? LANES, needsFirstLane: needsTypeLock },
  );
  const { port1, port2 } = new MessageChannel();
  port2.on('message', ({ first, operations }: RepositoryCalls) =>
    batches.add(port2, first, operations),
  );
  const store = createRepositoryClient({
    port: port1,
    reader: databaseReader(address, settledWaitMaxMs),
    counters,
  });
  const look = createChangeLook(commitSignalOf(counters), () => repository.newestPosition());
  const timer = setInterval(() => void look().catch(() => {}), LOOK_FOR_CHANGES_MS);
  return {
    repository,
    store,
    close: async () => {
      store.close();
      clearInterval(timer);
      await batches.flush();
      await repository.close();
    },
  };
}

export function entriesIn(url: string): Promise<readonly AuditEntry[]> {
  const newest = { newest: 1_000_000 };
  return withConnection(parseDatabaseUrl(url), { name: 'test' }, async (connection) => {
    const { entries } = await runSteps(connection, listEntries(POSTGRES, new FieldKeys(), newest));
    return entries;
  });
}

/** What the verification of the database finds. */
export async function verdictIn(url: string, keyFile: string, expectedHead?: ChainHead) {
  const { address, auditKey } = await openOrdersDatabase(parseDatabaseUrl(url), keyFile);
  return withConnection(address, { name: 'test' }, (connection) =>
    connection.transaction(() =>
      runSteps(connection, verifyOrders(auditKey, expectedHead && { expectedHead })),
    ),
  );
}

/** The triggers refuse that, so they are switched off. */
async function emptyDatabase(server: PostgresServer, database: string): Promise<void> {
  await server.run(
    `SET session_replication_role = replica;
     TRUNCATE audit_writer, audit_entry, audit_parameters, resource, resource_version, erasure,
       version_erasure, hold,
       search_field, search_entry, kept_search RESTART IDENTITY`,
    database,
  );
}
