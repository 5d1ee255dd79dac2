/** The messages between a server thread and its reader thread. */
import type { ReaderAnswer, ReaderCall } from '../repository/reader-answers.ts';

/** The program of a reader thread, and the database that it opens, as threads pass them on. */
export interface ReaderProgram {
  /** The URL of the file. */
  readonly script: string;
  /** The data that the program gets at its start. */
  readonly data: unknown;
}

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
