/**
 * Whether what clients saw of one resource fits one order of its versions that agrees with real
 * time. Versions are that order; so each call is held to what others had seen before it began.
 */

export interface Call {
  readonly kind: 'write' | 'write-if-match' | 'read' | 'vread' | 'history';
  /** On one clock. */
  readonly beganAt: bigint;
  readonly endedAt: bigint;
  /** Whether it was done; undefined where nobody knows. */
  readonly isDone: boolean | undefined;
  /** Of a write: what it was to store. Of a read: what was found. */
  readonly mark: string;
  /** That was stored, found, or the newest of a history; 0 where there is none. */
  readonly version: number;
  /** Of a write with If-Match: the version that it wants to replace. */
  readonly expected?: number;
}

/** Sentences; none where there is such an order. `marks` are those of the versions, from the first. */
export function orderFaults(calls: readonly Call[], marks: readonly string[]): string[] {
  const versionOf = new Map(marks.map((mark, at) => [mark, at + 1]));
  return [
    ...calls.flatMap((call) => [...valueFaults(call, marks, versionOf)]),
    ...refusalFaults(calls, marks, versionOf),
    ...staleFaults(calls),
    ...futureFaults(calls, versionOf),
  ];
}

function* valueFaults(
  { kind, isDone, mark, version, expected }: Call,
  marks: readonly string[],
  versionOf: ReadonlyMap<string, number>,
): Generator<string> {
  const isWrite = kind === 'write' || kind === 'write-if-match';
  if (!isWrite) {
    if (isDone && marks[version - 1] !== mark)
      yield `${kind} of ${version}: ${mark} is from nowhere`;
    return;
  }
  const stored = versionOf.get(mark);
  if (isDone && stored !== version) yield `${mark} was to be version ${version}, and is ${stored}`;
  if (isDone === false && stored !== undefined) yield `${mark} was refused, and is stored`;
  if (expected !== undefined && stored !== undefined && stored !== expected + 1) {
    yield `${mark} replaced version ${stored - 1} instead of ${expected}`;
  }
}

/** A write with If-Match is refused only if another version was current at some moment of it. */
function* refusalFaults(
  calls: readonly Call[],
  marks: readonly string[],
  versionOf: ReadonlyMap<string, number>,
): Generator<string> {
  const began = writesBegan(calls, versionOf);
  for (const { kind, isDone, expected = 0, mark, endedAt } of calls) {
    if (kind !== 'write-if-match' || isDone !== false) continue;
    const next = began.get(expected + 1);
    const isStillCurrent = marks.length <= expected || (next !== undefined && next > endedAt);
    if (isStillCurrent) yield `${mark} was refused while version ${expected} was current`;
  }
}

/** Who sees a version after another was seen sees no older one; a write makes a newer one. */
function* staleFaults(calls: readonly Call[]): Generator<string> {
  const seen = calls.filter(({ isDone, version }) => isDone && version > 0);
  const byEnd = seen.toSorted((one, other) => Number(one.endedAt - other.endedAt));
  let newest = 0;
  let ended = 0;
  for (const call of seen.toSorted((one, other) => Number(one.beganAt - other.beganAt))) {
    for (; byEnd[ended] !== undefined && byEnd[ended]!.endedAt < call.beganAt; ended++) {
      newest = Math.max(newest, byEnd[ended]!.version);
    }
    const isWrite = call.kind === 'write' || call.kind === 'write-if-match';
    if (call.kind !== 'vread' && call.version < newest + (isWrite ? 1 : 0)) {
      yield `${call.kind} saw version ${call.version} after ${newest} had been seen`;
    }
  }
}

/** Nobody sees a version before its write has begun. */
function* futureFaults(
  calls: readonly Call[],
  versionOf: ReadonlyMap<string, number>,
): Generator<string> {
  const began = writesBegan(calls, versionOf);
  for (const { kind, isDone, version, endedAt } of calls) {
    const writeBegan = began.get(version);
    if (isDone && writeBegan !== undefined && endedAt < writeBegan) {
      yield `${kind} saw version ${version} before it was written`;
    }
  }
}

/** When the write of each version began, where it is among the calls. */
function writesBegan(
  calls: readonly Call[],
  versionOf: ReadonlyMap<string, number>,
): ReadonlyMap<number, bigint> {
  const began = new Map<number, bigint>();
  for (const { kind, mark, beganAt } of calls) {
    const version = versionOf.get(mark);
    if ((kind === 'write' || kind === 'write-if-match') && version !== undefined) {
      began.set(version, beganAt);
    }
  }
  return began;
}
