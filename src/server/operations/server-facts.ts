/** The values that metrics report. */
import type { CounterTotals } from './counters.ts';

/** The values of the metrics: the counters of the threads, and what only the main thread knows. */
export interface ServerFacts {
  readonly version: string;
  readonly counters: CounterTotals;
  /** The names of the services, in the order of their counters. */
  readonly serviceNames: readonly string[];
  /** Open connections, over all threads. */
  readonly connections: number;
  /** Threads that died and were replaced. */
  readonly replacedThreads: number;
  /** Of the edition that is served; absent before the first. */
  readonly edition?: EditionFacts | undefined;
  /** How many editions have ever been imported. */
  readonly imports: number;
  /** Of the store of order responses; absent if they are not served. */
  readonly orders?: OrderFacts | undefined;
  /** Of the sources of the directory; absent if the server does not fetch. */
  readonly fetches?: FetchFacts | undefined;
  readonly residentBytes: number;
  readonly cpuSeconds: number;
  readonly startedAtS: number;
  readonly nowS: number;
}

/** Times are in seconds since 1970. */
export interface FetchFacts {
  readonly sources: readonly {
    readonly name: string;
    readonly outcome: string;
    readonly failures: number;
    readonly lookedAtS: number;
    readonly succeededAtS: number | undefined;
  }[];
  readonly nextAtS: number | undefined;
}

export interface OrderFacts {
  readonly operations: number;
  readonly writes: number;
  readonly batches: number;
  readonly failures: number;
  /** The size of the write-ahead log of the database. */
  readonly walBytes: number;
  /** Losses of stored writes that no operator has confirmed. */
  readonly losses: number;
}

export interface EditionFacts {
  readonly number: number;
  readonly records: number;
  /** When the edition became current, and when its import began, in seconds since 1970. */
  readonly publishedAtS: number;
  readonly importedAtS: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}
