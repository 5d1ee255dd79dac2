/**
 * Searches for the most expensive shape of each kind of input, and prints its cost as JSON:
 * `node bench/worst/measure.ts --data FOLDER [--draws N]`
 */
import { parseArgs } from 'node:util';
import { randomFor } from '../../scripts/release/random.ts';
import { openSample } from '../data.ts';
import { slowness } from '../machine-speed.ts';
import { cpuMsOf, longestTurnMs } from './cpu.ts';
import { inputsOf } from './inputs.ts';
import { type Input, numbered } from './shapes.ts';

export interface WorstFigures {
  readonly name: string;
  readonly isRequest: boolean;
  readonly kilobytes: number;
  readonly milliseconds: number;
  /** How much slower than usual the machine was (`slowness`). */
  readonly slowness: number;
  readonly shapes: number;
  /** The frame, and the tokens that are repeated in it. */
  readonly shape: string;
}

interface Shape {
  readonly frame: string;
  readonly unit: string;
  /** The number of tokens in the unit. */
  readonly count: number;
}

const { values } = parseArgs({
  options: { data: { type: 'string', default: 'data' }, draws: { type: 'string', default: '100' } },
});

/** Shapes are compared at a fraction of the length. Superlinear growth shows there, too. */
const TRIAL_SHARE = 1 / 4;
/** The number of the most expensive shapes that are measured at full length. */
const FINALISTS = 5;
/** The cheapest run counts, because other programs disturb the measurement. */
const RUNS = 10;
const SEED = 11;
const TOKENS_MAX = 4;
/** The number of characters of a frame that are shown. */
const FRAME_SHOWN = 48;

const edition = await openSample(values.data);
const found: { input: Input; shape: Shape; milliseconds: number; shapes: number }[] = [];
for (const [place, input] of inputsOf(edition).entries()) {
  const shapes = shapesOf(input, place);
  found.push({ input, ...(await worstOf(input, shapes)), shapes: shapes.length });
}
const figures: WorstFigures[] = [];
for (const { input, shape, milliseconds, shapes } of found) {
  const { name, isRequest, bytesMax } = input;
  const slownessBefore = slowness();
  figures.push({
    name,
    isRequest,
    shapes,
    kilobytes: bytesMax / 1024,
    shape: describe(shape),
    // Once more, later: what else the machine did then may have ended.
    milliseconds: Math.min(milliseconds, await cost(input, textOf(shape, input), RUNS)),
    slowness: Math.max(slownessBefore, slowness()),
  });
}
process.stdout.write(`${JSON.stringify(figures)}\n`);

/** Each token in each frame, and random mixtures of tokens. */
function shapesOf({ frames, tokens }: Input, place: number): Shape[] {
  const random = randomFor(SEED, place);
  const single = frames.flatMap((frame) => tokens.map((unit) => ({ frame, unit, count: 1 })));
  const drawn = Array.from({ length: Number(values.draws) }, () => {
    const count = 2 + random.below(TOKENS_MAX - 1);
    const unit = Array.from({ length: count }, () => random.pick(tokens)).join('');
    return { frame: random.pick(frames), unit, count };
  });
  return [...single, ...drawn];
}

async function worstOf(input: Input, shapes: readonly Shape[]) {
  const trials: { shape: Shape; milliseconds: number }[] = [];
  for (const shape of shapes) {
    const text = textOf(shape, input, TRIAL_SHARE);
    trials.push({ shape, milliseconds: await cost(input, text, 2) });
  }
  trials.sort((a, b) => b.milliseconds - a.milliseconds);
  let worst = { shape: { frame: '', unit: '', count: 1 }, milliseconds: -1 };
  for (const { shape } of trials.slice(0, FINALISTS)) {
    const milliseconds = await cost(input, textOf(shape, input), RUNS);
    if (milliseconds > worst.milliseconds) worst = { shape, milliseconds };
  }
  return worst;
}

function textOf({ frame, unit, count }: Shape, { bytesMax, timesMax }: Input, share = 1): string {
  const room = bytesMax * share - Buffer.byteLength(frame);
  const times = Math.min(
    Math.floor(room / Buffer.byteLength(numbered(unit, 0))),
    Math.floor(((timesMax ?? Number.POSITIVE_INFINITY) * share) / count),
  );
  const units = Array.from({ length: Math.max(1, times) }, (_, at) => numbered(unit, at));
  return frame.replace('…', () => units.join(''));
}

async function cost(input: Input, text: string, runs: number): Promise<number> {
  const read = () => input.read(text);
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const spent = input.hasTurns ? await longestTurnMs(read) : await cpuMsOf(read);
    least = Math.min(least, spent);
  }
  return least;
}

function describe({ frame, unit }: Shape): string {
  const at = frame.indexOf('…');
  const start = frame.slice(Math.max(0, at - FRAME_SHOWN), at);
  return `${JSON.stringify(unit)} after ${JSON.stringify(start)}`;
}
