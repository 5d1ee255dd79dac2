/** The threads that answer requests: started on one port, replaced when one dies, stopped. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { describeError, type Log } from './log.ts';

/** What the main thread tells a server thread; `Update` is whatever the services are to know. */
export type ToThread<Update> =
  | { readonly kind: 'update'; readonly update: Update }
  | { readonly kind: 'listen'; readonly listen: ListenOptions }
  /** Answer what has come, then end. */
  | { readonly kind: 'stop' };

export type FromThread =
  | { readonly kind: 'listening' }
  | { readonly kind: 'failed'; readonly message: string };

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Several threads listen on the port, and the system shares connections out among them. */
  readonly reusePort: boolean;
}

export interface ThreadsOptions {
  /** The file that a thread runs, and what it is given as `workerData`. */
  readonly script: URL;
  readonly workerData: object;
  readonly count: number;
  readonly listen: ListenOptions;
  readonly log: Log;
}

export interface Threads<Update> {
  /** Every thread is told, also one that is started later; only the last update is kept. */
  update(update: Update): void;
  /** Resolves when all threads listen. */
  listen(): Promise<void>;
  /** Resolves when every request has been answered and the threads have ended. */
  stop(): Promise<void>;
}

/** The server cannot start or go on: one line that says what to do. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
}

/**
 * The port that threads are to share. It is first bound alone, because with `reusePort` a second
 * program could share a taken port unnoticed; 0 becomes a free port.
 */
export async function reservePort(host: string, port: number): Promise<number> {
  const probe = createServer();
  try {
    probe.listen({ host, port, exclusive: true });
    await once(probe, 'listening');
    const address = probe.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  } catch (error) {
    throw listenError(error, host, port);
  } finally {
    probe.close();
  }
}

/** Where the platform cannot share a port, one thread serves. */
export function canSharePort(): boolean {
  return SHARING_PLATFORMS.has(process.platform);
}

export function startThreads<Update>(options: ThreadsOptions): Threads<Update> {
  const { log, count } = options;
  const workers = new Set<Worker>();
  let lastUpdate: Update | undefined;
  let isListening = false;
  let isStopping = false;

  const post = (worker: Worker, message: ToThread<Update>) => worker.postMessage(message);

  const start = (number: number): Worker => {
    const startedMs = performance.now();
    const worker = new Worker(options.script, { workerData: { ...options.workerData, number } });
    workers.add(worker);
    worker.on('error', (error) =>
      log.error({ thread: number, err: describeError(error) }, 'a server thread died'),
    );
    worker.on('exit', () => {
      workers.delete(worker);
      if (isStopping) return;
      // One that dies at once would die for ever: it is replaced, but not at full speed.
      const pauseMs = Math.max(0, RESTART_PAUSE_MS - (performance.now() - startedMs));
      setTimeout(() => {
        if (isStopping) return;
        log.warn({ thread: number }, 'a server thread is replaced');
        start(number);
      }, pauseMs);
    });
    if (lastUpdate !== undefined) post(worker, { kind: 'update', update: lastUpdate });
    if (isListening) post(worker, { kind: 'listen', listen: options.listen });
    return worker;
  };

  for (let number = 0; number < count; number++) start(number);

  return {
    update: (update) => {
      lastUpdate = update;
      for (const worker of workers) post(worker, { kind: 'update', update });
    },
    listen: async () => {
      isListening = true;
      await Promise.all(
        [...workers].map(async (worker) => {
          const answered = once(worker, 'message');
          post(worker, { kind: 'listen', listen: options.listen });
          const [message]: FromThread[] = await answered;
          if (message?.kind === 'failed') {
            throw new ServerError(
              `Cannot listen on port ${options.listen.port}: ${message.message}`,
            );
          }
        }),
      );
    },
    stop: async () => {
      isStopping = true;
      await Promise.all(
        [...workers].map(async (worker) => {
          const ended = once(worker, 'exit');
          post(worker, { kind: 'stop' });
          const timer = setTimeout(() => void worker.terminate(), STOP_MS);
          await ended;
          clearTimeout(timer);
        }),
      );
    },
  };
}

/** Requests take milliseconds; what is not answered by then hangs on a client that does not read. */
const STOP_MS = 10_000;
const RESTART_PAUSE_MS = 1000;

/** Where Node can set SO_REUSEPORT so that connections are shared out. */
const SHARING_PLATFORMS = new Set(['linux', 'freebsd', 'dragonfly', 'solaris', 'aix']);

function listenError(error: unknown, host: string, port: number): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  switch (error.code) {
    case 'EADDRINUSE':
      return new ServerError(
        `Port ${port} on ${host} is taken by another program. ` +
          'Stop it, or choose another port with --port.',
      );
    case 'EACCES':
      return new ServerError(`Port ${port} may not be used. Choose one above 1023 with --port.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ServerError(
        `${host} is no address of this machine. Choose one with --host: 127.0.0.1, 0.0.0.0 or ::.`,
      );
    default:
      return new ServerError(`Cannot listen on ${host}, port ${port}: ${error.message}`);
  }
}
