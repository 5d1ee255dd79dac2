/** The threads that answer requests: started on one port, replaced when one dies, stopped. */
import { type Transferable, Worker } from 'node:worker_threads';
import type { Certificate } from './certificate.ts';
import { describeFault, type Log } from './log.ts';
import { ServerError } from './server-error.ts';

/** What the main thread tells a server thread; `Update` is whatever the services are to know. */
export type ToThread<Update> =
  | { readonly kind: 'update'; readonly update: Update }
  /** Read again what may have changed outside: keys and secrets. */
  | { readonly kind: 'reload' }
  /** What TLS uses from now on, in connections to come. */
  | { readonly kind: 'secure'; readonly certificate: Certificate }
  | { readonly kind: 'listen'; readonly listen: ListenOptions }
  /** Answer what has come, then end. */
  | { readonly kind: 'stop' };

export type FromThread =
  | { readonly kind: 'listening' }
  | { readonly kind: 'failed'; readonly message: string }
  /** A client asks for an edition that is not in memory. */
  | { readonly kind: 'edition-wanted'; readonly number: number };

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
  /** Told the number of a thread that has ended without being asked to. */
  readonly onDeath?: (number: number) => void;
  /** Called with the number of an edition that a client needs in memory. */
  readonly onEditionWanted?: (number: number) => void;
}

export interface Threads<Update> {
  /** Every thread is told, also one that is started later; only the last update is kept. */
  update(update: Update): void;
  /** Likewise, each with something of its own; in place of what was given before. */
  equip(equipment: (tell: Tell<Update>) => void): void;
  reload(): void;
  /** Likewise, before they listen and later. */
  secure(certificate: Certificate): void;
  /** Resolves when all threads listen. */
  listen(): Promise<void>;
  /** Resolves when every request has been answered and the threads have ended. */
  stop(): Promise<void>;
}

/** Tells one thread. */
export type Tell<Update> = (update: Update, transferred?: readonly Transferable[]) => void;

export function startThreads<Update>(options: ThreadsOptions): Threads<Update> {
  const { log, count } = options;
  const workers = new Set<Worker>();
  let lastUpdate: Update | undefined;
  let lastEquipment: ((tell: Tell<Update>) => void) | undefined;
  let lastCertificate: Certificate | undefined;
  let isListening = false;
  let hasStarted = false;
  let isStopping = false;
  const failedStart = Promise.withResolvers<never>();
  // The promise may reject before anybody awaits it.
  failedStart.promise.catch(() => {});
  const failStart = (reason: string): void =>
    failedStart.reject(new ServerError(`A server thread ended before it could listen: ${reason}`));

  const post = (worker: Worker, message: ToThread<Update>) => worker.postMessage(message);
  const tellOf =
    (worker: Worker): Tell<Update> =>
    (update, transferred = []) =>
      worker.postMessage({ kind: 'update', update } satisfies ToThread<Update>, transferred);

  const start = (number: number): Worker => {
    const startedMs = performance.now();
    const worker = new Worker(options.script, { workerData: { ...options.workerData, number } });
    workers.add(worker);
    worker.on('error', (error) => {
      log.error({ thread: number, err: describeFault(error) }, 'a server thread died');
      if (!hasStarted) failStart(error instanceof Error ? error.message : String(error));
    });
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'edition-wanted') {
        options.onEditionWanted?.(message.number);
        return;
      }
      if (message.kind === 'listening' || !hasStarted) return;
      log.error({ thread: number, reason: message.message }, 'a server thread cannot listen');
    });
    worker.on('exit', (code) => {
      workers.delete(worker);
      if (isStopping) return;
      if (!hasStarted) {
        failStart(`exit code ${code}`);
        return;
      }
      options.onDeath?.(number);
      // One that dies at once would die for ever: it is replaced, but not at full speed.
      const pauseMs = Math.max(0, RESTART_PAUSE_MS - (performance.now() - startedMs));
      setTimeout(() => {
        if (isStopping) return;
        log.warn({ thread: number }, 'a server thread is replaced');
        start(number);
      }, pauseMs);
    });
    if (lastUpdate !== undefined) post(worker, { kind: 'update', update: lastUpdate });
    lastEquipment?.(tellOf(worker));
    if (lastCertificate !== undefined) {
      post(worker, { kind: 'secure', certificate: lastCertificate });
    }
    if (isListening) post(worker, { kind: 'listen', listen: options.listen });
    return worker;
  };

  for (let number = 0; number < count; number++) start(number);

  return {
    update: (update) => {
      lastUpdate = update;
      for (const worker of workers) post(worker, { kind: 'update', update });
    },
    equip: (equipment) => {
      lastEquipment = equipment;
      for (const worker of workers) equipment(tellOf(worker));
    },
    reload: () => {
      for (const worker of workers) post(worker, { kind: 'reload' });
    },
    secure: (certificate) => {
      lastCertificate = certificate;
      for (const worker of workers) post(worker, { kind: 'secure', certificate });
    },
    listen: async () => {
      isListening = true;
      const listening = [...workers].map(async (worker) => {
        // Not `once` of events: that would reject with the error of a thread that dies.
        const answered = new Promise<FromThread>((resolve) => worker.once('message', resolve));
        post(worker, { kind: 'listen', listen: options.listen });
        const message = await answered;
        if (message.kind === 'failed') {
          throw new ServerError(`Cannot listen on port ${options.listen.port}: ${message.message}`);
        }
      });
      await Promise.race([failedStart.promise, Promise.all(listening)]);
      hasStarted = true;
    },
    stop: async () => {
      isStopping = true;
      await Promise.all(
        [...workers].map(async (worker) => {
          // Not `once` of events: that would give up on a thread that dies with an error.
          const ended = new Promise((resolve) => worker.once('exit', resolve));
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
