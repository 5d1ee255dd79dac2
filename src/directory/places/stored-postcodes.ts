/**
 * Postcodes as arrays of numbers, which are stored in one file and which all threads share: 14 bytes
 * for each postcode, so that the 2.7 million of the national file need less than 40 MB.
 *
 * Postcodes are grouped by their outward code, and in it sorted by their inward code.
 */

import { jsonNamed, offsetsNamed, wordsNamed } from '../arrays/array-named.ts';
import type { NamedArrays } from '../arrays/arrays.ts';
import { lowest } from '../arrays/binary-search.ts';
import type { StoredTable } from '../arrays/stored-table.ts';
import { AREA_KINDS, type StoredAreaKind } from './areas.ts';
import { gridReferenceOf } from './national-grid.ts';
import {
  type AboutPostcodes,
  type Area,
  type Coordinates,
  type FoundPostcode,
  type GridReference,
  type PostcodeAreas,
  type PostcodeFile,
  partsOfPostcode,
} from './postcodes.ts';

export interface StoredPostcodes extends StoredTable<AboutPostcodes> {
  /**
   * `outward`: JSON, the sorted outward codes. `outward-first`: where the postcodes of each begin.
   * `inward`: the number of the inward code. `north`, `east`: `packPlace`. `areas`: the index of a
   * combination of areas, and in the lowest 12 bits the month of termination since 1970, or 0.
   * `area-kinds`: JSON, the kinds of areas; absent in files of earlier versions of the program, which
   * have `AREA_KINDS`. `combinations`: for each combination and kind the index in `area-codes`, from
   * 1, or 0.
   * `area-codes`: JSON, `AreaTables`. `area-order`: `areaOrder`; absent in files of earlier versions.
   */
  readonly arrays: NamedArrays;
}

/** The codes of areas of all kinds; and what is known of some of them, by code. */
export interface AreaTables {
  readonly codes: readonly string[];
  readonly named: Readonly<Record<string, Omit<Area, 'code'>>>;
}

/** The code by which an area is found: of the Organisation Data Service, or its own. */
function searchedCode({ codes, named }: AreaTables, place: number): string {
  const code = codes[place]!;
  return named[code]?.odsCode ?? code;
}

/** The indexes of `codes` in the order of the codes by which areas are found. */
export function areaOrder(tables: AreaTables): Uint32Array {
  const searched = tables.codes.map((_, place) => searchedCode(tables, place));
  const places = Array.from(searched, (_, place) => place);
  places.sort(
    (a, b) => (searched[a]! < searched[b]! ? -1 : 1) * Number(searched[a] !== searched[b]),
  );
  return Uint32Array.from(places);
}

/** Cheap: nothing is copied except the outward codes and the codes of areas. */
export function openPostcodes({ about, arrays }: StoredPostcodes): PostcodeFile {
  const outwardCodes = jsonNamed<string[]>(arrays, 'outward');
  const outwards = new Map(outwardCodes.map((code, number) => [code, number]));
  const first = wordsNamed(arrays, 'outward-first');
  const inward = offsetsNamed(arrays, 'inward');
  const [north, east] = [wordsNamed(arrays, 'north'), wordsNamed(arrays, 'east')];
  const areas = wordsNamed(arrays, 'areas');
  const { areasAt, listed } = openAreas(arrays);

  const rowOf = ([outwardCode, inwardCode]: readonly [string, string]): number | undefined => {
    const outward = outwards.get(outwardCode);
    if (outward === undefined) return undefined;
    const wanted = inwardNumber(inwardCode);
    const [from, to] = [first[outward]!, first[outward + 1]!];
    const row = from + lowest(to - from, (more) => inward[from + more]! >= wanted);
    return row < to && inward[row] === wanted ? row : undefined;
  };
  const at = (row: number): FoundPostcode => {
    const outward = lowest(outwardCodes.length, (number) => first[number + 1]! > row);
    const position = positionIn(north[row]!, east[row]!);
    const grid = position && gridIn(position, north[row]!, east[row]!);
    const terminated = monthText(areas[row]! & MONTH_MASK);
    return {
      postcode: `${outwardCodes[outward]} ${inwardText(inward[row]!)}`,
      ...(position && { position }),
      ...(grid && { grid }),
      areas: areasAt(areas[row]! >>> MONTH_BITS),
      ...(terminated !== undefined && { terminated }),
    };
  };
  return {
    version: about.version,
    about,
    positionOf: (postcode) => {
      const parts = partsOfPostcode(postcode);
      const row = parts && rowOf(parts);
      return row === undefined ? undefined : positionIn(north[row]!, east[row]!);
    },
    find: (postcode) => {
      const parts = partsOfPostcode(postcode);
      const row = parts && rowOf(parts);
      return row === undefined ? undefined : at(row);
    },
    at,
    terminatedAt: (row) => monthText(areas[row]! & MONTH_MASK),
    areas: listed,
  };
}

const LETTERS = 26;
const LETTER_A = 65;

/** From 0 to 6,759: a digit and two letters. */
export function inwardNumber(inward: string): number {
  const [digit, second, third] = [0, 1, 2].map((at) => inward.charCodeAt(at)) as [
    number,
    number,
    number,
  ];
  return ((digit - 48) * LETTERS + second - LETTER_A) * LETTERS + third - LETTER_A;
}

export function inwardText(number: number): string {
  const rest = number % LETTERS ** 2;
  return String.fromCharCode(
    48 + Math.floor(number / LETTERS ** 2),
    LETTER_A + Math.floor(rest / LETTERS),
    LETTER_A + (rest % LETTERS),
  );
}

/**
 * The area that the positions of a file must be in, the British Isles. A coordinate is stored as
 * millionths of a degree from its lower bound, in 24 bits.
 */
export const BOUNDS = { south: 49, north: 61.5, west: -9.5, east: 2.5 } as const;
const MILLION = 1_000_000;
const UNKNOWN_PLACE = 0xffff_ffff;

/** How far the grid reference of the file may be from that of the position, in metres. */
const GRID_METRES_MAX = 127;
const NO_GRID = 255;

/**
 * Two words: a coordinate in the upper 24 bits of each, and in the lower 8 bits how many metres the
 * grid reference of the file differs from the one that the position has by `gridReferenceOf`. A
 * grid reference that is further away is of another grid, such as that of Ireland, and is left out.
 */
export function packPlace(
  position: Coordinates | undefined,
  grid: GridReference | undefined,
): readonly [north: number, east: number] {
  if (position === undefined) return [UNKNOWN_PLACE, UNKNOWN_PLACE];
  const north = Math.round((position.latitude - BOUNDS.south) * MILLION);
  const east = Math.round((position.longitude - BOUNDS.west) * MILLION);
  const computed = grid && gridReferenceOf(coordinates(north, east));
  const more = (value: number | undefined, known: number | undefined) => {
    const less = Math.round((value ?? Number.NaN) - Math.round(known ?? 0));
    return Math.abs(less) <= GRID_METRES_MAX ? less + GRID_METRES_MAX : NO_GRID;
  };
  const moreNorth = more(grid?.northing, computed?.northing);
  const moreEast = more(grid?.easting, computed?.easting);
  return [((north << 8) | moreNorth) >>> 0, ((east << 8) | moreEast) >>> 0];
}

/** Only differences of decimal texts of at most six places are exact in this. */
function coordinates(north: number, east: number): Coordinates {
  return {
    latitude: (BOUNDS.south * MILLION + north) / MILLION,
    longitude: (BOUNDS.west * MILLION + east) / MILLION,
  };
}

function positionIn(north: number, east: number): Coordinates | undefined {
  return north === UNKNOWN_PLACE ? undefined : coordinates(north >>> 8, east >>> 8);
}

function gridIn(position: Coordinates, north: number, east: number): GridReference | undefined {
  const [moreNorth, moreEast] = [north & 0xff, east & 0xff];
  if (moreNorth === NO_GRID || moreEast === NO_GRID) return undefined;
  const { easting, northing } = gridReferenceOf(position);
  return {
    easting: Math.round(easting) + moreEast - GRID_METRES_MAX,
    northing: Math.round(northing) + moreNorth - GRID_METRES_MAX,
  };
}

export const MONTH_BITS = 12;
const MONTH_MASK = (1 << MONTH_BITS) - 1;
const MONTHS_OF_YEAR = 12;
const FIRST_YEAR = 1970;

/** From 1, January 1970. Undefined if the text, `201903` or `2019-03`, is not a month since then. */
export function monthNumber(text: string): number | undefined {
  const [, year = '', month = ''] = /^(\d{4})-?(0[1-9]|1[0-2])$/.exec(text) ?? [];
  const number = (Number(year) - FIRST_YEAR) * MONTHS_OF_YEAR + Number(month);
  return year !== '' && number > 0 && number <= MONTH_MASK ? number : undefined;
}

/** Undefined for 0, a postcode in use. */
function monthText(number: number): string | undefined {
  if (number === 0) return undefined;
  const year = FIRST_YEAR + Math.floor((number - 1) / MONTHS_OF_YEAR);
  return `${year}-${String(((number - 1) % MONTHS_OF_YEAR) + 1).padStart(2, '0')}`;
}

interface OpenAreas {
  areasAt(combination: number): FoundPostcode['areas'];
  readonly listed: PostcodeAreas;
}

/** Who only needs positions never parses the codes. */
function openAreas(arrays: NamedArrays): OpenAreas {
  const combinations = offsetsNamed(arrays, 'combinations');
  const kinds: readonly StoredAreaKind[] =
    arrays['area-kinds'] === undefined ? AREA_KINDS : jsonNamed(arrays, 'area-kinds');
  let parsed: AreaTables | undefined;
  const tables = () => {
    parsed ??= jsonNamed<AreaTables>(arrays, 'area-codes');
    return parsed;
  };
  let known: Uint32Array | undefined;
  const order = (): Uint32Array => {
    const isStored = arrays['area-order'] !== undefined;
    known ??= isStored ? wordsNamed(arrays, 'area-order') : areaOrder(tables());
    return known;
  };
  const areaAt = (place: number): Area => {
    const { codes, named } = tables();
    const code = codes[place]!;
    return { code, ...named[code] };
  };
  return {
    areasAt: (combination) => {
      const found: Partial<Record<StoredAreaKind, Area>> = {};
      for (const [at, kind] of kinds.entries()) {
        const number = combinations[combination * kinds.length + at]!;
        if (number > 0) found[kind] = areaAt(number - 1);
      }
      return found;
    },
    listed: {
      get count() {
        return tables().codes.length;
      },
      at: areaAt,
      find: (code) => {
        const places = order();
        const searched = (at: number) => searchedCode(tables(), places[at]!);
        const after = lowest(places.length, (at) => searched(at) > code);
        // The last one, if several areas are the same organisation.
        const isFound = after > 0 && searched(after - 1) === code;
        return isFound ? areaAt(places[after - 1]!) : undefined;
      },
    },
  };
}
