/**
 * The positions of the records of an edition, in cells of neighbours, as arrays.
 *
 * Arrays: `places.rows` (the rows with a position, in the order of the cells), `places.points` (three
 * numbers for each of them), `places.order` (row → its place in `places.rows`, or NO_PLACE), and
 * `places.cells` (for each cell a sphere that has all its points: the centre and the radius).
 */

import { bufferOf, type NamedArrays } from '../../arrays/arrays.ts';
import type { Coordinates, Postcodes } from '../../places/postcodes.ts';
import { compactPrefixOf } from '../columns/string-columns.ts';
import { openTexts } from '../texts/suffixes.ts';
import { type Point, pointOf } from './earth.ts';

export const NO_PLACE = 0xffff_ffff;

/** A cell has this many rows. More rows take longer to compare, and more cells to look through. */
export const CELL_ROWS = 64;

/** A millimetre. Spheres are larger by this, so that rounded numbers leave no row out. */
export const MARGIN = 0.001;

/** The arrays of the grid. `arrays` are those of the records of one section of an edition. */
export function buildOrganizationGrid(arrays: NamedArrays, postcodes: Postcodes): NamedArrays {
  const { bytes, starts } = openTexts(compactPrefixOf('postal-code'), arrays);
  const buffer = bufferOf(bytes);
  const rowCount = starts.length - 1;
  const at = new Float64Array(3 * rowCount);
  const sorted = new Float64Array(rowCount);
  let count = 0;
  for (let row = 0; row < rowCount; row++) {
    const end = starts[row + 1]! - 1;
    if (end <= starts[row]!) continue;
    const position = postcodes.positionOf(buffer.toString('latin1', starts[row], end));
    if (position === undefined) continue;
    const { x, y, z } = pointOf(position);
    at.set([x, y, z], 3 * row);
    // In one number, because numbers are sorted much faster than objects.
    sorted[count++] = neighbourKey(position) * ROWS_MAX + row;
  }
  const rows = Uint32Array.from(sorted.subarray(0, count).sort(), (number) => number % ROWS_MAX);
  const points = new Float64Array(3 * count);
  const order = new Uint32Array(rowCount).fill(NO_PLACE);
  for (const [place, row] of rows.entries()) {
    order[row] = place;
    points.set(at.subarray(3 * row, 3 * row + 3), 3 * place);
  }
  return {
    'places.rows': rows,
    'places.points': points,
    'places.order': order,
    'places.cells': buildCells(points),
  };
}

/**
 * The bits of latitude and longitude, alternately (a Morton code). Positions with neighbouring numbers are
 * neighbours, so a run of them is a small area where there are many, and a large one where there are few.
 */
function neighbourKey({ latitude, longitude }: Coordinates): number {
  const north = stepOf((latitude + 90) / 180);
  const east = stepOf((longitude + 180) / 360);
  let key = 0;
  for (let bit = 0; bit < KEY_BITS; bit++) {
    key |= (((north >>> bit) & 1) << (2 * bit + 1)) | (((east >>> bit) & 1) << (2 * bit));
  }
  return key;
}

function stepOf(share: number): number {
  return Math.min(2 ** KEY_BITS - 1, Math.floor(share * 2 ** KEY_BITS));
}

/** In each direction: steps of half a kilometre. */
const KEY_BITS = 15;

/** A key and the number of a row are sorted as one whole number of 53 bits. */
export const ROWS_MAX = 2 ** 23;

function buildCells(points: Float64Array): Float64Array {
  const places = points.length / 3;
  const cells = new Float64Array(4 * Math.ceil(places / CELL_ROWS));
  for (let cell = 0; cell < cells.length; cell += 4) {
    const from = (cell / 4) * CELL_ROWS;
    const to = Math.min(places, from + CELL_ROWS);
    for (let axis = 0; axis < 3; axis++) {
      let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let place = from; place < to; place++) {
        least = Math.min(least, points[3 * place + axis]!);
        most = Math.max(most, points[3 * place + axis]!);
      }
      cells[cell + axis] = (least + most) / 2;
    }
    const centre = { x: cells[cell]!, y: cells[cell + 1]!, z: cells[cell + 2]! };
    let radius = 0;
    for (let place = from; place < to; place++) {
      radius = Math.max(radius, lineTo(points, 3 * place, centre));
    }
    cells[cell + 3] = radius + MARGIN;
  }
  return cells;
}

/** The straight line from a place to the point that is in an array from `at` on. */
export function lineTo(points: Float64Array, at: number, from: Point): number {
  const dx = points[at]! - from.x;
  const dy = points[at + 1]! - from.y;
  const dz = points[at + 2]! - from.z;
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}
