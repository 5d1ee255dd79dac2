/** The times and results of the last fetches from the sources of the directory. */

export type FetchOutcome = 'published' | 'unchanged' | 'failed';

/** The last fetch from one source. Times are ISO 8601 instants in UTC. */
export interface SourceStatus {
  readonly lookedAt: string;
  readonly outcome: FetchOutcome;
  /** Why it failed, and what to do. */
  readonly problem?: string | undefined;
  /** The last fetch that did not fail. */
  readonly succeededAt?: string | undefined;
  /** The number of failures since then. */
  readonly failures: number;
  /** The end of the pause that the source requests. */
  readonly notBefore?: string | undefined;
}

export interface FetchStatus {
  /** By the name of the source. */
  readonly sources: Readonly<Record<string, SourceStatus>>;
  /** When the server fetches next; absent if it does not fetch. */
  readonly nextAt?: string | undefined;
}

export const NO_FETCHES: FetchStatus = { sources: {} };
