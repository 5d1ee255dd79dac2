/** Places for order responses in tests: a data folder, opened in this thread or by another thread. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MessageChannel } from 'node:worker_threads';
import type { AuditEntry } from '../../src/fhir/audit/audit.ts';
import { type DataFolder, openDataFolder } from '../../src/storage/files/data-folder.ts';
import { auditEntryOf } from '../../src/storage/repository/audit-record.ts';
import { createRepositoryBatches } from '../../src/storage/repository/repository-batches.ts';
import type {
  RepositoryCalls,
  RepositoryOperation,
  RepositoryResult,
} from '../../src/storage/repository/repository-operation.ts';
import { type AuditQuery, listEntries } from '../../src/storage/sql/audit-search.ts';
import { FieldKeys } from '../../src/storage/sql/search.ts';
import { createFileStore } from '../../src/storage/sqlite/file-store.ts';
import { type RepositoryOptions, SqliteRepository } from '../../src/storage/sqlite/repository.ts';
import {
  openRepositoryDatabase,
  openRepositorySnapshot,
} from '../../src/storage/sqlite/repository-database.ts';
import { SqliteSession } from '../../src/storage/sqlite/session.ts';
import { SQLITE } from '../../src/storage/sqlite/sqlite-dialect.ts';
import { fileReader, startOrdersThread } from '../../src/storage/sqlite/start-orders-thread.ts';
import { verifyRepository } from '../../src/storage/sqlite/verify-repository.ts';
import { createRepositoryClient } from '../../src/storage/threads/repository-client.ts';
import { countResults, createRepositoryCounters } from '../../src/storage/threads/serve-ports.ts';
import { ACCESS, identifierOf, TYPE, textOf } from './repository.contract.ts';
import type { StorePlace } from './store-place.ts';

/** Its audit log can be read at once. */
export interface SqlitePlace extends StorePlace {
  entries(): readonly AuditEntry[];
  findings(): readonly string[];
}

export function temporaryPlace(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'gazetteer-orders-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A store whose calls make batches in this thread. */
export async function placeInThisThread(options?: RepositoryOptions): Promise<SqlitePlace> {
  const { path, remove } = temporaryPlace();
  const folder = openDataFolder(join(path, 'data'));
  const { store, close } = openFolderNode(folder, options);
  return {
    store,
    entries: () => entriesOf(folder),
    findings: () => verdictOf(folder).findings,
    commands: createFileStore(folder.path),
    tamper: async (sql) => tamperWith(folder, sql),
    refill: async () => openStore(folder).close(),
    emptyStore: async () => createFileStore(openDataFolder(join(path, 'empty')).path),
    remove: async () => {
      close();
      remove();
    },
  };
}

/** Opens the order responses of a folder. Calls make batches in this thread. */
export function openFolderNode(folder: DataFolder, options?: RepositoryOptions) {
  const sqlite = openStore(folder, options);
  const counters = createRepositoryCounters();
  const batches = createRepositoryBatches((operations) => {
    const results = sqlite.runBatch(operations);
    countResults(counters, results, 1);
    return results;
  });
  const { port1, port2 } = new MessageChannel();
  port2.on('message', ({ first, operations }: RepositoryCalls) =>
    batches.add(port2, first, operations),
  );
  const reader = fileReader(folder.ordersDatabase);
  const store = createRepositoryClient({ port: port1, reader, counters });
  const close = () => {
    store.close();
    sqlite.close();
  };
  return { store, close };
}

export async function placeInThread(): Promise<SqlitePlace> {
  const { path, remove } = temporaryPlace();
  const folder = openDataFolder(join(path, 'data'));
  const thread = await startOrdersThread({ folder, onFault: () => {}, onRestart: () => {} });
  const store = createRepositoryClient(thread.connect());
  return {
    store,
    entries: () => entriesOf(folder),
    findings: () => verdictOf(folder).findings,
    commands: createFileStore(folder.path),
    tamper: async (sql) => tamperWith(folder, sql),
    refill: async () => openStore(folder).close(),
    emptyStore: async () => createFileStore(openDataFolder(join(path, 'empty')).path),
    remove: async () => {
      store.close();
      await thread.stop();
      remove();
    },
  };
}

export function openStore(folder: DataFolder, options: RepositoryOptions = {}): SqliteRepository {
  return new SqliteRepository(openRepositoryDatabase(folder), options);
}

export function entriesOf(folder: DataFolder) {
  const { database } = openRepositorySnapshot(folder);
  try {
    return auditEntriesIn(database, {});
  } finally {
    database.close();
  }
}

export function auditEntriesIn(database: DatabaseSync, query: AuditQuery): AuditEntry[] {
  const session = new SqliteSession(database);
  const { queries } = session.run(listEntries(SQLITE, new FieldKeys(), query));
  return queries.flatMap((each) =>
    Array.from(session.rows(each), (row) => auditEntryOf(row, SQLITE.store)),
  );
}

export function verdictOf(folder: DataFolder, expectedHead?: { number: number; mac: Uint8Array }) {
  const orders = openRepositorySnapshot(folder);
  try {
    return verifyRepository(orders, expectedHead && { expectedHead });
  } finally {
    orders.database.close();
  }
}

/** As somebody does who has the file, and knows SQL. */
export function tamperWith(folder: DataFolder, sql: string): void {
  const database = new DatabaseSync(folder.ordersDatabase, { enableForeignKeyConstraints: false });
  const triggers = database
    .prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`)
    .all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  database.exec(sql);
  for (const trigger of triggers) database.exec(String(trigger.sql));
  database.close();
}

export function createOperation(
  id: string,
  identifier?: string,
  note?: string,
): RepositoryOperation {
  const entries = identifier === undefined ? [] : [identifierOf(identifier)];
  const text = textOf(id, entries, note);
  return { kind: 'create', args: [{ type: TYPE, id, text, entries }, ACCESS] };
}

export function updateOperation(id: string, identifier?: string): RepositoryOperation {
  const entries = identifier === undefined ? [] : [identifierOf(identifier)];
  const update = { type: TYPE, id, text: textOf(id, entries), entries, preconditions: {} };
  return { kind: 'update', args: [update, { ...ACCESS, interaction: 'update' }] };
}

export function readOperation(id: string): RepositoryOperation {
  return {
    kind: 'read',
    args: [
      { type: TYPE, id },
      { ...ACCESS, interaction: 'read' },
    ],
  };
}

export function refusalFrom(address: string): RepositoryOperation {
  return {
    kind: 'recordRefusal',
    args: [
      { reason: 'unauthenticated', type: TYPE },
      { address, requestId: 'r', interaction: 'read' },
    ],
  };
}

export function kindsOf(results: readonly RepositoryResult[]): string[] {
  return results.map(({ kind }) => kind);
}
