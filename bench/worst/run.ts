/** What the dearest input of each kind costs: no request may hold a thread for long. */
import { dataFolder } from '../data.ts';
import { measure } from '../engine/run.ts';
import { round, type Table } from '../figures.ts';
import type { Options } from '../options.ts';
import type { WorstFigures } from './measure.ts';

/** What others may be kept waiting by one request. */
const MILLISECONDS_MAX = 50;

/** The program ends with 1 where a request costs more. */
export function runWorst(options: Options): Table[] {
  if (!options.isWanted('worst', 'worst')) return [];
  const figures = measure<readonly WorstFigures[]>('worst/measure.ts', [
    '--data',
    dataFolder(options.records),
  ]);
  const isMissed = ({ isRequest, milliseconds }: WorstFigures) =>
    isRequest && milliseconds > MILLISECONDS_MAX;
  if (figures.some(isMissed)) process.exitCode = 1;
  return [
    {
      name: 'worst',
      title: 'The dearest input found of each kind, at its limit of length; CPU time of one thread',
      columns: ['input', 'KiB', 'shapes tried', 'ms', 'µs per KiB', 'aim', 'the dearest shape'],
      rows: figures.map((one) => [
        one.name,
        round(one.kilobytes),
        one.shapes,
        round(one.milliseconds),
        round((one.milliseconds * 1000) / one.kilobytes),
        one.isRequest ? `≤ ${MILLISECONDS_MAX}${isMissed(one) ? ' (missed)' : ''}` : '',
        one.shape,
      ]),
    },
  ];
}
