/** Compares the CPU time for each request between two servers, over several processes of each. */
import { type Contestant, measureInTurn, type Rounds } from './measure.ts';

/** Measures a case with two contestants: the one before, then the one after. */
export type Compare = (
  name: string,
  contestants: readonly Contestant[],
  turns: Rounds,
) => Promise<void>;

/** The microseconds of CPU for each request of a case, by round. */
export interface Compared {
  readonly name: string;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/**
 * Calls `measure` with new processes each time. V8 compiles the code differently in each process,
 * which changes the CPU time of the process by up to 10 %.
 */
export async function measureProcesses(
  processes: number,
  measure: (compare: Compare) => Promise<void>,
): Promise<readonly Compared[]> {
  const found = new Map<string, { before: number[]; after: number[] }>();
  for (let i = 0; i < processes; i++) {
    await measure(async (name, contestants, turns) => {
      const [before, after] = await measureInTurn(contestants, turns);
      if (before === undefined || after === undefined) throw new Error('a contestant is missing');
      const all = found.get(name) ?? { before: [], after: [] };
      all.before.push(...before.cpus);
      all.after.push(...after.cpus);
      found.set(name, all);
    });
  }
  return [...found].map(([name, both]) => ({ name, ...both }));
}
