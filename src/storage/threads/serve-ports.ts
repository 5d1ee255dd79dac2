/** What all storage threads share: the calls of other threads, their counters, and reports of faults. */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { RepositoryBatches } from '../repository/repository-batches.ts';
import type { RepositoryCalls, RepositoryResult } from '../repository/repository-operation.ts';
import { COMMIT_SIGNAL_BYTES, CommitSignal } from './commit-signal.ts';
import type { FromOrdersThread, ToOrdersThread } from './repository-messages.ts';

/** Refusals are recorded at the end of their minute, even when no request arrives. */
export const LOOK_MS = 5_000;

/**
 * The server's log also records the end of the chain of the audit log, so that removed entries can
 * be detected.
 */
export const NOTE_HEAD_MS = 24 * 60 * 60 * 1000;

/** The interval after which a thread that found nothing to erase looks again. */
export const LOOK_FOR_EXPIRED_MS = 60 * 60 * 1000;

/** When the thread stops, the timers end, and `close` is called after the last call. */
export function servePorts(
  main: MessagePort,
  batches: RepositoryBatches,
  timers: readonly NodeJS.Timeout[],
  close: () => void | Promise<void>,
): void {
  const ports = new Set<MessagePort>();

  const connect = (port: MessagePort) => {
    ports.add(port);
    port.on('message', ({ first, operations }: RepositoryCalls) =>
      batches.add(port, first, operations),
    );
    port.on('close', () => ports.delete(port));
  };

  const stop = async () => {
    // The order of messages on different ports is unknown, so the thread handles all of them.
    for (const port of ports) {
      for (const { first, operations } of received<RepositoryCalls>(port)) {
        batches.add(port, first, operations);
      }
    }
    await batches.flush();
    for (const timer of timers) clearInterval(timer);
    await close();
    for (const port of ports) port.close();
    main.close();
  };

  main.on('message', (message: ToOrdersThread) => {
    if (message.kind === 'connect') connect(message.port);
    else void stop();
  });
}

/** Only the storage thread counts, and announces writes. `commits`: of the batch with these results. */
export function countResults(
  memory: SharedArrayBuffer,
  results: readonly RepositoryResult[],
  commits: number,
): void {
  const { batches, operations, writes, failures, largestBatch } = repositoryCounts(memory);
  const failed = results.filter(({ kind }) => kind === 'unavailable' || kind === 'fault');
  const written = results.reduce((sum, result) => sum + writesOf(result), 0);
  if (written > 0) commitSignalOf(memory).announce();
  new Float64Array(memory, 0, COUNTERS).set([
    batches + commits,
    operations + results.length,
    writes + written,
    failures + failed.length,
    Math.max(largestBatch, results.length),
  ]);
}

/** Reports faults. Every batch can fail for the same reason, which is reported after a pause. */
export function createFaultReport(
  post: (message: Extract<FromOrdersThread, { kind: 'fault' }>) => void,
): (fault: Error) => void {
  let last = { message: '', ms: Number.NEGATIVE_INFINITY };
  return ({ name, message }) => {
    const nowMs = performance.now();
    if (message === last.message && nowMs < last.ms + REPEAT_FAULT_MS) return;
    last = { message, ms: nowMs };
    post({ kind: 'fault', type: name, message });
  };
}

const REPEAT_FAULT_MS = 10_000;

/** The messages that have arrived at a port and were not handled yet. */
function* received<Message>(port: MessagePort): Generator<Message> {
  for (;;) {
    const next: { message: Message } | undefined = receiveMessageOnPort(port);
    if (next === undefined) return;
    yield next.message;
  }
}

function writesOf(result: RepositoryResult): number {
  const value = 'value' in result ? result.value : undefined;
  if (value === undefined || !('kind' in value)) return 0;
  if (value.kind === 'done') return value.writes;
  return value.kind === 'stored' ? 1 : 0;
}

export interface RepositoryCounts {
  /** Transactions for calls, each with one sync of the log, including those that failed. */
  readonly batches: number;
  /** Calls of the store in them. */
  readonly operations: number;
  /** Versions that were written. */
  readonly writes: number;
  /** Calls that failed, because the store was unavailable or by a fault. */
  readonly failures: number;
  /** Calls in the largest batch. */
  readonly largestBatch: number;
}

/** The counters are in shared memory, which outlives the thread. */
export function createRepositoryCounters(): SharedArrayBuffer {
  return new SharedArrayBuffer(SIGNAL_OFFSET + COMMIT_SIGNAL_BYTES);
}

/** The signal that shares the memory of the counters. */
export function commitSignalOf(memory: SharedArrayBuffer): CommitSignal {
  return new CommitSignal(memory, SIGNAL_OFFSET);
}

const COUNTERS = 5;
const SIGNAL_OFFSET = COUNTERS * Float64Array.BYTES_PER_ELEMENT;

export function repositoryCounts(memory: SharedArrayBuffer): RepositoryCounts {
  const [batches = 0, operations = 0, writes = 0, failures = 0, largestBatch = 0] =
    new Float64Array(memory, 0, COUNTERS);
  return { batches, operations, writes, failures, largestBatch };
}
