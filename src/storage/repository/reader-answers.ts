/** What a reader thread is asked, what it found, and what the storage thread records of it. */

import type { ChangeFacts } from '../../fhir/stored/change-match.ts';
import type {
  ChangesPage,
  ChangesRequest,
  ChangesResult,
  RepositorySearchResult,
  SearchPageRequest,
} from '../../fhir/stored/repository.ts';
import type { CurrentVersion, DeliveryState } from '../../orders/subscriptions/delivery-store.ts';

export type ReaderCall =
  | { readonly kind: 'search'; readonly request: SearchPageRequest }
  | { readonly kind: 'changes'; readonly request: ChangesRequest }
  | { readonly kind: 'facts'; readonly request: FactsRequest }
  | { readonly kind: 'deliveries' }
  | { readonly kind: 'current'; readonly type: string };

export type ReaderAnswer =
  | SearchAnswer
  | ChangesAnswer
  | FactsAnswer
  | DeliveriesAnswer
  | CurrentAnswer;

/** `count`: the most changes. */
export interface FactsRequest extends Omit<ChangesRequest, 'criteria'> {
  readonly order: 'oldest-first';
  readonly position: string;
  /** Entries of other fields are not needed. */
  readonly fields: readonly string[];
}

/** What decides whether the changes after a position match criteria. No client sees it. */
export interface FactsAnswer {
  readonly kind: 'facts';
  readonly result:
    | {
        readonly kind: 'found';
        readonly facts: readonly ChangeFacts[];
        /** The position of the last of them. Without changes, that of the request. */
        readonly next: string;
        /** Whether these are the last. */
        readonly isEnd: boolean;
      }
    | { readonly kind: 'unknown-position' };
}

export interface DeliveriesAnswer {
  readonly kind: 'deliveries';
  readonly result: { readonly kind: 'states'; readonly states: readonly DeliveryState[] };
}

export interface CurrentAnswer {
  readonly kind: 'current';
  readonly result: { readonly kind: 'current'; readonly current: readonly CurrentVersion[] };
}

export interface SearchAnswer {
  readonly kind: 'search';
  readonly result: RepositorySearchResult;
  /** Must be recorded before the client gets the result. */
  readonly found: FoundSearch;
}

/** What a page of a search shows. */
export interface SearchMatches {
  readonly type: string;
  /** The ids of the matches on the page. */
  readonly resources: readonly string[];
}

export interface FoundSearch extends SearchMatches {
  /** A query string. */
  readonly parameters: string;
  readonly outcome: 'found' | 'absent' | 'invalid';
  readonly total: number;
  /** The server process that read, if the store has several: only over it may this be recorded. */
  readonly server?: string;
  /** Present if links to other pages must find the matches again. */
  readonly kept?: KeptSearch;
}

export interface KeptSearch {
  readonly id: string;
  /** The keys of the matches in order, in the form of the store. */
  readonly members: Uint8Array;
  readonly keepMs: number;
}

export interface ChangesAnswer {
  readonly kind: 'changes';
  readonly result: ChangesResult;
  /** Must be recorded before the client gets the result. */
  readonly found: FoundChanges;
}

export interface FoundChanges {
  /** `absent`: the store has no such position. */
  readonly outcome: 'found' | 'absent';
  /** As of a search. */
  readonly server?: string;
  /** The types with versions on the page. */
  readonly types: readonly {
    readonly type: string;
    /** The number of versions. */
    readonly count: number;
    /** The ids of their resources, each once. */
    readonly resources: readonly string[];
  }[];
}

export function changesAnswer(result: ChangesPage): ChangesAnswer {
  const types = [...Map.groupBy(result.versions, ({ type }) => type)].map(([type, shown]) => ({
    type,
    count: shown.length,
    resources: [...new Set(shown.map(({ id }) => id))],
  }));
  return { kind: 'changes', result, found: { outcome: 'found', types } };
}

export const UNKNOWN_POSITION: ChangesAnswer & {
  readonly result: { readonly kind: 'unknown-position' };
} = {
  kind: 'changes',
  result: { kind: 'unknown-position' },
  found: { outcome: 'absent', types: [] },
};
