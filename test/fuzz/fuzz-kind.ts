/** The interface between the fuzzer and a kind of input. */
import { slowness } from '../../bench/machine-speed.ts';
import type { Random } from './seeded-random.ts';

export interface FuzzKind {
  /** A new input. */
  generate(random: Random): Buffer;
  /**
   * Gives an input to the product. Answers what is wrong with the outcome, or nothing where the
   * product accepts or refuses the input as it should.
   */
  attempt(input: Buffer): string | undefined | Promise<string | undefined>;
  /** How many inputs may be tried at the same time; 1 where it is absent. */
  readonly concurrency?: number;
  /**
   * Looks at what can only be seen after many inputs (delays of a server, its memory, its log) and
   * answers what is wrong. `recent` are the inputs since the last inspection.
   */
  inspect?(recent: readonly Buffer[]): Promise<readonly Find[]>;
  /** Figures for the last line of the run. */
  figures?(): Readonly<Record<string, number>>;
  close?(): Promise<void>;
}

export interface Find {
  readonly reason: string;
  readonly input: Buffer;
}

/** The event loop of a server must not be held up for longer by one input, on a machine of the usual speed. */
export const STALL_MS = 100;

/** What a machine of the usual speed would have taken. Only looks where the time seems too long. */
export function atUsualSpeed(milliseconds: number): number {
  return milliseconds > STALL_MS ? milliseconds / slowness() : milliseconds;
}
