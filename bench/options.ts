/** The options of a run of the benchmark. */
import { parseArgs } from 'node:util';
import { LARGE_SIZE, SIZES } from './data.ts';
import { PROGRAM_OPTIONS, PROGRAM_USAGE } from './program.ts';

export interface Options {
  /** Organisations in the release that everything but the growth of searches is measured with. */
  readonly records: number;
  /** The sizes at which searches are measured. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  /** Random queries of each kind. */
  readonly queries: number;
  /** How long order responses are created. */
  readonly orderSeconds: number;
  /** Order responses that are searched. */
  readonly orders: number;
  /** Changes that a receiver of notifications misses. */
  readonly changes: number;
  /** How often the edition is switched under load. */
  readonly switches: number;
  /** How long clients ask for the dearest answers and leave. */
  readonly leavingSeconds: number;
  /** Whether a case of a part is asked for: by its name, its beginning, or its part's name. */
  isWanted(part: string, name: string): boolean;
}

export const USAGE = `Usage: npm run bench -- [PART or CASE or its beginning …] [options]
  --records N        organisations in the release (35000)
  --large            searches also at ${LARGE_SIZE} records, which takes minutes to prepare
  --rounds N         of each case, after one to warm up (5)
  --seconds N        of each round (1)
  --queries N        random queries of each kind (10000)
  --order-seconds N  of creating order responses by 64 clients (30)
  --orders N         order responses that are searched (100000)
  --changes N        that a receiver of notifications misses (100000)
  --switches N       of the edition under load (10)
  --leaving-seconds N  of clients that ask for the most expensive answers and leave (20)
${PROGRAM_USAGE}`;

/** The options of a command line; throws where one is not understood. */
export function readOptions(words: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      ...PROGRAM_OPTIONS,
      records: { type: 'string', default: '35000' },
      large: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '1' },
      queries: { type: 'string', default: '10000' },
      'order-seconds': { type: 'string', default: '30' },
      orders: { type: 'string', default: '100000' },
      changes: { type: 'string', default: '100000' },
      switches: { type: 'string', default: '10' },
      'leaving-seconds': { type: 'string', default: '20' },
    },
  });
  const number = (name: Exclude<keyof typeof values, 'large' | 'from-source'>): number => {
    const value = Number(values[name]);
    if (!(value > 0)) throw new RangeError(`--${name} must be a number above 0`);
    return value;
  };
  const records = number('records');
  const sizes = SIZES.filter((size) => size < records);
  return {
    records,
    sizes: [...sizes, records, ...(values.large && records < LARGE_SIZE ? [LARGE_SIZE] : [])],
    rounds: number('rounds'),
    seconds: number('seconds'),
    queries: number('queries'),
    orderSeconds: number('order-seconds'),
    orders: number('orders'),
    changes: number('changes'),
    switches: number('switches'),
    leavingSeconds: number('leaving-seconds'),
    isWanted: (part, name) =>
      positionals.length === 0 ||
      positionals.some((asked) => asked === part || name.startsWith(asked)),
  };
}
