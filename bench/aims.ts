/** The figures that the design asks for: which case, which of its figures, at least or at most. */

export interface Aim {
  /** A case of a part of the benchmark. */
  readonly name: string;
  /** The column of its table. */
  readonly figure: string;
  readonly least?: number;
  readonly most?: number;
}

export const AIMS: readonly Aim[] = [
  { name: 'read-json', figure: 'ratio', least: 0.9 },
  { name: 'read-json-uniform', figure: 'ratio', least: 0.65 },
  { name: 'page-json-again', figure: 'ratio', least: 0.9 },
  { name: 'page-json-new', figure: 'ratio', least: 0.5 },
  { name: 'page-json-uniform', figure: 'ratio', least: 0.3 },
  { name: 'count-json-again', figure: 'ratio', least: 0.94 },
  { name: 'count-json-new', figure: 'ratio', least: 0.6 },
  { name: 'engine-350000', figure: 'p99 µs', most: 100 },
  { name: 'near-350000', figure: 'p99 µs', most: 200 },
  { name: 'match-name', figure: 'a second', least: 1000 },
  { name: 'engine-3500000', figure: 'p99 µs', most: 600 },
  { name: 'import-peak', figure: 'value', most: 800 },
  { name: 'import-to-expat', figure: 'value', most: 4.5 },
  { name: 'next-import-one', figure: 'value', most: 0.1 },
  { name: 'next-import-thousand', figure: 'value', most: 0.12 },
  { name: 'next-import-new', figure: 'value', most: 0.14 },
  { name: 'next-import-release', figure: 'value', most: 0.4 },
  ...[
    'top-ups-read-json',
    'top-ups-read-xml',
    'top-ups-page-json',
    'top-ups-page-xml',
    'top-ups-count-json',
    'top-ups-disk',
  ].map((name) => ({ name, figure: 'value', most: 1.05 })),
  { name: 'postcodes-seconds', figure: 'value', most: 30 },
  { name: 'postcodes-disk', figure: 'value', most: 40 },
  { name: 'start-ready', figure: 'value', most: 0.7 },
  { name: 'memory-fixed', figure: 'value', most: 200 },
  { name: 'memory-record', figure: 'value', most: 0.7 },
  { name: 'threads-2', figure: 'times one thread', least: 1.9 },
  { name: 'orders-rate', figure: 'value', least: 3000 },
  { name: 'orders-batch', figure: 'value', least: 20 },
  { name: 'orders-cpu', figure: 'value', most: 0.15 },
  ...[
    'order-search-nhs',
    'order-search-nhs-alone',
    'order-search-identifier',
    'order-search-order',
    'order-search-id',
  ].map((name) => ({ name, figure: 'p99 ms', most: 1 })),
  ...[
    'order-search-reference',
    'order-search-who',
    'order-search-day',
    'order-search-since',
    'order-search-until',
    'order-search-updated',
    'order-search-updated-since',
    'order-search-status',
  ].map((name) => ({ name, figure: 'p99 ms', most: 5 })),
  ...[
    'order-feed-after',
    'order-feed-before',
    'order-feed-since',
    'order-feed-follow-since',
    'order-feed-since-last',
  ].map((name) => ({ name, figure: 'p99 ms', most: 3 })),
  { name: 'order-create-exists-json', figure: 'CPU of a create', most: 1.2 },
  { name: 'order-transactions-1', figure: 'ratio', least: 3 },
  { name: 'order-transactions-64', figure: 'ratio', least: 3 },
  { name: 'order-notifications-rate', figure: 'figure', least: 1000 },
  { name: 'order-notifications-creates', figure: 'figure', most: 1.1 },
  { name: 'order-waiting-100-64', figure: 'CPU ratio', most: 1.1 },
  { name: 'order-waiting-100-1', figure: 'CPU ratio', most: 1.1 },
  { name: 'cluster-edition-last', figure: 'value', most: 5 },
  { name: 'order-migrate', figure: 'value', most: 300 },
  { name: 'worst', figure: 'ms', most: 50 },
  { name: 'endpoints', figure: 'turn', most: 50 },
  { name: 'endpoints', figure: 'again', most: 5 },
  { name: 'endpoints', figure: 'after', most: 20 },
  { name: 'leaving-times', figure: 'value', most: 10 },
  { name: 'leaving-wait-longest', figure: 'value', most: 50 },
  { name: 'leaving-connect-wait-longest', figure: 'value', most: 50 },
  { name: 'leaving-memory', figure: 'value', most: 50 },
];
