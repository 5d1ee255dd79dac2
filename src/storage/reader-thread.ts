/** The program of a reader thread: it reads for one server thread, and writes nothing. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FromReaderThread, ReaderThreadData, ToReaderThread } from './reader-messages.ts';
import { SnapshotReader } from './sqlite/snapshot-reader.ts';

const { database }: ReaderThreadData = workerData;
const starter = parentPort;
if (starter === null) throw new Error('reader-thread.ts is run by reader-client.ts as a thread');

const reader = new SnapshotReader(database);

starter.on('message', ({ number, call }: ToReaderThread) => {
  try {
    post({ kind: 'answer', number, answer: reader.answer(call, Date.now()) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    post({ kind: 'failed', number, message });
  }
});
post({ kind: 'ready' });

function post(message: FromReaderThread): void {
  starter?.postMessage(message);
}
