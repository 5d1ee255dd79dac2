/**
 * Measures searches of the index of one edition and prints the figures as JSON:
 * `node bench/engine/searches.ts --data FOLDER [--queries N] [KIND …]`
 */
import { parseArgs } from 'node:util';
import type { Edition } from '../../src/directory/edition/edition.ts';
import { openSample } from '../data.ts';
import { quantile } from '../figures.ts';
import { SEARCH_KINDS, type SearchKind } from './kinds.ts';
import { FAR_KINDS, INVENTED_POSTCODES, NEAR_KINDS } from './near.ts';

/** Microseconds, and how many records matched in the middle. */
export interface SearchFigures {
  readonly matches: number;
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: 'data' },
    queries: { type: 'string', default: '10000' },
  },
});

/** Enough calls for the compiler to have settled before the clock counts. */
const WARM_UP = 500;
/**
 * Each query is timed once in every pass over all of them, and its shortest time counts: what else
 * runs on the machine falls out, while between two passes thousands of others have used the caches.
 */
const PASSES = 3;

const edition = await openSample(values.data, undefined, INVENTED_POSTCODES);
const ALL_KINDS = [...SEARCH_KINDS, ...NEAR_KINDS, ...FAR_KINDS];
const kinds = positionals.length === 0 ? ALL_KINDS : positionals.map(kindNamed);
const figures = kinds.map((kind) => measureKind(edition, kind, Number(values.queries)));
process.stdout.write(`${JSON.stringify(figures)}\n`);

function kindNamed(wanted: string): SearchKind {
  const kind = ALL_KINDS.find(({ name }) => name === wanted);
  if (kind === undefined) throw new Error(`there are no queries named ${wanted}`);
  return kind;
}

function measureKind(edition: Edition, kind: SearchKind, count: number): SearchFigures {
  const draw = kind.prepare(edition);
  const searches = Array.from({ length: count }, () => draw());
  const times = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const totals = new Float64Array(count);
  for (const search of searches.slice(0, WARM_UP)) search();
  for (let pass = 0; pass < PASSES; pass++) {
    for (const [i, search] of searches.entries()) {
      const startMs = performance.now();
      totals[i] = search().total;
      times[i] = Math.min(times[i]!, (performance.now() - startMs) * 1000);
    }
  }
  times.sort();
  totals.sort();
  const [p50 = 0, p99 = 0, worst = 0] = [0.5, 0.99, 1].map((share) => quantile(times, share));
  return { matches: quantile(totals, 0.5), p50, p99, worst };
}
