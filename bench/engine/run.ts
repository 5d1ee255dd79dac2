/** The parts of the program without HTTP: searches of every kind at each size, and bodies. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { dataFolder, ROOT } from '../data.ts';
import { aimCell, type Cell, round, type Table } from '../figures.ts';
import { pinned, SERVER_CORE } from '../machine.ts';
import type { Options } from '../options.ts';
import type { BodyFigures } from './bodies.ts';
import type { CodeFigures } from './codes.ts';
import {
  ORGANIZATION_KINDS,
  RELATIONSHIP_KINDS,
  SEARCH_KINDS,
  type SearchKind,
  STU3_KINDS,
} from './kinds.ts';
import { FAR_KINDS, NEAR_KINDS } from './near.ts';
import type { SearchFigures } from './searches.ts';

export const ENGINE_CASES = [...SEARCH_KINDS, ...NEAR_KINDS, ...FAR_KINDS].map(({ name }) => name);

export function runSearches(options: Options): Table[] {
  return [
    ...runKinds('engine', STU3_KINDS, options),
    ...runKinds('engine-others', [...ORGANIZATION_KINDS, ...RELATIONSHIP_KINDS], options),
    ...runKinds('near', NEAR_KINDS, options, 'near'),
    ...runKinds('near-far', FAR_KINDS, options, 'near-far'),
  ];
}

/** One table for all sizes: what grows shows from column to column. */
function runKinds(
  table: string,
  all: readonly SearchKind[],
  options: Options,
  aimed = 'engine',
): Table[] {
  const kinds = all.map(({ name }) => name).filter((name) => options.isWanted(table, name));
  if (kinds.length === 0) return [];
  const { sizes, queries } = options;
  const bySize = sizes.map((records) => {
    const words = ['--data', dataFolder(records), '--queries', String(queries)];
    return measure<readonly SearchFigures[]>('engine/searches.ts', [...words, ...kinds]);
  });
  const columns = [
    'query',
    `matches of ${sizes.at(-1)}`,
    ...sizes.flatMap((size) => PERCENTILES.map((name) => `${name} of ${size}`)),
    'aim for p99',
  ];
  const rows = kinds.map((name, i): Cell[] => {
    const figures = bySize.map((one) => one[i]);
    const aims = sizes.map((size, at) =>
      aimCell(`${aimed}-${size}`, 'p99 µs', figures[at]?.p99 ?? Number.NaN),
    );
    return [
      name,
      figures.at(-1)?.matches ?? Number.NaN,
      ...figures.flatMap((one) => PERCENTILES.map((p) => round(one?.[p] ?? Number.NaN))),
      aims.filter((text) => text !== '').join('; '),
    ];
  });
  const title = `A page of 20 and its exact total, µs, over ${queries} random queries of each kind`;
  return [{ name: table, title, columns, rows }];
}

/** Measures each way to write the body of an organisation. */
export function runBodies(options: Options): Table[] {
  if (!options.isWanted('bodies', 'bodies')) return [];
  const figures = measure<readonly BodyFigures[]>('engine/bodies.ts', [
    '--data',
    dataFolder(options.records),
  ]);
  return [
    {
      name: 'bodies',
      title: 'The body of one organisation, drawn at random',
      columns: ['case', 'µs each', 'bytes, mean'],
      rows: figures.map(({ name, microseconds, bytes }) => [
        name,
        round(microseconds),
        round(bytes),
      ]),
    },
  ];
}

/** Measures the questions about codes and names, and pages of events. */
export function runCodes(options: Options): Table[] {
  if (!options.isWanted('codes', 'codes')) return [];
  const figures = measure<readonly CodeFigures[]>('engine/codes.ts', [
    '--data',
    dataFolder(options.records),
  ]);
  const rows = figures.map(({ name, first, each, memory }): Cell[] => {
    const rate = 1e6 / each;
    const whole = [Math.round(rate), aimCell(name, 'a second', rate)];
    return [name, round(first), round(memory), round(each), ...whole];
  });
  return [
    {
      name: 'codes',
      title: 'Questions about codes and names, CPU time of one thread',
      columns: ['case', 'first, s', 'memory of the first, MB', 'µs each', 'a second', 'aim'],
      rows,
    },
  ];
}

const PERCENTILES = ['p50', 'p99', 'worst'] as const;

/** Runs a script in a separate process, so that other sizes do not influence its compiled code. */
export function measure<Figures>(script: string, words: readonly string[]): Figures {
  const [command = process.execPath, ...rest] = [
    ...pinned(SERVER_CORE),
    process.execPath,
    join(ROOT, 'bench', script),
    ...words,
  ];
  const { status, stdout } = spawnSync(command, rest, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${script} failed`);
  return JSON.parse(stdout);
}
