/** The program of a search thread: it answers the searches of one server thread, and writes nothing. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FromSearchThread, SearchThreadData, ToSearchThread } from './search-messages.ts';
import { SearchReader } from './sqlite/search-reader.ts';

const { database }: SearchThreadData = workerData;
const starter = parentPort;
if (starter === null) throw new Error('search-thread.ts is run by search-client.ts as a thread');

const reader = new SearchReader(database);

starter.on('message', ({ number, request }: ToSearchThread) => {
  try {
    post({ kind: 'answer', number, answer: reader.search(request, Date.now()) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    post({ kind: 'failed', number, message });
  }
});
post({ kind: 'ready' });

function post(message: FromSearchThread): void {
  starter?.postMessage(message);
}
