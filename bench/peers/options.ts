/** The options of `npm run bench:peers`. */
import { parseArgs } from 'node:util';
import { PROGRAM_OPTIONS, PROGRAM_USAGE } from '../program.ts';

export interface PeerOptions {
  /** The numbers of organisations in the releases. */
  readonly sizes: readonly number[];
  /** The duration of each measurement, and the longest warm-up before it. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** The number of order responses to store before the cases. 0 leaves their cases out. */
  readonly orders: number;
  /** The largest heap of the JVM, in the form of its option -Xmx. */
  readonly heap: string;
}

export const USAGE = `Usage: npm run bench:peers -- [options]
  --sizes N,N        organisations in each release (10000,100000); empty leaves directories out
  --seconds N        duration of each measurement (5)
  --warm-up N        longest warm-up of each case in seconds (60)
  --orders N         order responses to store before the cases; 0 leaves their cases out (2000)
  --heap SIZE        the largest heap of the JVM (4g)
${PROGRAM_USAGE}`;

/** Reads the options. Throws if one is not valid. */
export function readPeerOptions(words: readonly string[]): PeerOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      ...PROGRAM_OPTIONS,
      sizes: { type: 'string', default: '10000,100000' },
      seconds: { type: 'string', default: '5' },
      'warm-up': { type: 'string', default: '60' },
      orders: { type: 'string', default: '2000' },
      heap: { type: 'string', default: '4g' },
    },
  });
  const number = (name: string, text: string, least: number): number => {
    const value = Number(text);
    if (text !== '' && value >= least) return value;
    throw new RangeError(`--${name} must be a number from ${least}`);
  };
  return {
    sizes: values.sizes
      .split(',')
      .filter(Boolean)
      .map((text) => number('sizes', text, 100)),
    seconds: number('seconds', values.seconds, 0.1),
    warmUpSeconds: number('warm-up', values['warm-up'], 0),
    orders: number('orders', values.orders, 0),
    heap: values.heap,
  };
}
