/** A clock and an event loop that a test moves. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Turns } from '../../src/threads/pauses.ts';

/** An event loop in which every turn takes as long as told, on a clock that only it moves. */
export function scriptedTurns(turnMs: () => number): Turns & {
  readonly clock: { now: number; turn: number };
} {
  const clock = { now: 0, turn: 0 };
  let turn: Promise<void> | undefined;
  return {
    clock,
    now: () => clock.now,
    next: () => {
      turn ??= nextTurn().then(() => {
        turn = undefined;
        clock.turn += 1;
        clock.now += turnMs();
      });
      return turn;
    },
  };
}
