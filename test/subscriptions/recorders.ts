/** Receivers that record what they get, and what must be true of it after faults of the server. */
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { serveOnLoopback } from '../loopback.ts';
import type { Owner } from '../owner.ts';

export interface Recorder {
  readonly url: string;
  /** What was answered: `OrderResponse/{id}/_history/{version}`, in the order of arrival. */
  readonly got: readonly string[];
  /** Deliveries that began while another one was not answered. */
  readonly overlaps: number;
}

/**
 * Each receiver takes longer to answer than the one before. A kill meanwhile loses what a server
 * has stored as delivered too early.
 */
export function startRecorders(owner: Owner, count: number): Promise<readonly Recorder[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => startRecorder(owner, at * STEP_MS)));
}

const STEP_MS = 3;

async function startRecorder(owner: Owner, answerMs: number): Promise<Recorder> {
  const recorder = { url: '', got: [] as string[], overlaps: 0 };
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    if (open.size > 0) recorder.overlaps += 1;
    open.add(response);
    request.resume();
    // A server that was killed gets no answer, and must send the notification again.
    response.on('close', () => open.delete(response));
    setTimeout(() => {
      if (!open.delete(response)) return;
      recorder.got.push(String(request.headers['gazetteer-resource']));
      response.end();
    }, answerMs);
  });
  recorder.url = `http://127.0.0.1:${await serveOnLoopback(owner, server)}/`;
  return recorder;
}

/**
 * Waits until each list has all versions. Fails, with what is missing, when nothing has come for a
 * minute: a version that was left out never comes.
 */
export async function untilComplete(
  versions: Iterable<string>,
  lists: readonly (readonly string[])[],
): Promise<void> {
  const all = new Set(versions);
  for (const [at, list] of lists.entries()) {
    const left = new Set(all);
    let seen = 0;
    let quietMs = 0;
    while (left.size > 0) {
      const before = seen;
      for (; seen < list.length; seen++) left.delete(list[seen] ?? '');
      quietMs = seen > before ? 0 : quietMs + LOOK_EVERY_MS;
      if (quietMs > QUIET_MS_MAX) {
        throw new Error(`list ${at} lacks ${left.size} versions: ${[...left].slice(0, 5).join()}`);
      }
      if (left.size > 0) await pause(LOOK_EVERY_MS);
    }
  }
}

const LOOK_EVERY_MS = 20;
const QUIET_MS_MAX = 60_000;

/**
 * What is wrong with what readers and receivers got, and how often a notification was repeated. All
 * have one order, in which readers get each version once, and receivers each at least once.
 */
export function judge(
  recorders: readonly Recorder[],
  readers: readonly (readonly string[])[],
): { readonly faults: readonly string[]; readonly repeats: number } {
  const [order = []] = readers.toSorted((a, b) => b.length - a.length);
  const places = new Map(order.map((each, at) => [each, at]));
  const faults: string[] = [];
  for (const [at, read] of readers.entries()) {
    if (read.some((each, place) => order[place] !== each)) {
      faults.push(`reader ${at} has another order than a reader that read more`);
    }
  }
  if (places.size < order.length) faults.push('a reader got a version twice');
  let repeats = 0;
  for (const [at, { got, overlaps }] of recorders.entries()) {
    const firsts = [...new Set(got)];
    repeats += got.length - firsts.length;
    const known = firsts.map((each) => places.get(each)).filter((place) => place !== undefined);
    if (known.some((place, turn) => place < (known[turn - 1] ?? 0))) {
      faults.push(`receiver ${at} got the versions in another order than the readers`);
    }
    if (overlaps > 0) faults.push(`receiver ${at} got ${overlaps} deliveries beside another one`);
  }
  return { faults, repeats };
}
