/** Shows the progress of an import: a bar on a terminal, a line every few seconds elsewhere. */
import cliProgress from 'cli-progress';
import type { Output } from '../parts/command.ts';

export interface ProgressState {
  /** Unknown while a file is downloaded. */
  readonly records: number | undefined;
  readonly bytes: number;
  /** Unknown on standard input and in some archives. */
  readonly bytesTotal: number | undefined;
}

export interface Progress {
  show(state: ProgressState): void;
  /** Prints a line below the progress. */
  say(line: string): void;
  end(): void;
}

/** Shows nothing without a stream. */
export function createProgress(stream: Output | undefined): Progress {
  if (stream === undefined) return { show: () => {}, say: () => {}, end: () => {} };
  return stream.isTTY ? createBar(stream) : createLines(stream);
}

const MB = 1_000_000;

function createBar(stream: Output): Progress {
  const bar = new cliProgress.SingleBar({
    stream,
    format: '{bar} {state}',
    hideCursor: true,
    clearOnComplete: true,
    stopOnComplete: false,
  });
  const startMs = performance.now();
  let isShown = false;
  const end = () => {
    if (isShown) bar.stop();
    isShown = false;
  };
  return {
    show: (state) => {
      const seconds = (performance.now() - startMs) / 1000;
      const payload = { state: describe(state, seconds).join('  ') };
      const total = workOf(state);
      if (!isShown) bar.start(total ?? 0, 0, payload);
      isShown = true;
      if (total !== undefined) bar.setTotal(total);
      bar.update(state.bytes, payload);
    },
    say: (line) => {
      end();
      stream.write(`${line}\n`);
    },
    end,
  };
}

/** Often enough to see that the import continues, and rare enough for a log. */
const LINE_MS = 5000;

function createLines(stream: Output): Progress {
  const startMs = performance.now();
  let nextMs = startMs + LINE_MS;
  return {
    show: (state) => {
      const nowMs = performance.now();
      if (nowMs < nextMs) return;
      nextMs = nowMs + LINE_MS;
      stream.write(`${describe(state, (nowMs - startMs) / 1000).join(', ')}\n`);
    },
    say: (line) => stream.write(`${line}\n`),
    end: () => {},
  };
}

/** All work in bytes, including the work after the reading: the index takes about half as long again. */
function workOf({ records, bytesTotal }: ProgressState): number | undefined {
  if (bytesTotal === undefined || records === undefined) return bytesTotal;
  return bytesTotal * 1.5;
}

function describe(state: ProgressState, seconds: number): string[] {
  const { records, bytes } = state;
  const rate = seconds > 0 ? bytes / seconds : 0;
  const work = workOf(state);
  const secondsLeft = work === undefined || rate === 0 ? undefined : (work - bytes) / rate;
  return [
    ...(records === undefined ? [] : [`${records.toLocaleString('en-GB')} records`]),
    `${Math.round(bytes / MB).toLocaleString('en-GB')} MB`,
    `${Math.round(rate / MB)} MB/s`,
    ...(secondsLeft === undefined ? [] : [`about ${Math.max(0, Math.ceil(secondsLeft))} s left`]),
  ];
}
