/** The threads that answer requests: started on one port, replaced when one dies, stopped. */

import { type Transferable, Worker } from 'node:worker_threads';
import { FOR_REQUESTS } from '../threads/heap-limits.ts';
import { SupervisedThread, type ThreadLimits } from '../threads/supervisor.ts';
import { describeFault, type Log } from './monitoring/log.ts';
import type { Certificate } from './sockets/certificate.ts';
import { describeListenFailure, type ListenFailure, ServerError } from './sockets/port.ts';

/** A message to a server thread. `Update` is the data for its services. */
export type ToThread<Update> =
  | { readonly kind: 'update'; readonly update: Update }
  /** Read keys and secrets again. */
  | { readonly kind: 'reload' }
  /** The certificate for new connections. */
  | { readonly kind: 'secure'; readonly certificate: Certificate }
  | { readonly kind: 'listen'; readonly listen: ListenOptions }
  /** Answer the requests that have arrived, then end. */
  | { readonly kind: 'stop' };

export type FromThread =
  /** The thread handles messages. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'listening' }
  /** The thread cannot listen. */
  | ({ readonly kind: 'failed' } & ListenFailure)
  /** A client asks for an edition that is not in memory. */
  | { readonly kind: 'edition-wanted'; readonly number: number }
  /** A client asks for a file of an edition, in a form that the services know. */
  | { readonly kind: 'file-wanted'; readonly edition: number; readonly form: string };

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Whether several threads listen on the port. The system then distributes connections. */
  readonly reusePort: boolean;
}

export interface ThreadsOptions {
  /** The file that a thread runs, and its `workerData`, to which `number` is added. */
  readonly script: URL;
  readonly workerData: object;
  readonly count: number;
  readonly listen: ListenOptions;
  readonly log: Log;
  /** Called with the number of a thread that died. */
  readonly onDeath?: (number: number) => void;
  /** Called with the number of an edition that a client needs in memory. */
  readonly onEditionWanted?: (number: number) => void;
  readonly onFileWanted?: (wanted: { readonly edition: number; readonly form: string }) => void;
  readonly limits?: Partial<ThreadLimits>;
}

export interface Threads<Update> {
  /**
   * Sends the update to every thread, and to those that start later. Only the last one of each kind
   * is kept.
   */
  update(update: Update): void;
  /** Sends each thread its own update, in the same way. It replaces the thread's previous update. */
  equip(equipment: (send: SendUpdate<Update>) => void): void;
  reload(): void;
  /** Sends a certificate in the same way. */
  secure(certificate: Certificate): void;
  /** Resolves when all threads listen. Rejects with a `ServerError` if one of them cannot. */
  listen(): Promise<void>;
  /** Resolves when every request has been answered and the threads have ended. */
  stop(): Promise<void>;
}

/** Sends an update to one thread. */
export type SendUpdate<Update> = (update: Update, transferred?: readonly Transferable[]) => void;

type Post<Update> = (message: ToThread<Update>, transferred?: readonly Transferable[]) => void;

/** Sends a thread something that it needs. */
type Deliver<Update> = (post: Post<Update>) => void;

/** What every thread needs, also a thread that starts later: the last of each kind. */
interface Known<Update> {
  readonly deliveries: Map<string, Deliver<Update>>;
  /** A thread listens when it has everything else. */
  listen?: Deliver<Update>;
}

export function startThreads<Update extends { readonly kind: string }>(
  options: ThreadsOptions,
): Threads<Update> {
  const known: Known<Update> = { deliveries: new Map() };
  let hasStarted = false;
  const threads = Array.from({ length: options.count }, (_, number) =>
    startServerThread(number, options, known, () => hasStarted),
  );
  const deliverAll = (deliver: Deliver<Update>) => {
    for (const thread of threads) thread.deliver(deliver);
  };
  const keep = (kind: string, deliver: Deliver<Update>) => {
    known.deliveries.set(kind, deliver);
    deliverAll(deliver);
  };

  return {
    update: (update) => keep(update.kind, (post) => post({ kind: 'update', update })),
    equip: (equipment) =>
      keep('equipment of each thread', (post) =>
        equipment((update, transferred) => post({ kind: 'update', update }, transferred)),
      ),
    reload: () => deliverAll((post) => post({ kind: 'reload' })),
    secure: (certificate) => keep('certificate', (post) => post({ kind: 'secure', certificate })),
    listen: async () => {
      known.listen = (post) => post({ kind: 'listen', listen: options.listen });
      deliverAll(known.listen);
      await Promise.all(threads.map(({ listening }) => listening));
      hasStarted = true;
    },
    stop: async () => {
      await Promise.all(threads.map(({ stop }) => stop()));
    },
  };
}

interface ServerThread<Update> {
  /** A thread that is about to be replaced gets what is known when it starts. */
  readonly deliver: (deliver: Deliver<Update>) => void;
  /** Resolves when it listens for the first time; rejects if it cannot listen, or dies before. */
  readonly listening: Promise<void>;
  readonly stop: () => Promise<void>;
}

function startServerThread<Update>(
  number: number,
  options: ThreadsOptions,
  known: Known<Update>,
  hasStarted: () => boolean,
): ServerThread<Update> {
  const listening = Promise.withResolvers<void>();
  // The promise can be rejected before `listen` is called.
  listening.promise.catch(() => {});
  const { script, workerData, listen, log, limits = {} } = options;
  const thread = new SupervisedThread<ToThread<Update>, FromThread>({
    name: `server thread ${number}`,
    start: () => {
      if (hasStarted()) log.report('GZ111', { thread: number });
      const worker = new Worker(script, {
        workerData: { ...workerData, number },
        resourceLimits: FOR_REQUESTS,
      });
      const post: Post<Update> = (...message) => worker.postMessage(...message);
      for (const deliver of known.deliveries.values()) deliver(post);
      known.listen?.(post);
      return worker;
    },
    onMessage: (message) => {
      switch (message.kind) {
        case 'ready':
          return 'ready';
        case 'listening':
          listening.resolve();
          return undefined;
        case 'failed': {
          const error = describeListenFailure(message, listen.host, listen.port);
          listening.reject(error);
          if (hasStarted()) log.report('GZ112', { thread: number, reason: error.message });
          return undefined;
        }
        case 'edition-wanted':
          options.onEditionWanted?.(message.number);
          return undefined;
        case 'file-wanted':
          options.onFileWanted?.(message);
          return undefined;
      }
    },
    onDeath: ({ error }) => {
      log.report('GZ110', { thread: number, err: describeFault(error) });
      if (hasStarted()) options.onDeath?.(number);
      listening.reject(
        new ServerError(`A server thread ended before it could listen: ${error.message}`),
      );
    },
    mayRestart: hasStarted,
    stopMessage: { kind: 'stop' },
    limits,
  });
  return {
    deliver: (deliver) => {
      if (thread.isRunning) deliver((...message) => thread.post(...message));
    },
    listening: listening.promise,
    stop: () => thread.stop(),
  };
}
