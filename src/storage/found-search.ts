/** What a reader found: the answer to a search, and what the storage thread records of it. */
import type { RepositorySearchResult } from '../fhir/repository.ts';

export interface SearchAnswer {
  readonly result: RepositorySearchResult;
  /** Must be recorded before the client gets the result. */
  readonly found: FoundSearch;
}

export interface FoundSearch {
  readonly type: string;
  /** A query string. */
  readonly parameters: string;
  readonly outcome: 'found' | 'absent' | 'invalid';
  readonly total: number;
  /** The ids of the matches on the page. */
  readonly resources: readonly string[];
  /** Present if links to other pages must find the matches again. */
  readonly kept?: KeptSearch;
}

export interface KeptSearch {
  readonly id: string;
  /** The keys of the matches in order: 4 bytes each, little-endian. */
  readonly members: Uint8Array;
  readonly keepMs: number;
}
