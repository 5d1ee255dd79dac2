/** The messages between a reader thread and the thread that started it. */
import type { ChangesRequest, SearchPageRequest } from '../../fhir/stored/repository.ts';
import type { DatabaseAddress } from '../database-address.ts';
import type { ChangesAnswer, SearchAnswer } from './reader-answers.ts';

/** The path of an SQLite database, or the address of another one. */
export type ReadableDatabase = string | DatabaseAddress;

/** The data that the thread gets at its start. */
export interface ReaderThreadData {
  readonly database: ReadableDatabase;
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
  /** The database cannot be read. `problem` is for the log, `message` for the client. */
  | {
      readonly kind: 'unavailable';
      readonly number: number;
      readonly problem: string;
      readonly message: string;
    }
  | { readonly kind: 'failed'; readonly number: number; readonly message: string };
