/** The messages between a search thread and the thread that started it. */
import type { SearchPageRequest } from '../fhir/repository.ts';
import type { SearchAnswer } from './found-search.ts';

/** The data that the thread gets at its start. */
export interface SearchThreadData {
  /** The path of the database. */
  readonly database: string;
}

export interface ToSearchThread {
  /** Names the search in its answer. */
  readonly number: number;
  readonly request: SearchPageRequest;
}

export type FromSearchThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly number: number; readonly answer: SearchAnswer }
  | { readonly kind: 'failed'; readonly number: number; readonly message: string };
