/**
 * Loaded into each thread of a server before its program (`--import`): records which files of
 * `src/` had a function called. After SIGUSR2, every thread tells what it has recorded since the
 * last time, and the main thread prints it, as one line of JSON for each thread.
 */
import { Session } from 'node:inspector/promises';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const asked = new BroadcastChannel('calls-asked');
const told = new BroadcastChannel('calls-told');

async function take(): Promise<string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .flatMap(({ url }) => url.split('/src/')[1] ?? []);
}

if (isMainThread) {
  told.onmessage = (event) => print((event as unknown as { readonly data: string[] }).data);
  process.on('SIGUSR2', async () => {
    asked.postMessage('now');
    print(await take());
  });
} else {
  asked.onmessage = async () => told.postMessage(await take());
}
asked.unref();
told.unref();

function print(files: readonly string[]): void {
  process.stdout.write(`${JSON.stringify({ msg: 'calls', files })}\n`);
}
