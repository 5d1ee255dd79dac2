/** The store of many order responses: its searches, its feed, and what its index costs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DataFolder, openDataFolder } from '../../src/storage/files/data-folder.ts';
import type { ReaderCall } from '../../src/storage/repository/reader-answers.ts';
import type { RepositoryOperation } from '../../src/storage/repository/repository-operation.ts';
import { SqliteRepository } from '../../src/storage/sqlite/repository.ts';
import { openRepositoryDatabase } from '../../src/storage/sqlite/repository-database.ts';
import { SnapshotReader } from '../../src/storage/sqlite/snapshot-reader.ts';
import { RESULTS } from '../data.ts';
import { aimCell, type Cell, quantile, round, type Table } from '../figures.ts';
import type { Options } from '../options.ts';
import { valueRow, valueTable } from '../value-table.ts';
import { FEED_PAGES, type ReaderCase, SEARCHES } from './calls.ts';
import { copyFolder, createOf, firstSchemaFolder, ordersFolder } from './data.ts';

const CALLS = 500;

export function runOrderSearch(options: Options): Table[] {
  const { orders } = options;
  return [
    ...runReader(
      options,
      'order-search',
      SEARCHES,
      `Searches of ${orders} order responses, page of 20`,
    ),
    ...runReader(
      options,
      'order-feed',
      FEED_PAGES,
      `Changes of ${orders} order responses, page of 100`,
    ),
    ...runCosts(options),
  ];
}

function runReader(
  options: Options,
  name: string,
  all: readonly ReaderCase[],
  title: string,
): Table[] {
  const cases = all.filter((one) => options.isWanted(name, one.name));
  if (cases.length === 0) return [];
  const folder = ordersFolder(options.orders);
  const columns = ['case', 'what', 'matches', 'p50 ms', 'p99 ms', 'CPU ms', 'aim'];
  const rows = cases.map((one) => measureCalls(one, folder, options));
  return [{ name, title: `${title}, time in the store`, columns, rows }];
}

/** Takes the fastest round of each call, because other programs on the machine delay the others. */
function measureCalls(
  { name, what, callOf }: ReaderCase,
  folder: DataFolder,
  { orders, rounds }: Options,
): Cell[] {
  const reader = new SnapshotReader(folder.ordersDatabase);
  const ordinals = Array.from({ length: CALLS }, (_, at) => Math.floor((at / CALLS) * orders));
  const calls = ordinals.map((ordinal) => callOf(ordinal, orders, reader));
  const matches = Math.max(...calls.map((call) => matchesOf(reader, call)));
  const latenciesMs = calls.map(() => Number.POSITIVE_INFINITY);
  const before = process.cpuUsage();
  for (let turn = 0; turn < rounds; turn++) {
    for (const [at, call] of calls.entries()) {
      const startMs = performance.now();
      reader.answer(call, Date.now());
      latenciesMs[at] = Math.min(latenciesMs[at] ?? 0, performance.now() - startMs);
    }
  }
  const { user, system } = process.cpuUsage(before);
  reader.close();
  latenciesMs.sort((a, b) => a - b);
  const p99 = quantile(latenciesMs, 0.99);
  const cpuMs = (user + system) / 1000 / CALLS / rounds;
  const figures = [quantile(latenciesMs, 0.5), p99, cpuMs].map(round);
  return [name, what, matches, ...figures, aimCell(name, 'p99 ms', p99)];
}

function matchesOf(reader: SnapshotReader, call: ReaderCall): number {
  const { result } = reader.answer(call, Date.now());
  if (result.kind !== 'found') return 0;
  if ('facts' in result) return result.facts.length;
  return 'total' in result ? result.total : result.versions.length;
}

function runCosts(options: Options): Table[] {
  const { orders } = options;
  const rows = [
    ...(options.isWanted('order-index', 'order-index-create') ? measureCreates() : []),
    ...(options.isWanted('order-index', 'order-migrate') ? measureMigration(orders) : []),
  ];
  if (rows.length === 0) return [];
  return [valueTable('order-index', `The indexes of ${orders} order responses`, rows)];
}

const CREATES = 20_000;
const BATCH = 64;

/**
 * CPU time of creates with all entries, against creates whose only entry is their identifier. It is
 * the part of the store alone; `npm run bench:guard` compares the whole create.
 */
function measureCreates(): Cell[][] {
  const all = Array.from({ length: CREATES }, (_, at) => createOf(at, CREATES));
  const identified = all.map(withIdentifierAlone);
  cpuOf(all.slice(0, CREATES / 4));
  const ratio = cpuOf(all) / cpuOf(identified);
  return [
    valueRow(
      'order-index-create',
      'CPU time of a create in the store, compared with a create that indexes only the identifier',
      round(ratio),
      'times',
    ),
  ];
}

function withIdentifierAlone(operation: RepositoryOperation): RepositoryOperation {
  if (operation.kind !== 'create') return operation;
  const [creation, access] = operation.args;
  const entries = creation.entries.filter(({ field }) => field === 'identifier');
  return { kind: 'create', args: [{ ...creation, entries }, access] };
}

function cpuOf(operations: readonly RepositoryOperation[]): number {
  const path = mkdtempSync(join(tmpdir(), 'gazetteer-bench-orders-'));
  const store = new SqliteRepository(openRepositoryDatabase(openDataFolder(path)));
  const before = process.cpuUsage();
  for (let at = 0; at < operations.length; at += BATCH) {
    store.runBatch(operations.slice(at, at + BATCH));
  }
  const { user, system } = process.cpuUsage(before);
  store.close();
  rmSync(path, { recursive: true });
  return user + system;
}

/** What a first start does with a database of the first schema. */
function measureMigration(orders: number): Cell[][] {
  const path = mkdtempSync(join(RESULTS, 'orders', 'migrated-'));
  try {
    const folder = copyFolder(firstSchemaFolder(orders), path);
    const before = process.cpuUsage();
    const startMs = performance.now();
    const opened = openRepositoryDatabase(folder);
    const migratedMs = performance.now();
    new SqliteRepository(opened).close();
    const endMs = performance.now();
    const { user, system } = process.cpuUsage(before);
    const row = (name: string, what: string, ms: number) =>
      valueRow(name, what, round(ms / 1000), 's');
    return [
      row('order-migrate', 'first start with the first schema', endMs - startMs),
      row('order-migrate-schema', 'of this: the migration of the schema', migratedMs - startMs),
      row(
        'order-migrate-index',
        'of this: the indexes of searches and of the audit log',
        endMs - migratedMs,
      ),
      row('order-migrate-cpu', 'CPU time of the first start', (user + system) / 1000),
    ];
  } finally {
    rmSync(path, { recursive: true });
  }
}
