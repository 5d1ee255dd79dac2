/** Measures the search engine alone: build time, bytes a record, and how long each search takes. */

import { parseArgs } from 'node:util';
import type { NamedArrays, NumberArray } from '../../src/directory/arrays.ts';
import { buildIndex } from '../../src/directory/index/build-index.ts';
import { type Index, openIndex } from '../../src/directory/index/open-index.ts';
import { type QueryKind, queryKindsOf } from './sample-queries.ts';
import { createRandom, createSampleRecords } from './sample-records.ts';

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '350000' },
    queries: { type: 'string', default: '10000' },
    passes: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    arrays: { type: 'boolean', default: false },
  },
});
const recordCount = Number(options.records);
const queryCount = Number(options.queries);
/**
 * Each query is timed once in every pass over all of them, and its shortest time counts: what else
 * runs on the machine falls out, while between two passes thousands of others have used the caches.
 */
const passes = Number(options.passes);
const seed = Number(options.seed);
/** Enough calls for the compiler to have settled before the clock counts. */
const WARM_UP = 500;
const PAGE_ROWS = 20;

const records = createSampleRecords(recordCount, seed);
const generateMs = timeMs(() => {
  for (let row = 0; row < recordCount; row++) records.recordAt(row);
});
let built: NamedArrays = {};
const buildMs = timeMs(() => {
  built = buildIndex(recordCount, records.recordAt);
});
const arrays = Object.fromEntries(
  Object.entries(built).map(([name, array]) => [name, share(array)]),
);
built = {};
let index: Index = openIndex(arrays);
const openMs = timeMs(() => {
  index = openIndex(arrays);
});

console.log(`${recordCount} records; made up in ${Math.round(generateMs)} ms`);
console.log(
  `build ${Math.round(buildMs)} ms, making them up included; open ${openMs.toFixed(2)} ms`,
);
console.log(`peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`);
reportBytes();
reportReads();
console.log(`\n${'µs'.padEnd(40)}${row(['p50', 'p90', 'p99', 'max', 'total p50', 'total max'])}`);
for (const kind of queryKindsOf(records)) measure(kind);

function measure({ name, criteria }: QueryKind): void {
  const random = createRandom(seed + 1);
  const queries = Array.from({ length: queryCount }, () => ({ criteria: criteria(random) }));
  for (const query of queries.slice(0, WARM_UP)) index.search(query, 0, PAGE_ROWS);
  const times = new Float64Array(queryCount).fill(Number.POSITIVE_INFINITY);
  const totals = new Float64Array(queryCount);
  for (let pass = 0; pass < passes; pass++) {
    for (const [i, query] of queries.entries()) {
      const start = performance.now();
      totals[i] = index.search(query, 0, PAGE_ROWS).total;
      times[i] = Math.min(times[i]!, (performance.now() - start) * 1000);
    }
  }
  times.sort();
  totals.sort();
  const figures = [0.5, 0.9, 0.99, 1].map((share) => quantile(times, share).toFixed(1));
  const sizes = [0.5, 1].map((share) => String(quantile(totals, share)));
  console.log(`${name.padEnd(40)}${row([...figures, ...sizes])}`);
}

function reportBytes(): void {
  const byColumn = new Map<string, number>();
  for (const [name, array] of Object.entries(arrays)) {
    const column = options.arrays ? name : (name.split('.')[0] ?? name);
    byColumn.set(column, (byColumn.get(column) ?? 0) + array.byteLength);
  }
  const all = [...byColumn.values()].reduce((sum, bytes) => sum + bytes, 0);
  console.log(`\n${'bytes a record'.padEnd(40)}${(all / recordCount).toFixed(1).padStart(10)}`);
  for (const [column, bytes] of byColumn) {
    console.log(`  ${column.padEnd(38)}${(bytes / recordCount).toFixed(1).padStart(10)}`);
  }
}

function reportReads(): void {
  const random = createRandom(seed + 2);
  const codes = Array.from({ length: 200_000 }, () =>
    index.codeOf(Math.floor(random() * recordCount)),
  );
  let found = 0;
  const look = () => {
    for (const code of codes) found += index.rowOf(code) === undefined ? 0 : 1;
  };
  look();
  const ms = timeMs(look);
  console.log(`\nrowOf: ${((ms * 1e6) / codes.length).toFixed(0)} ns (${found / 2} found)`);
}

function timeMs(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function row(cells: readonly string[]): string {
  return cells.map((cell) => cell.padStart(10)).join('');
}

/** As the server has it: over memory that threads share. */
function share(array: NumberArray): NumberArray {
  const memory = new SharedArrayBuffer(array.byteLength);
  new Uint8Array(memory).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  if (array instanceof Uint8Array) return new Uint8Array(memory);
  if (array instanceof Uint16Array) return new Uint16Array(memory);
  return array instanceof Uint32Array ? new Uint32Array(memory) : new Float64Array(memory);
}
