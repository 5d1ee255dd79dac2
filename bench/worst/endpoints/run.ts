/** What the dearest answer of each endpoint costs, beside a plain search. */
import { completeDataFolder } from '../../complete-data.ts';
import { measure } from '../../engine/run.ts';
import { aimCell, round, type Table } from '../../figures.ts';
import type { Options } from '../../options.ts';
import type { EndpointFigures } from './measure.ts';

export async function runEndpoints(options: Options): Promise<Table[]> {
  if (!options.isWanted('worst', 'endpoints')) return [];
  const words = ['--data', await completeDataFolder(options.records)];
  return [tableOf(measure<readonly EndpointFigures[]>('worst/endpoints/measure.ts', words))];
}

/** Reading a megabyte of a kept answer, which is no fault of the answer. */
const READING_MS_PER_MB = 1;

/** The dearest first. */
export function tableOf(figures: readonly EndpointFigures[]): Table {
  const rows = figures.toSorted((a, b) => b.firstMs - a.firstMs);
  return {
    name: 'endpoints',
    title:
      'The most expensive known answer of each endpoint; CPU time in ms, and of a plain search in the same minute',
    columns: [
      'endpoint',
      'status',
      'MB',
      'plain search',
      'first time',
      'times a plain search',
      'longest turn',
      'second time',
      'after the client has left',
      'aims',
    ],
    rows: rows.map((one) => [
      `\`${one.name}\``,
      one.status,
      round(one.bytes / 1e6),
      round(one.plainMs),
      round(one.firstMs),
      Math.round(one.firstMs / one.plainMs),
      round(one.turnMs),
      round(one.againMs),
      round(one.afterMs),
      aimsOf(one),
    ]),
  };
}

function aimsOf({ plainMs, turnMs, againMs, afterMs, bytes }: EndpointFigures): string {
  const again = (againMs - (bytes / 1e6) * READING_MS_PER_MB) / plainMs;
  const cells = [
    ['turn', turnMs],
    ['again', again],
    ['after', afterMs],
  ] as const;
  return cells
    .filter(([figure, value]) => aimCell('endpoints', figure, value).includes('missed'))
    .map(([figure]) => `${figure} missed`)
    .join(', ');
}
