/** What all storage threads share: they take the calls of other threads, and report to the main thread. */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { RepositoryBatches } from '../repository/repository-batches.ts';
import type { RepositoryResult } from '../repository/repository-operation.ts';
import { countBatch } from './repository-counters.ts';
import type { FromOrdersThread, RepositoryCalls, ToOrdersThread } from './repository-messages.ts';

/** `close` is called after the last call, when the thread stops. */
export function servePorts(
  main: MessagePort,
  batches: RepositoryBatches,
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
    await close();
    for (const port of ports) port.close();
    main.close();
  };

  main.on('message', (message: ToOrdersThread) => {
    if (message.kind === 'connect') connect(message.port);
    else void stop();
  });
}

export function countResults(
  counters: SharedArrayBuffer,
  results: readonly RepositoryResult[],
  commits: number,
): void {
  countBatch(counters, {
    commits,
    operations: results.length,
    writes: results.reduce((sum, result) => sum + writesOf(result), 0),
    failures: results.filter(({ kind }) => kind === 'unavailable' || kind === 'fault').length,
  });
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
