/** Makes a new input out of valid ones: flips, cuts, repeats and joins bytes, and inserts words. */
import { below, pick, type Random } from './seeded-random.ts';

export interface Material {
  /** Valid inputs. */
  readonly seeds: readonly Buffer[];
  /** Words that mean something in inputs of this kind. */
  readonly dictionary: readonly Buffer[];
  /** Bytes before which a word is inserted with preference: `<`, `{`, `&`; a line feed: after it. */
  readonly boundaries: string;
}

/** Longer inputs are cut: the fuzzer looks for faults, the bench for costs. */
const BYTES_MAX = 60_000;

/** Most inputs change little, so that they get far into the product. */
const MUTATIONS_MAX: readonly number[] = [1, 1, 1, 1, 2, 2, 4, 4, 15];

export function mutate(random: Random, material: Material): Buffer {
  let input = pick(random, material.seeds);
  const mutations = 1 + below(random, pick(random, MUTATIONS_MAX));
  for (let i = 0; i < mutations; i++) {
    input = pick(random, MUTATIONS)(random, input, material).subarray(0, BYTES_MAX);
  }
  return input;
}

/** Bytes that cannot stand in a request target are percent-encoded, as clients do. */
export function asOnTheWire(input: Buffer): string {
  return input
    .toString('latin1')
    .replace(/[^!-~]|#/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

type Mutation = (random: Random, input: Buffer, material: Material) => Buffer;

const insertWord: Mutation = (random, input, { dictionary, boundaries }) => {
  const at = below(random, input.length + 1);
  const place = random() < 0.85 ? boundaryAfter(input, at, boundaries) : at;
  return spliced(input, place, place, pick(random, dictionary));
};

const MUTATIONS: readonly Mutation[] = [
  // One bit.
  (random, input) => withByte(random, input, (byte) => byte ^ (1 << below(random, 8))),
  // One byte.
  (random, input) => withByte(random, input, () => below(random, 256)),
  insertWord,
  insertWord,
  insertWord,
  // Leaves a piece out.
  (random, input) => {
    const at = below(random, input.length + 1);
    const length = 1 + below(random, random() < 0.3 ? 200 : 10);
    return spliced(input, at, at + length, NOTHING);
  },
  // Repeats a piece.
  (random, input) => {
    const at = below(random, input.length + 1);
    return spliced(input, at, at, input.subarray(at, at + 1 + below(random, 100)));
  },
  // Repeats a piece many times.
  (random, input) => {
    const at = below(random, input.length + 1);
    const piece = input.subarray(at, at + 1 + below(random, 30));
    const times = 1 + below(random, 200);
    return spliced(input, at, at, Buffer.concat(Array.from({ length: times }, () => piece)));
  },
  // Leaves a whole piece out.
  (random, input, material) => {
    const [from, to] = wholePiece(random, input, material);
    return spliced(input, from, to, NOTHING);
  },
  // Repeats a whole piece somewhere.
  (random, input, material) => {
    const [from, to] = wholePiece(random, input, material);
    const at = boundaryAfter(input, below(random, input.length + 1), material.boundaries);
    return spliced(input, at, at, input.subarray(from, to));
  },
  // Puts a word in the place of a whole piece.
  (random, input, material) => {
    const [from, to] = wholePiece(random, input, material);
    return spliced(input, from, to, pick(random, material.dictionary));
  },
  // Inserts a piece of another input.
  (random, input, { seeds }) => {
    const other = pick(random, seeds);
    const from = below(random, other.length);
    const at = below(random, input.length + 1);
    return spliced(input, at, at, other.subarray(from, from + below(random, 300)));
  },
];

const NOTHING = Buffer.alloc(0);

/** A piece from one boundary to another: an element, a member, a parameter. */
function wholePiece(random: Random, input: Buffer, { boundaries }: Material): [number, number] {
  const from = boundaryAfter(input, below(random, input.length + 1), boundaries);
  return [from, boundaryAfter(input, from + 1 + below(random, 80), boundaries)];
}

function withByte(random: Random, input: Buffer, change: (byte: number) => number): Buffer {
  const changed = Buffer.from(input);
  const at = below(random, input.length);
  const byte = changed[at];
  if (byte !== undefined) changed[at] = change(byte);
  return changed;
}

/** `from` to before `to` replaced by `piece`. */
function spliced(input: Buffer, from: number, to: number, piece: Buffer): Buffer {
  return Buffer.concat([input.subarray(0, from), piece, input.subarray(to)]);
}

const LOOK_AHEAD_BYTES = 60;

function boundaryAfter(input: Buffer, at: number, boundaries: string): number {
  for (let i = at; i < Math.min(input.length, at + LOOK_AHEAD_BYTES); i++) {
    const character = String.fromCharCode(input[i] ?? 0);
    if (boundaries.includes(character)) return character === '\n' ? i + 1 : i;
  }
  return at;
}
