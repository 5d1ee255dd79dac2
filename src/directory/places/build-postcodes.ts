/** Collects the postcodes of a file in any order, and makes the arrays that are stored. */

import { createOffsets, jsonBytes } from '../arrays/array-named.ts';
import type { NamedArrays } from '../arrays/arrays.ts';
import { numberOfText } from '../arrays/first-numbers.ts';
import { GrowingArray } from '../arrays/growing-array.ts';
import { SourceError } from '../record/source.ts';
import { STORED_AREA_KINDS, type StoredAreaKind } from './areas.ts';
import type { AboutPostcodes, Coordinates, GridReference } from './postcodes.ts';
import {
  type AreaTables,
  areaOrder,
  inwardNumber,
  inwardText,
  MONTH_BITS,
  packPlace,
} from './stored-postcodes.ts';

export interface PostcodeRow {
  /** As `partsOfPostcode` makes them. */
  readonly parts: readonly [outward: string, inward: string];
  /** In `BOUNDS`. Undefined if the file does not know it. */
  readonly position: Coordinates | undefined;
  readonly grid: GridReference | undefined;
  /** The codes of areas; undefined or empty if the file has none. */
  readonly areas: Readonly<Partial<Record<StoredAreaKind, string>>>;
  /** `monthNumber`; 0 if the postcode is in use. */
  readonly terminated: number;
}

export interface BuiltPostcodes
  extends Pick<AboutPostcodes, 'postcodes' | 'withoutPosition' | 'terminated'> {
  readonly arrays: NamedArrays;
}

/** More than the United Kingdom has ever had: 2.7 million. */
const POSTCODES_MAX = 4_000_000;

/** A combination and a month share a word. */
const COMBINATIONS_MAX = 1 << (32 - MONTH_BITS);
const CODES_MAX = 500_000;
/** Their number and an inward code share a word. The United Kingdom has 3,000. */
const OUTWARDS_MAX = 0xffff;

export class PostcodesBuilder {
  #count = 0;
  #withoutPosition = 0;
  #terminated = 0;
  readonly #outwards = new Map<string, number>();
  /** For each postcode in the order of the file, four words: outward and inward, north, east, areas. */
  readonly #words = new GrowingArray(Uint32Array, 1 << 16);
  /** The codes of areas of all kinds: the same ones are in several columns of the file. */
  readonly #codes = new Map<string, number>();
  #lastAreas: PostcodeRow['areas'] = {};
  #lastCombination: number | undefined;
  readonly #combinations = new Map<string, number>();

  get count(): number {
    return this.#count;
  }

  /** Throws a `SourceError` if there is too much. */
  add({ parts: [outwardCode, inwardCode], position, grid, areas, terminated }: PostcodeRow): void {
    if (this.#count === POSTCODES_MAX) throw tooMany('postcodes', POSTCODES_MAX);
    const outward = numbered(this.#outwards, outwardCode, OUTWARDS_MAX, 'outward codes');
    const combination = this.#combinationOf(areas);
    const [north, east] = packPlace(position, grid);
    this.#words.pushAll([
      (outward << INWARD_BITS) | inwardNumber(inwardCode),
      north,
      east,
      (combination << MONTH_BITS) | terminated,
    ]);
    this.#count += 1;
    if (position === undefined) this.#withoutPosition += 1;
    if (terminated > 0) this.#terminated += 1;
  }

  /** `named`: the names of areas by code. Throws a `SourceError` if a postcode was added twice. */
  finish(named: AreaTables['named'] = {}): BuiltPostcodes {
    const codes = [...this.#outwards.keys()];
    const sorted = codes.toSorted();
    const rank = new Map(sorted.map((code, at) => [code, at]));
    const ranks = Uint32Array.from(codes, (code) => rank.get(code)!);
    const words = this.#words.array;
    const keyOf = (row: number) =>
      ranks[words[row * 4]! >>> INWARD_BITS]! * (1 << INWARD_BITS) +
      (words[row * 4]! & INWARD_MASK);
    // A number that sorts by postcode, and then by the place in the file.
    const order = Float64Array.from(
      { length: this.#count },
      (_, row) => keyOf(row) * POSTCODES_MAX + row,
    ).sort();
    const first = new Uint32Array(sorted.length + 1);
    const inward = new Uint16Array(this.#count);
    const columns = [1, 2, 3].map(() => new Uint32Array(this.#count));
    let keyBefore = -1;
    for (const [at, number] of order.entries()) {
      const row = number % POSTCODES_MAX;
      const key = Math.floor(number / POSTCODES_MAX);
      if (key === keyBefore) {
        const before = order[at - 1]! % POSTCODES_MAX;
        const outward = sorted[key >>> INWARD_BITS]!;
        throw new SourceError(
          `The postcode ${outward} ${inwardText(key & INWARD_MASK)} is in the file twice, as ` +
            `postcodes ${before + 1} and ${row + 1}. Give the file as it was published.`,
        );
      }
      keyBefore = key;
      first[(key >>> INWARD_BITS) + 1]! += 1;
      inward[at] = key & INWARD_MASK;
      for (const [column, target] of columns.entries()) target[at] = words[row * 4 + column + 1]!;
    }
    for (let at = 1; at < first.length; at++) first[at]! += first[at - 1]!;
    const [north, east, areas] = columns as [Uint32Array, Uint32Array, Uint32Array];
    const tables: AreaTables = {
      codes: [...this.#codes.keys()],
      named: Object.fromEntries(Object.entries(named).filter(([code]) => this.#codes.has(code))),
    };
    const combinations = [...this.#combinations.keys()].flatMap((key) =>
      key.split(' ').map(Number),
    );
    const narrow = createOffsets(combinations.length, this.#codes.size);
    narrow.set(combinations);
    return {
      arrays: {
        outward: jsonBytes(sorted),
        'outward-first': first,
        inward,
        north,
        east,
        areas,
        'area-kinds': jsonBytes(STORED_AREA_KINDS),
        combinations: narrow,
        'area-codes': jsonBytes(tables),
        'area-order': areaOrder(tables),
      },
      postcodes: this.#count,
      withoutPosition: this.#withoutPosition,
      terminated: this.#terminated,
    };
  }

  #combinationOf(areas: PostcodeRow['areas']): number {
    // Most postcodes follow one of the same areas.
    const last = this.#lastCombination;
    const isSame = STORED_AREA_KINDS.every((kind) => areas[kind] === this.#lastAreas[kind]);
    if (last !== undefined && isSame) return last;
    const numbers = STORED_AREA_KINDS.map((kind) => {
      const code = areas[kind] ?? '';
      return code === '' ? 0 : numbered(this.#codes, code, CODES_MAX, 'codes of areas') + 1;
    });
    const known = this.#combinations;
    this.#lastAreas = areas;
    this.#lastCombination = numbered(known, numbers.join(' '), COMBINATIONS_MAX, 'groups of areas');
    return this.#lastCombination;
  }
}

const INWARD_BITS = 13;
const INWARD_MASK = (1 << INWARD_BITS) - 1;

/** The number of the text, which is new or known. */
function numbered(known: Map<string, number>, text: string, max: number, what: string): number {
  const number = numberOfText(known, text);
  if (number >= max) throw tooMany(what, max);
  return number;
}

function tooMany(what: string, max: number): SourceError {
  return new SourceError(
    `The file has more than ${max} ${what}, so it is not a file of postcodes. Give an ONS Postcode ` +
      'Directory or a Code-Point Open.',
  );
}
