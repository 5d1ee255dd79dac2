/** Stores that data moves between, and their failures. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openDataFolder } from '../../../src/storage/files/data-folder.ts';
import { parseDatabaseUrl } from '../../../src/storage/postgres/connection/database-url.ts';
import { createDatabaseStore } from '../../../src/storage/postgres/database-store.ts';
import { migrateDatabase } from '../../../src/storage/postgres/schema/schema.ts';
import { createFileStore } from '../../../src/storage/sqlite/file-store.ts';
import type { Store } from '../../../src/storage/store/store.ts';
import type { MovedContents } from '../../../src/storage/store/store-contents.ts';
import type { RepositoryClient } from '../../../src/storage/threads/repository-client.ts';
import { runInProcess } from '../../cli/run-in-process.ts';
import { postcodeBytes } from '../../directory/places/postcode-rows.ts';
import { bytesOfGps } from '../../directory/practitioners/practitioner-files.ts';
import { importedSample } from '../../imported-sample.ts';
import { SAMPLE } from '../../journeys/program.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { failingAt, fillForMove } from '../moved-data.ts';
import { openFolderNode } from '../repository-place.ts';
import { storeOptions } from '../store-options.ts';
import { openNode } from './database-place.ts';
import type { PostgresServer } from './server.ts';

export interface DatabaseTarget {
  readonly name: string;
  readonly url: string;
  /** The key of the audit log, which a move makes. */
  readonly keyFile: string;
  readonly store: Store;
}

/** A store that data moves to or from, and what serves it. */
export interface MovingPlace {
  readonly isFolder: boolean;
  readonly commands: Store;
  open(): Promise<MovingNode>;
}

export interface MovingNode {
  readonly store: RepositoryClient;
  close(): void | Promise<void>;
}

export function folderPlace(context: TestContext): MovingPlace {
  const folder = openDataFolder(join(temporaryFolder(context), 'data'));
  return {
    isFolder: true,
    commands: createFileStore(folder.path),
    open: async () => openFolderNode(folder),
  };
}

export async function databasePlace(
  context: TestContext,
  server: PostgresServer,
): Promise<MovingPlace> {
  const { url, keyFile, store } = await newDatabase(context, server);
  return { isFolder: false, commands: store, open: () => openNode(url, keyFile) };
}

export function newFolderStore(context: TestContext): Store {
  return createFileStore(join(temporaryFolder(context), 'data'));
}

export async function newDatabase(
  context: TestContext,
  server: PostgresServer,
): Promise<DatabaseTarget> {
  const name = await server.createDatabase();
  const url = server.url(name);
  await migrateDatabase(parseDatabaseUrl(url));
  const local = temporaryFolder(context);
  const keyFile = join(local, 'audit.key');
  const store = createDatabaseStore(url, { ...storeOptions(local), auditKeyFile: keyFile });
  return { name, url, keyFile, store };
}

/** Two editions, of which one is pruned, postcodes, practitioners, receivers of webhooks, and order responses. */
export async function filledFolder(context: TestContext): Promise<Store> {
  const data = await importedSample(context);
  const words = ['import', SAMPLE, '--include-archive', '--data', data, '--editions-keep', '1'];
  assert.equal((await runInProcess(words)).code, 0);
  const store = createFileStore(data);
  await store.postcodes.publish(postcodeBytes([{ postcode: 'LS1 4AP' }]));
  await store.practitioners.publish(bytesOfGps(2));
  await store.receiverStates.exclusively('receiver', (_known, save) =>
    save({ accepted: 1, sent: 2, turn: 3 }),
  );
  const node = openFolderNode(openDataFolder(data));
  await fillForMove(node.store, store);
  node.close();
  return store;
}

/** Order responses of several writers. */
export async function filledDatabase(context: TestContext, server: PostgresServer): Promise<Store> {
  const { url, keyFile, store } = await newDatabase(context, server);
  const node = await openNode(url, keyFile);
  await fillForMove(node.store, store);
  await node.close();
  return store;
}

export async function move(from: Store, to: Store): Promise<void> {
  using _source = await from.contents.reserveAsSource();
  using _target = await to.contents.reserveAsTarget();
  await using contents = await from.contents.read();
  await to.contents.write(contents);
}

/** Moves contents that cannot be read beyond a step. */
export async function moveFailing(contents: MovedContents, step: string, to: Store): Promise<void> {
  using _target = await to.contents.reserveAsTarget();
  const fail = () => {
    throw new Error(`failed at ${step}`);
  };
  await to.contents.write(failingAt(contents, step, fail));
}

export async function findingsOf(store: Store): Promise<readonly string[]> {
  const parts = await Array.fromAsync(store.verify({}));
  return parts.flatMap(({ findings }) => findings);
}

/** Without the tables that an empty database has rows in. */
export async function tablesWithRows(
  server: PostgresServer,
  database: string,
): Promise<readonly string[]> {
  const tables = await server.run(
    `SELECT relname FROM pg_class
     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
    database,
  );
  const counts = tables
    .map(({ relname }) => String(relname))
    .filter((name) => !ROWS_OF_EMPTY.includes(name))
    .map((name) => `SELECT '${name}' AS name WHERE EXISTS (SELECT 1 FROM ${name})`);
  const rows = await server.run(counts.join(' UNION ALL '), database);
  return rows.map(({ name }) => String(name));
}

const ROWS_OF_EMPTY: readonly string[] = ['schema_version', 'search_index', 'database_epoch'];
