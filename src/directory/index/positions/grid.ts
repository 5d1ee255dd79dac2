/** Finds the rows of an edition that are near a place, the nearest first. */
import type { NearCriterion } from '../../../fhir/search/criterion.ts';
import { doublesNamed, wordsNamed } from '../../arrays/array-named.ts';
import type { NamedArrays } from '../../arrays/arrays.ts';
import type { Postcodes } from '../../places/postcodes.ts';
import { hasRow } from '../sets/bits.ts';
import {
  buildOrganizationGrid,
  CELL_ROWS,
  lineTo,
  MARGIN,
  NO_PLACE,
  ROWS_MAX,
} from './build-grid.ts';
import { lineOf, metresOf, type Point, pointOf } from './earth.ts';

export interface Grid {
  /** The rows near a place, the nearest first. Of `wanted`, if it is given: a set of bits. */
  nearest(
    near: NearCriterion,
    wanted: Uint32Array | undefined,
    offset: number,
    limit: number,
  ): { readonly total: number; readonly rows: readonly number[] };
  /** All rows near a place, in no order. */
  rowsNear(near: NearCriterion): number[];
  /** The distance of a row from a place in metres; undefined if the row has no position. */
  distanceOf(near: NearCriterion, row: number): number | undefined;
}

/** The grid of records. It is built now if the arrays do not have it, which takes a second for 350,000. */
export function openGrid(recordArrays: NamedArrays, postcodes: Postcodes): Grid {
  const isBuilt = recordArrays['places.rows'] !== undefined;
  const arrays = isBuilt ? recordArrays : buildOrganizationGrid(recordArrays, postcodes);
  const rows = wordsNamed(arrays, 'places.rows');
  const points = doublesNamed(arrays, 'places.points');
  const order = wordsNamed(arrays, 'places.order');
  const cells = doublesNamed(arrays, 'places.cells');
  const circle = createCircle({ rows, points, cells });
  return {
    nearest: (near, wanted, offset, limit) => {
      meetCells(circle, near);
      const total = countMatches(circle, wanted);
      const end = Math.min(offset + limit, total);
      if (offset >= end) return { total, rows: [] };
      const { inRing, nearer } = listRing(circle, wanted, ringOf(circle, offset, end));
      const sorted = Float64Array.from(inRing)
        .sort()
        .subarray(offset - nearer, end - nearer);
      return { total, rows: Array.from(sorted, (number) => number % ROWS_MAX) };
    },
    rowsNear: (near) => {
      meetCells(circle, near);
      const found: number[] = [];
      for (let i = 0; i < circle.count; i++) {
        const [first, end] = placesIn(circle, i);
        for (let place = first; place < end; place++) {
          const isNear = lineTo(points, 3 * place, circle.from) <= circle.reach;
          if (isNear) found.push(rows[place]!);
        }
      }
      return found;
    },
    distanceOf: (near, row) => {
      const place = order[row]!;
      if (place === NO_PLACE) return undefined;
      return metresOf(millimetres(lineTo(points, 3 * place, pointOf(near))) / 1000);
    },
  };
}

interface Placed {
  readonly rows: Uint32Array;
  readonly points: Float64Array;
  readonly cells: Float64Array;
}

/** The circle of the search that runs, and the cells that it meets. Each thread has its own. */
interface Circle extends Placed {
  from: Point;
  /** The radius, as a straight line. */
  reach: number;
  /** The number of cells that it meets. */
  count: number;
  readonly met: Uint32Array;
  /** The least and the greatest line to a place of each cell that is met, and its matches. */
  readonly least: Float64Array;
  readonly greatest: Float64Array;
  readonly matches: Uint32Array;
}

function createCircle(placed: Placed): Circle {
  const cellCount = placed.cells.length / 4;
  return {
    ...placed,
    from: { x: 0, y: 0, z: 0 },
    reach: 0,
    count: 0,
    met: new Uint32Array(cellCount),
    least: new Float64Array(cellCount),
    greatest: new Float64Array(cellCount),
    matches: new Uint32Array(cellCount),
  };
}

/** Moves the circle, and notes the cells that can have a place in it. */
function meetCells(circle: Circle, near: NearCriterion): void {
  const { cells, met, least, greatest } = circle;
  const from = pointOf(near);
  const reach = lineOf(near.metres);
  let count = 0;
  for (let cell = 0; cell < met.length; cell++) {
    const line = lineTo(cells, 4 * cell, from);
    const radius = cells[4 * cell + 3]!;
    if (line - radius > reach) continue;
    met[count] = cell;
    least[count] = Math.max(0, line - radius);
    greatest[count] = line + radius;
    count++;
  }
  Object.assign(circle, { from, reach, count });
}

/** The places of the cell that is met as number `i`. */
function placesIn({ rows, met }: Circle, i: number): readonly [first: number, end: number] {
  const first = met[i]! * CELL_ROWS;
  return [first, Math.min(rows.length, first + CELL_ROWS)];
}

function countMatches(circle: Circle, wanted: Uint32Array | undefined): number {
  let total = 0;
  for (let i = 0; i < circle.count; i++) total += circle.matches[i] = countIn(circle, i, wanted);
  return total;
}

function countIn(circle: Circle, i: number, wanted: Uint32Array | undefined): number {
  const { rows, points, from, reach } = circle;
  const [first, end] = placesIn(circle, i);
  const isWithin = circle.greatest[i]! <= reach;
  if (wanted === undefined && isWithin) return end - first;
  let count = 0;
  for (let place = first; place < end; place++) {
    if (!isWithin && lineTo(points, 3 * place, from) > reach) continue;
    const row = rows[place]!;
    // Without a branch, because the processor cannot predict which rows are wanted.
    count += wanted === undefined ? 1 : (wanted[row >>> 5]! >>> (row & 31)) & 1;
  }
  return count;
}

/** A part of the circle, from one line to another. */
interface Ring {
  readonly from: number;
  readonly to: number;
}

/** The matches in the ring as numbers to sort, and how many matches are nearer than it. */
function listRing(circle: Circle, wanted: Uint32Array | undefined, ring: Ring) {
  const { rows, points, from, reach, least, greatest, matches } = circle;
  const inRing: number[] = [];
  let nearer = 0;
  for (let i = 0; i < circle.count; i++) {
    if (matches[i] === 0 || least[i]! > ring.to) continue;
    if (greatest[i]! < ring.from) {
      nearer += matches[i]!;
      continue;
    }
    const [first, end] = placesIn(circle, i);
    for (let place = first; place < end; place++) {
      const row = rows[place]!;
      if (wanted !== undefined && !hasRow(wanted, row)) continue;
      const line = lineTo(points, 3 * place, from);
      if (line < ring.from) nearer++;
      else if (line <= ring.to && line <= reach) inRing.push(millimetres(line) * ROWS_MAX + row);
    }
  }
  return { inRing, nearer };
}

/** Lines are compared in millimetres: those of up to 1,000 km and the number of a row fit in 53 bits. */
function millimetres(line: number): number {
  return Math.round(line * 1000);
}

/**
 * The least and the greatest line of the matches from `offset` to `end`, roughly: only what lies between
 * must be compared and sorted. At most `offset` matches are nearer than `from`.
 */
function ringOf(circle: Circle, offset: number, end: number): Ring {
  const { least, greatest, matches, count, reach } = circle;
  const stepOfLine = (line: number) =>
    Math.min(RING_STEPS - 1, Math.floor((line / reach) * RING_STEPS));
  /** How many matches are in cells whose nearest, and whose farthest place is in a step. */
  const begun = new Uint32Array(RING_STEPS);
  const ended = new Uint32Array(RING_STEPS);
  for (let i = 0; i < count; i++) {
    begun[stepOfLine(least[i]!)]! += matches[i]!;
    ended[stepOfLine(greatest[i]!)]! += matches[i]!;
  }
  const firstStep = stepsUntil(begun, (before) => before > offset);
  const lastStep = stepsUntil(ended, (within) => within >= end);
  // Between two millimetres, so that rows with the same one are on the same side.
  const between = (line: number) => (Math.floor(line * 1000) + 0.5) / 1000;
  return {
    from: between((firstStep / RING_STEPS) * reach) - MARGIN,
    to:
      lastStep === RING_STEPS - 1 ? reach : between(((lastStep + 1) / RING_STEPS) * reach) + MARGIN,
  };
}

/** The first step up to which there are enough matches, or the last step. */
function stepsUntil(matches: Uint32Array, isEnough: (count: number) => boolean): number {
  let step = 0;
  for (let count = matches[0]!; !isEnough(count) && step < RING_STEPS - 1; ) {
    step += 1;
    count += matches[step]!;
  }
  return step;
}

const RING_STEPS = 256;
