/**
 * Measures the cost of the most expensive input of each kind: no request may block a thread for
 * long.
 */
import { dataFolder } from '../data.ts';
import { measure } from '../engine/run.ts';
import { aimCell, isAimMissed, round, type Table } from '../figures.ts';
import type { Options } from '../options.ts';
import type { WorstFigures } from './measure.ts';

export function runWorst(options: Options): Table[] {
  if (!options.isWanted('worst', 'worst')) return [];
  const words = ['--data', dataFolder(options.records)];
  return [judgeWorst(measure<readonly WorstFigures[]>('worst/measure.ts', words))];
}

/** The program ends with 1 where a request costs more than its aim. */
export function judgeWorst(figures: readonly WorstFigures[]): Table {
  const aimOf = ({ isRequest, milliseconds }: WorstFigures) =>
    isRequest ? aimCell('worst', 'ms', milliseconds) : '';
  if (figures.some((one) => isAimMissed(aimOf(one)))) process.exitCode = 1;
  return {
    name: 'worst',
    title:
      'The most expensive input found of each kind, at its length limit; CPU time of one thread',
    columns: [
      'input',
      'KiB',
      'shapes tried',
      'ms',
      'µs per KiB',
      'aim',
      'the most expensive shape',
    ],
    rows: figures.map((one) => [
      one.name,
      round(one.kilobytes),
      one.shapes,
      round(one.milliseconds),
      round((one.milliseconds * 1000) / one.kilobytes),
      aimOf(one),
      one.shape,
    ]),
  };
}
