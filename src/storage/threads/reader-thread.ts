/** The program of a reader thread: it reads for one server thread, and writes nothing. */
import { parentPort, workerData } from 'node:worker_threads';
import { DatabaseReader } from '../postgres/snapshot-reader.ts';
import { SnapshotReader } from '../sqlite/snapshot-reader.ts';
import { StorageError } from '../storage-error.ts';
import { UNAVAILABLE } from '../unavailable.ts';
import type { FromReaderThread, ReaderThreadData, ToReaderThread } from './reader-answers.ts';

const { database }: ReaderThreadData = workerData;
const starter = parentPort;
if (starter === null) throw new Error('reader-thread.ts is run by reader-client.ts as a thread');

const reader =
  typeof database === 'string' ? new SnapshotReader(database) : new DatabaseReader(database);

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

function post(message: FromReaderThread): void {
  starter?.postMessage(message);
}
