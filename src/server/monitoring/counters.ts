/** Counts requests in shared memory: each server thread writes its own cells, the main thread reads. */
import { AUDIT_ACTIONS } from '../../fhir/request/interaction-code.ts';
import type { FhirResponse } from '../../fhir/request/request.ts';

/** The labels of requests: the FHIR interaction, or the kind of any other request. */
const INTERACTIONS: readonly string[] = [
  ...Object.keys(AUDIT_ACTIONS),
  'preflight',
  'download',
  'page',
  'asset',
  'other',
];

/** The labels in metrics, where they are not the code. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['search-type', 'search'],
  ['download', 'document'],
]);

const FORMATS = ['json', 'xml', 'none'] as const;

/** The limits of `limits.*` that can refuse a request. */
export const REFUSALS = ['connections', 'overload', 'rate', 'bodies', 'waits'] as const;
export type RefusalCause = (typeof REFUSALS)[number];

/** The most services whose requests are counted separately. */
const SERVICES_MAX = 16;

/** Upper bounds in seconds. Most answers take microseconds. The time that a client reads is not counted. */
export const DURATION_BOUNDS = [
  0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1,
];
export const DELAY_BOUNDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];

/** The state of a thread, as it last reported it. */
export interface ThreadState {
  /** When the thread last reported, in seconds of the system's monotonic clock. */
  readonly beatS: number;
  readonly isListening: boolean;
  /** The number of the newest edition; 0 before the first. */
  readonly edition: number;
  readonly heapUsedBytes: number;
  readonly heapTotalBytes: number;
  /** Memory outside of the heap, such as buffers with bodies. */
  readonly externalBytes: number;
}

export interface Histogram {
  /** The count of each bucket alone. The last bucket is above every bound. */
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
  /** By interaction. */
  readonly durations: ReadonlyMap<string, Histogram>;
  readonly refusals: ReadonlyMap<RefusalCause, number>;
  /** The requests of each service, by its place in the list of services. */
  readonly services: readonly number[];
  readonly threads: readonly (ThreadState & { readonly delay: Histogram })[];
}

export interface ThreadCounters {
  /** Without a duration if the bytes were not a request. */
  countRequest(
    answer: Pick<FhirResponse, 'status' | 'interaction' | 'format'>,
    durationMs?: number,
  ): void;
  /** `place`: the place of the service in the list of services; -1 for none. */
  countService(place: number): void;
  countRefusal(refusal: RefusalCause): void;
  countDelay(delayMs: number): void;
  /** Reports that the thread is alive, and its state. */
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

/** The cells of 128 bytes: two threads must not write to the same cache line, which is slow. */
const LINE_CELLS = 16;
/** Each status from 100 to 599 has its own cells. Memory that is never written takes no space. */
const STATUSES = 500;
const INTERACTION_INDEX = new Map(INTERACTIONS.map((name, index) => [name, index]));
const OTHER = INTERACTIONS.length - 1;

const REFUSALS_AT = STATE.length;
const SERVICES_AT = REFUSALS_AT + REFUSALS.length;
const DELAY_AT = SERVICES_AT + SERVICES_MAX;
const DELAY_CELLS = DELAY_BOUNDS.length + 2;
const DURATIONS_AT = DELAY_AT + DELAY_CELLS;
const DURATION_CELLS = DURATION_BOUNDS.length + 2;
const REQUESTS_AT = DURATIONS_AT + INTERACTIONS.length * DURATION_CELLS;
const REQUEST_CELLS = INTERACTIONS.length * STATUSES * FORMATS.length;
const THREAD_CELLS = Math.ceil((REQUESTS_AT + REQUEST_CELLS) / LINE_CELLS) * LINE_CELLS;

export function createCounterMemory(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * THREAD_CELLS * Float64Array.BYTES_PER_ELEMENT);
}

/** The cells of a thread. A thread that replaces another continues its counts. */
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
    countService: (place) => {
      if (place >= 0 && place < SERVICES_MAX) cells[SERVICES_AT + place]!++;
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

/** Clears the state of a thread that has died, and keeps its counts. */
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
    services: [...total.subarray(SERVICES_AT, SERVICES_AT + SERVICES_MAX)],
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

/** The system's monotonic clock in seconds, which is the same in every thread. */
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
