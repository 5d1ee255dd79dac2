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

/**
 * The exit code is 1 if a request costs more than twice its aim, because machines differ in speed.
 * If the machine is slower than usual, this limit is higher by the same factor.
 */
export function judgeWorst(figures: readonly WorstFigures[]): Table {
  const aimOf = ({ isRequest, milliseconds }: WorstFigures) =>
    isRequest ? aimCell('worst', 'ms', milliseconds) : '';
  const isFar = ({ isRequest, milliseconds, slowness }: WorstFigures) =>
    isRequest && isAimMissed(aimCell('worst', 'ms', milliseconds / 2 / slowness));
  if (figures.some(isFar)) process.exitCode = 1;
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
