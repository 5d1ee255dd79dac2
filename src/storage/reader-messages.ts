/** The messages between a reader thread and the thread that started it. */
import type { ChangesRequest, SearchPageRequest } from '../fhir/repository.ts';
import type { ChangesAnswer, SearchAnswer } from './reader-answers.ts';

/** The data that the thread gets at its start. */
export interface ReaderThreadData {
  /** The path of the database. */
  readonly database: string;
}

export type ReaderCall =
  | { readonly kind: 'search'; readonly request: SearchPageRequest }
  | { readonly kind: 'changes'; readonly request: ChangesRequest };

export type ReaderAnswer = SearchAnswer | ChangesAnswer;

export interface ToReaderThread {
  /** Names the call in its answer. */
  readonly number: number;
  readonly call: ReaderCall;
}

export type FromReaderThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly number: number; readonly answer: ReaderAnswer }
  | { readonly kind: 'failed'; readonly number: number; readonly message: string };
