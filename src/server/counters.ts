/** What server threads count: each writes cells of its own in shared memory, the main thread reads. */

import { AUDIT_ACTIONS } from '../fhir/interaction-code.ts';
import type { FhirResponse } from '../fhir/request.ts';

/** Requests are counted by FHIR's interaction, or by what else they ask for. */
const INTERACTIONS: readonly string[] = [
  ...Object.keys(AUDIT_ACTIONS),
  ...['preflight', 'download', 'page', 'asset', 'other'],
];

/** The labels in metrics, where they are not the code. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['search-type', 'search'],
  ['download', 'document'],
]);

const FORMATS = ['json', 'xml', 'none'] as const;

/** What `limits.*` refuses requests for. */
export const REFUSALS = ['connections', 'overload', 'rate', 'bodies'] as const;
export type RefusalCause = (typeof REFUSALS)[number];

/** Upper bounds in seconds. Most answers take microseconds; a slow client shows in none of them. */
export const DURATION_BOUNDS = [
  0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1,
];
export const DELAY_BOUNDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];

/** How a thread is, as it last said. */
export interface ThreadState {
  /** Seconds of the system's monotonic clock when it last showed that it is alive. */
  readonly beatS: number;
  readonly isListening: boolean;
  /** The number of its newest edition; 0 before the first. */
  readonly edition: number;
  readonly heapUsedBytes: number;
  readonly heapTotalBytes: number;
  /** Outside the heap, on its behalf: buffers, among them the bodies. */
  readonly externalBytes: number;
}

export interface Histogram {
  /** How many were in each bucket and in none before it; the last is beyond every bound. */
  readonly buckets: readonly number[];
  readonly sum: number;
}

export interface CounterTotals {
  readonly requests: readonly {
    readonly interaction: string;
    readonly status: number;
    readonly format: string;
    readonly count: number;
  }[];
  /** By interaction, those that were asked for. */
  readonly durations: ReadonlyMap<string, Histogram>;
  readonly refusals: ReadonlyMap<RefusalCause, number>;
  readonly threads: readonly (ThreadState & { readonly delay: Histogram })[];
}

export interface ThreadCounters {
  /** Without a duration where there was no request that could be timed. */
  countRequest(
    answer: Pick<FhirResponse, 'status' | 'interaction' | 'format'>,
    durationMs?: number,
  ): void;
  countRefusal(refusal: RefusalCause): void;
  countDelay(delayMs: number): void;
  /** Shows that the thread is alive, and what else is known. */
  beat(state: Partial<Omit<ThreadState, 'beatS'>>): void;
}

const STATE = [
  'beatS',
  'isListening',
  'edition',
  'heapUsedBytes',
  'heapTotalBytes',
  'externalBytes',
] as const satisfies readonly (keyof ThreadState)[];

/** Threads must not write into one line of memory: 128 bytes, so that counting stays cheap. */
const LINE_CELLS = 16;
/** A status between 100 and 599 has cells of its own; memory that is not written costs nothing. */
const STATUSES = 500;
const INTERACTION_INDEX = new Map(INTERACTIONS.map((name, index) => [name, index]));
const OTHER = INTERACTIONS.length - 1;

const REFUSALS_AT = STATE.length;
const DELAY_AT = REFUSALS_AT + REFUSALS.length;
const DELAY_CELLS = DELAY_BOUNDS.length + 2;
const DURATIONS_AT = DELAY_AT + DELAY_CELLS;
const DURATION_CELLS = DURATION_BOUNDS.length + 2;
const REQUESTS_AT = DURATIONS_AT + INTERACTIONS.length * DURATION_CELLS;
const REQUEST_CELLS = INTERACTIONS.length * STATUSES * FORMATS.length;
const THREAD_CELLS = Math.ceil((REQUESTS_AT + REQUEST_CELLS) / LINE_CELLS) * LINE_CELLS;

export function createCounterMemory(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * THREAD_CELLS * Float64Array.BYTES_PER_ELEMENT);
}

/** The cells of a thread; one that replaces another counts on. */
export function openThreadCounters(memory: SharedArrayBuffer, thread: number): ThreadCounters {
  const cells = cellsOf(memory, thread);
  const addTo = (at: number, bounds: readonly number[], seconds: number): void => {
    let bucket = 0;
    while (bucket < bounds.length && seconds > bounds[bucket]!) bucket++;
    cells[at + bucket]!++;
    cells[at + bounds.length + 1]! += seconds;
  };
  return {
    countRequest: ({ status, interaction, format }, durationMs) => {
      const index = INTERACTION_INDEX.get(interaction ?? 'other') ?? OTHER;
      const formatIndex = format === 'json' ? 0 : format === 'xml' ? 1 : 2;
      cells[REQUESTS_AT + (index * STATUSES + status - 100) * FORMATS.length + formatIndex]!++;
      if (durationMs === undefined) return;
      addTo(DURATIONS_AT + index * DURATION_CELLS, DURATION_BOUNDS, durationMs / 1000);
    },
    countRefusal: (refusal) => {
      cells[REFUSALS_AT + REFUSALS.indexOf(refusal)]!++;
    },
    countDelay: (delayMs) => addTo(DELAY_AT, DELAY_BOUNDS, delayMs / 1000),
    beat: (state) => {
      cells[0] = monotonicS();
      STATE.forEach((name, i) => {
        if (name !== 'beatS' && state[name] !== undefined) cells[i] = Number(state[name]);
      });
    },
  };
}

/** A thread that has died neither listens nor holds an edition; what it has counted stays. */
export function forgetThread(memory: SharedArrayBuffer, thread: number): void {
  cellsOf(memory, thread).fill(0, 1, STATE.length);
}

export function readCounters(memory: SharedArrayBuffer): CounterTotals {
  const threads = Array.from(
    { length: memory.byteLength / Float64Array.BYTES_PER_ELEMENT / THREAD_CELLS },
    (_, thread) => cellsOf(memory, thread),
  );
  const total = new Float64Array(THREAD_CELLS);
  for (const cells of threads) {
    for (let i = STATE.length; i < THREAD_CELLS; i++) total[i]! += cells[i]!;
  }
  return {
    requests: requestsOf(total),
    durations: new Map(
      INTERACTIONS.map((name, i) => [
        labelOf(name),
        histogramAt(total, DURATIONS_AT + i * DURATION_CELLS, DURATION_BOUNDS),
      ]),
    ),
    refusals: new Map(REFUSALS.map((refusal, i) => [refusal, total[REFUSALS_AT + i]!])),
    threads: threads.map((cells) => ({
      beatS: cells[0]!,
      isListening: cells[1] === 1,
      edition: cells[2]!,
      heapUsedBytes: cells[3]!,
      heapTotalBytes: cells[4]!,
      externalBytes: cells[5]!,
      delay: histogramAt(cells, DELAY_AT, DELAY_BOUNDS),
    })),
  };
}

/** The same in every thread, and never set back. */
export function monotonicS(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds + nanoseconds / 1e9;
}

function cellsOf(memory: SharedArrayBuffer, thread: number): Float64Array<SharedArrayBuffer> {
  const at = thread * THREAD_CELLS * Float64Array.BYTES_PER_ELEMENT;
  return new Float64Array(memory, at, THREAD_CELLS);
}

function requestsOf(cells: Float64Array): CounterTotals['requests'] {
  const found = [];
  for (let i = 0; i < REQUEST_CELLS; i++) {
    const count = cells[REQUESTS_AT + i]!;
    if (count === 0) continue;
    const row = Math.floor(i / FORMATS.length);
    found.push({
      interaction: labelOf(INTERACTIONS[Math.floor(row / STATUSES)]!),
      status: 100 + (row % STATUSES),
      format: FORMATS[i % FORMATS.length]!,
      count,
    });
  }
  return found;
}

function labelOf(interaction: string): string {
  return LABELS.get(interaction) ?? interaction;
}

function histogramAt(cells: Float64Array, at: number, bounds: readonly number[]): Histogram {
  const buckets = [...cells.subarray(at, at + bounds.length + 1)];
  return { buckets, sum: cells[at + bounds.length + 1]! };
}
