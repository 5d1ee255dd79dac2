/** The program of each reader thread: it reads for one server thread, and writes nothing. */
import { parentPort } from 'node:worker_threads';
import { StorageError } from '../files/storage-error.ts';
import { UNAVAILABLE } from '../files/unavailable.ts';
import type { ReaderAnswer, ReaderCall } from '../repository/reader-answers.ts';
import type { FromReaderThread, ToReaderThread } from './reader-messages.ts';

/** Reads a database. Fails with a `StorageError` if it cannot be read. */
export interface StoreReader {
  answer(call: ReaderCall, nowMs: number): ReaderAnswer | Promise<ReaderAnswer>;
}

/** Answers the calls of the thread that started this one. */
export function serveReader(reader: StoreReader): void {
  const starter = parentPort;
  if (starter === null) throw new Error('reader-client.ts runs this program as a thread');
  const post = (message: FromReaderThread) => starter.postMessage(message);
  starter.on('message', async ({ number, call }: ToReaderThread) => {
    try {
      post({ kind: 'answer', number, answer: await reader.answer(call, Date.now()) });
    } catch (error) {
      if (error instanceof StorageError) {
        const { kind, message: problem } = error;
        post({ kind: 'unavailable', number, problem, message: UNAVAILABLE[kind] });
        return;
      }
      const message = error instanceof Error ? error.message : String(error);
      post({ kind: 'failed', number, message });
    }
  });
  post({ kind: 'ready' });
}
