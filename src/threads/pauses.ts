/** Divides long work into short slices, so that a server answers other requests in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Other requests wait for one slice of each long request at most. */
export const SLICE_MS = 8;

/** To await after each piece of the work, if it gives a promise. */
export type Pause = () => Promise<void> | undefined;

/** The clock and the event loop; tests have others. */
export interface Turns {
  now(): number;
  /** Resolves after the events that wait have been handled. */
  next(): Promise<unknown>;
}

export const EVENT_LOOP: Turns = { now: () => performance.now(), next: () => nextTurn() };

/** The pauses only wait at the end of a slice. */
export function createPauses(): Pause {
  let sliceEnd = performance.now() + SLICE_MS;
  return () => {
    if (performance.now() < sliceEnd) return undefined;
    return nextTurn().then(() => {
      sliceEnd = performance.now() + SLICE_MS;
    });
  };
}

/** As `createPauses`, and others that wait get three quarters of the time. */
export function createRests(turns: Turns = EVENT_LOOP): Pause {
  let start = turns.now();
  return () => {
    const usedMs = turns.now() - start;
    if (usedMs < SLICE_MS) return undefined;
    return rest(usedMs, turns).then(() => {
      start = turns.now();
    });
  };
}

/** How much time others get after long work, while they wait. */
export interface RestShare {
  /** This many times as long as the work has taken. */
  readonly factor: number;
  /** Others get at least this many turns of the event loop, even if these are long. */
  readonly turnsMin: number;
  /** If this many turns of the event loop in a row have nothing to do, no other request waits. */
  readonly idleTurns: number;
}

/** While others wait, the long work of one client gets a quarter of the time of the thread. */
const OF_CLIENT: RestShare = { factor: 3, turnsMin: 1, idleTurns: 1 };

/**
 * That of all clients together gets half of it. A turn accepts one new connection, which is hardly
 * work, and reads its request in the next turn: with few turns, connections would wait for seconds.
 */
export const OF_ALL: RestShare = { factor: 1, turnsMin: 8, idleTurns: 3 };

/** A turn of the event loop that takes less had nothing to do: no other request waits. */
const IDLE_TURN_MS = 0.1;

/** A slice that takes longer has waited for something else, such as the disk or shared work. */
const CHARGED_MS_MAX = 50;

/** After a slice, others get time, unless turns of the event loop show that none waits. */
export async function rest(
  usedMs: number,
  turns: Turns,
  { factor, turnsMin, idleTurns }: RestShare = OF_CLIENT,
): Promise<void> {
  let owedMs = Math.min(usedMs, CHARGED_MS_MAX) * factor;
  for (let [made, idle] = [0, 0]; (owedMs > 0 || made < turnsMin) && idle < idleTurns; made++) {
    const start = turns.now();
    await turns.next();
    const turnMs = turns.now() - start;
    idle = turnMs < IDLE_TURN_MS ? idle + 1 : 0;
    owedMs -= turnMs;
  }
}
