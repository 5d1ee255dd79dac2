/**
 * Checks whether the calls of clients on one resource are linearizable: whether one order of
 * versions explains all answers and agrees with real time. Version numbers give that order, so
 * each call is compared with what other calls had seen before it began.
 */

export interface Call {
  readonly kind: 'write' | 'write-if-match' | 'read' | 'vread' | 'history';
  /** On one clock. */
  readonly beganAt: bigint;
  readonly endedAt: bigint;
  /** Whether the call succeeded; undefined where no answer arrived. */
  readonly isDone: boolean | undefined;
  /** For a write: the mark to store. For a read: the mark that it found. */
  readonly mark: string;
  /**
   * The version that was stored or read, or the newest version of a history; 0 where there is
   * none.
   */
  readonly version: number;
  /** Of a write with If-Match: the version that it wants to replace. */
  readonly expected?: number;
}

/** A sentence for each contradiction. `marks` are the marks of the versions, from the first. */
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

/**
 * A call that begins after a version was seen sees no older version, and a write creates a newer
 * one.
 */
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

/** No call sees a version before its write has begun. */
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
