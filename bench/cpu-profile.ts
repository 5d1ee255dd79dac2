/** Profiles of V8: which functions and parts took the time between two moments. */

export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
}

export interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
  /** Microseconds of the clock of `process.hrtime`, which all processes share. */
  readonly startTime: number;
}

export interface Sample {
  readonly frame: CallFrame;
  readonly microseconds: number;
}

export interface Span {
  /** In microseconds, as in profiles. */
  readonly start: number;
  readonly end: number;
}

/** Now, on the clock of profiles. */
export function profileTime(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** The samples of a profile in this time, without idle ones. */
export function samplesIn(
  { nodes, samples, timeDeltas, startTime }: Profile,
  { start, end }: Span,
): Sample[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const found: Sample[] = [];
  let now = startTime;
  for (const [i, id] of samples.entries()) {
    const microseconds = timeDeltas[i] ?? 0;
    now += microseconds;
    const frame = frames.get(id);
    if (frame === undefined || now < start || now > end || IDLE.has(frame.functionName)) continue;
    found.push({ frame, microseconds });
  }
  return found;
}

const IDLE = new Set(['(idle)', '(root)']);

/** The function with the end of its path. */
export function functionOf({ functionName, url }: CallFrame): string {
  return `${functionName || '(anonymous)'} ${url.split('/').slice(-2).join('/')}`.trim();
}

/** A folder of ours, Node's own JavaScript, or what is not JavaScript: system calls, V8. */
export function partOf({ functionName, url }: CallFrame): string {
  if (functionName === '(garbage collector)') return 'garbage collection';
  const source = url.split('/src/')[1];
  if (source !== undefined) return `src/${source.split('/').slice(0, -1).join('/')}`;
  if (url.startsWith('node:')) return "Node's JavaScript";
  return url === '' && !functionName.startsWith('RegExp') ? `native: ${functionName}` : 'other';
}

/** Keys and their shares of the time, largest first. */
export function sharesOf(
  samples: readonly Sample[],
  key: (frame: CallFrame) => string,
): [string, number][] {
  const times = new Map<string, number>();
  let all = 0;
  for (const { frame, microseconds } of samples) {
    const place = key(frame);
    times.set(place, (times.get(place) ?? 0) + microseconds);
    all += microseconds;
  }
  return [...times]
    .map(([place, time]): [string, number] => [place, time / all])
    .sort(([, a], [, b]) => b - a);
}
