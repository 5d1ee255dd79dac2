/** The state of fetches that the servers of a database share. */

/** `sources`: the results of the last fetches. `planned`: the time of the next one. Both are JSON. */
export type FetchDocument = 'sources' | 'planned';

/** What the servers of a database share of their fetches, so that one of them fetches for all. */
export interface SharedFetches {
  /** Undefined if the document was never written. */
  read(name: FetchDocument): Promise<string | undefined>;
  write(name: FetchDocument, content: string): Promise<void>;
  /** Throws a `StorageError` of kind `locked` while another program fetches. */
  lock(kind: 'fetch' | 'schedule'): Promise<FetchLock>;
}

export interface FetchLock {
  release(): Promise<void>;
}
