/** The order of sorted results, and the place of a row in it. */
import type { SortedRows } from '../sets/sorted-rows.ts';

/** Rows with equal values of one key are in the order of the next one. */
export interface SortOrder {
  readonly keys: readonly OpenKey[];
  /** Whether rows with equal values of all keys descend. */
  readonly isDescending: boolean;
}

export interface OpenKey {
  readonly sorted: SortedRows;
  readonly isDescending: boolean;
}

/** A number that sorts as the value of the row does. Rows without the field come last. */
export function ownPlaceOf({ sorted, isDescending }: OpenKey, row: number): number {
  const { numbers, valueCount } = sorted;
  const number = numbers[row]!;
  return isDescending && number < valueCount ? valueCount - 1 - number : number;
}

/** A number that sorts as the row does. Its remainder by the number of rows gives the row. */
export function placeOf({ keys, isDescending }: SortOrder, rowCount: number, row: number): number {
  let place = 0;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    place = place * (key.sorted.valueCount + 1) + ownPlaceOf(key, row);
  }
  return place * rowCount + (isDescending ? rowCount - 1 - row : row);
}

export function rowAt({ isDescending }: SortOrder, rowCount: number, place: number): number {
  const row = place % rowCount;
  return isDescending ? rowCount - 1 - row : row;
}

/** Whether the places of all rows are whole numbers without loss. */
export function haveExactPlaces({ keys }: SortOrder, rowCount: number): boolean {
  const places = keys.reduce((count, { sorted }) => count * (sorted.valueCount + 1), rowCount);
  return places <= Number.MAX_SAFE_INTEGER;
}

export function compareRows({ keys, isDescending }: SortOrder, one: number, other: number): number {
  for (const key of keys) {
    const difference = ownPlaceOf(key, one) - ownPlaceOf(key, other);
    if (difference !== 0) return difference;
  }
  return isDescending ? other - one : one - other;
}
