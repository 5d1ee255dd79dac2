/**
 * Keeps the input that the product hangs on: a thread of its own watches the time that an input
 * takes, writes the input to a file, and ends the process.
 */
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { keepCase } from './cases.ts';
import type { KindName } from './kinds.ts';

export interface Watchdog {
  begin(input: Uint8Array): void;
  end(): void;
  stop(): void;
}

interface Watched {
  readonly kind: KindName;
  /** How often `begin` was called, and the length of the input; 0 between two inputs. */
  readonly state: Int32Array<SharedArrayBuffer>;
  readonly input: Uint8Array<SharedArrayBuffer>;
}

/** A machine that is slow, or has other work, must not make a find. */
const HANG_MS = 120_000;
const MEASURE_EVERY_MS = 500;
const INPUT_BYTES_MAX = 1024 ** 2;

export function startWatchdog(kind: KindName): Watchdog {
  const watched: Watched = {
    kind,
    state: new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)),
    input: new Uint8Array(new SharedArrayBuffer(INPUT_BYTES_MAX)),
  };
  const worker = new Worker(new URL(import.meta.url), { workerData: watched });
  worker.unref();
  return {
    begin: (input) => {
      const length = Math.min(input.length, INPUT_BYTES_MAX);
      watched.input.set(input.subarray(0, length));
      Atomics.add(watched.state, 0, 1);
      Atomics.store(watched.state, 1, length);
    },
    end: () => {
      Atomics.store(watched.state, 1, 0);
    },
    stop: () => void worker.terminate(),
  };
}

function watch({ kind, state, input }: Watched): void {
  let turn = -1;
  let sinceMs = performance.now();
  setInterval(() => {
    const length = Atomics.load(state, 1);
    if (length === 0 || Atomics.load(state, 0) !== turn) {
      turn = Atomics.load(state, 0);
      sinceMs = performance.now();
    } else if (performance.now() - sinceMs > HANG_MS) {
      const file = keepCase(kind, Buffer.from(input.subarray(0, length)));
      process.stderr.write(`Found: no end within ${HANG_MS / 1000} s (${file})\n`);
      process.kill(process.pid, 'SIGKILL');
    }
  }, MEASURE_EVERY_MS);
}

if (parentPort !== null) watch(workerData);
