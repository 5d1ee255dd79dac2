/** The search of order responses: the time in the store, and what its index costs when they are created. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchPageRequest } from '../../src/fhir/repository.ts';
import { parseSearchQuery } from '../../src/fhir/search/parse-search-query.ts';
import { resourceSearchDefinition } from '../../src/fhir/search/resource-search.ts';
import { storedSearchOf } from '../../src/order-response/search-parameters.ts';
import { type DataFolder, openDataFolder } from '../../src/storage/data-folder.ts';
import type { RepositoryOperation } from '../../src/storage/repository-operation.ts';
import { fillSearchIndex } from '../../src/storage/sqlite/fill-search-index.ts';
import { SqliteRepository } from '../../src/storage/sqlite/repository.ts';
import { openRepositoryDatabase } from '../../src/storage/sqlite/repository-database.ts';
import { SnapshotReader } from '../../src/storage/sqlite/snapshot-reader.ts';
import { aimCell, type Cell, quantile, round, type Table } from '../figures.ts';
import type { Options } from '../options.ts';
import { valueRow, valueTable } from '../value-table.ts';
import {
  createOf,
  DAYS,
  instantMs,
  NHS_NUMBER,
  nhsNumberOf,
  ORDER_NUMBER,
  ordersFolder,
  RESPONSE_NUMBER,
  userNumberOf,
  uuidOf,
} from './data.ts';

const QUERIES = 500;
const PART = 'order-search';

export function runOrderSearch(options: Options): Table[] {
  const { orders } = options;
  const cases = SEARCHES.filter(({ name }) => options.isWanted(PART, name));
  const costs = COSTS.filter(({ name }) => options.isWanted(PART, name));
  if (cases.length === 0 && costs.length === 0) return [];
  const folder = ordersFolder(orders);
  const tables: Table[] = [];
  if (cases.length > 0) {
    const columns = ['case', 'what', 'matches', 'p50 ms', 'p99 ms', 'aim'];
    const rows = cases.map((each) => measureSearch(each, folder, orders));
    const title = `Searches of ${orders} order responses, page of 20, time in the store`;
    tables.push({ name: PART, title, columns, rows });
  }
  if (costs.length > 0) {
    const rows = costs.map(({ measure }) => measure(orders));
    tables.push(valueTable('order-index', `The index of ${orders} order responses`, rows));
  }
  return tables;
}

interface SearchCase {
  readonly name: string;
  readonly what: string;
  /** A query string about the order response with this ordinal. */
  readonly queryOf: (ordinal: number, count: number) => string;
}

const SEARCHES: readonly SearchCase[] = [
  {
    name: 'order-search-nhs',
    what: 'by NHS number',
    queryOf: (at, count) => `request.patient.identifier=${NHS_NUMBER}|${nhsNumberOf(at, count)}`,
  },
  {
    name: 'order-search-nhs-alone',
    what: 'by NHS number without its system',
    queryOf: (at, count) => `request.patient.identifier=${nhsNumberOf(at, count)}`,
  },
  {
    name: 'order-search-identifier',
    what: 'by identifier',
    queryOf: (at) => `identifier=${RESPONSE_NUMBER}|R${at}`,
  },
  {
    name: 'order-search-order',
    what: 'by the identifier of the order',
    queryOf: (at) => `request.identifier=${ORDER_NUMBER}|O${at}`,
  },
  { name: 'order-search-id', what: 'by id', queryOf: (at) => `_id=${uuidOf(at)}` },
  {
    name: 'order-search-reference',
    what: 'by what fulfils the order',
    queryOf: (at) => `fulfillment=DiagnosticReport/${at}`,
  },
  {
    name: 'order-search-who',
    what: 'by practitioner',
    queryOf: (at, count) => `who.identifier=${userNumberOf(at, count)}`,
  },
  {
    name: 'order-search-day',
    what: 'by day',
    queryOf: (at, count) => `date=${dayOf(at, count)}`,
  },
  {
    name: 'order-search-since',
    what: 'from the last five days',
    queryOf: (_, count) => `date=ge${dayOf(count * (1 - 5 / DAYS), count)}`,
  },
  {
    name: 'order-search-updated',
    what: 'by the day of the last write',
    queryOf: (at, count) => `_lastUpdated=${dayOf(at, count)}`,
  },
  { name: 'order-search-status', what: 'by a rare status', queryOf: () => 'code=rejected' },
  {
    name: 'order-search-sorted',
    what: 'by day, sorted by date',
    queryOf: (at, count) => `date=${dayOf(at, count)}&_sort=date`,
  },
  {
    name: 'order-search-two',
    what: 'by NHS number and status',
    queryOf: (at, count) =>
      `request.patient.identifier=${nhsNumberOf(at, count)}&code:not=rejected`,
  },
  {
    name: 'order-search-common',
    what: 'by day and a common status',
    queryOf: (at, count) => `date=${dayOf(at, count)}&code=completed`,
  },
  {
    name: 'order-search-count',
    what: 'by day, only the total',
    queryOf: (at, count) => `date=${dayOf(at, count)}&_summary=count`,
  },
];

function dayOf(ordinal: number, count: number): string {
  return new Date(instantMs(ordinal, count)).toISOString().slice(0, 10);
}

function measureSearch({ name, what, queryOf }: SearchCase, folder: DataFolder, count: number) {
  const reader = new SnapshotReader(folder.ordersDatabase);
  const ordinals = Array.from({ length: QUERIES }, (_, at) => Math.floor((at / QUERIES) * count));
  const requests = ordinals.map((ordinal) => requestOf(queryOf(ordinal, count)));
  let matches = 0;
  const search = (request: SearchPageRequest) => {
    const { kind, result } = reader.answer({ kind: 'search', request }, Date.now());
    if (kind === 'search' && result.kind === 'found') matches = Math.max(matches, result.total);
  };
  for (const request of requests) search(request);
  const latenciesMs = requests.map((request) => {
    const startMs = performance.now();
    search(request);
    return performance.now() - startMs;
  });
  latenciesMs.sort((a, b) => a - b);
  reader.close();
  const p99 = quantile(latenciesMs, 0.99);
  const cells: Cell[] = [name, what, matches, round(quantile(latenciesMs, 0.5)), round(p99)];
  return [...cells, aimCell(name, 'p99 ms', p99)];
}

function requestOf(query: string): SearchPageRequest {
  const form = { format: 'json', isPretty: false, contentType: '' } as const;
  const {
    query: parsed,
    sort,
    count,
  } = parseSearchQuery(
    { query, isLenient: false, form, formIssue: undefined },
    resourceSearchDefinition(storedSearchOf('OrderResponse')),
    { baseUrl: 'https://orders.example' },
  );
  const limits = { lengthMax: 4 * 1024 ** 2, candidatesMax: 100_000, keepMs: 3_600_000 };
  const { criteria } = parsed;
  return { type: 'OrderResponse', criteria, sort, count, parameters: query, ...limits };
}

const COSTS: readonly { readonly name: string; readonly measure: (orders: number) => Cell[] }[] = [
  { name: 'order-index-create', measure: () => measureCreates() },
  { name: 'order-index-fill', measure: (orders) => measureFill(orders) },
];

const CREATES = 20_000;
const BATCH = 64;

/**
 * CPU time of creates with all entries, against creates whose only entry is their identifier. It is
 * the part of the store alone; `npm run bench:guard` compares the whole create.
 */
function measureCreates(): Cell[] {
  const all = Array.from({ length: CREATES }, (_, at) => createOf(at, CREATES));
  const identified = all.map(withIdentifierAlone);
  cpuOf(all.slice(0, CREATES / 4));
  const ratio = cpuOf(all) / cpuOf(identified);
  return valueRow(
    'order-index-create',
    'CPU time of a create in the store, compared with a create that indexes only the identifier',
    round(ratio),
    'times',
  );
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

function measureFill(orders: number): Cell[] {
  const { database } = openRepositoryDatabase(ordersFolder(orders));
  database.exec(`UPDATE search_index SET form = 'to be filled'`);
  const startMs = performance.now();
  fillSearchIndex(database);
  const seconds = (performance.now() - startMs) / 1000;
  database.close();
  return valueRow('order-index-fill', 'time to fill the index', round(seconds), 's');
}
