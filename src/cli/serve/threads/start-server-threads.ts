/** Starts the threads that answer requests. */
import type { Log } from '../../../server/monitoring/log.ts';
import { canSharePort } from '../../../server/sockets/port.ts';
import { startThreads, type Threads, type ThreadsOptions } from '../../../server/threads.ts';
import type { ServeThreadData, ThreadUpdate } from './serve-thread-data.ts';

/** The actions of the main thread when a server thread asks for something, or dies. */
export type ThreadEvents = Required<
  Pick<ThreadsOptions, 'onEditionWanted' | 'onFileWanted' | 'onDeath'>
>;

interface ServerThreadsOptions extends ThreadEvents {
  readonly data: ServeThreadData;
  readonly count: number;
  readonly port: number;
  readonly log: Log;
}

export function startServerThreads({
  data,
  count,
  port,
  log,
  ...events
}: ServerThreadsOptions): Threads<ThreadUpdate> {
  return startThreads<ThreadUpdate>({
    script: new URL('./serve-thread.ts', import.meta.url),
    workerData: data,
    count,
    listen: { host: data.config.host, port, reusePort: canSharePort() },
    log,
    ...events,
  });
}
