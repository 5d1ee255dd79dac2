/** The codes of a code system that is kept in sorted arrays, and is too big to be read whole. */

import { createPauses } from '../../../../threads/pauses.ts';
import type { CodeItem, Codes, CodesQuery } from './code-system-row.ts';

export interface OrderedCodes<Item> {
  readonly count: number;
  find(code: string, day: string): Item | undefined;
  /** The code at a place from 0, in the order of the arrays. */
  at(place: number, day: string): Item;
  /** Whether the code at a place is in use. Absent: all are. */
  isActiveAt?(place: number, day: string): boolean;
}

/** A text of a client finds the code that it is, since a search in all codes would take long. */
export function codesInArrays<Item extends CodeItem>(ordered: OrderedCodes<Item>): Codes<Item> {
  return {
    find: ordered.find,
    page: (query) => {
      const { text, isActiveOnly, offset, count, day } = query;
      if (text.trim() !== '') return onePage(ordered.find(text.trim(), day), query);
      if (isActiveOnly && ordered.isActiveAt !== undefined) return activePage(ordered, query);
      const end = Math.min(offset + count, ordered.count);
      return { total: ordered.count, items: itemsFrom(ordered, offset, end, day) };
    },
  };
}

function onePage<Item extends CodeItem>(
  item: Item | undefined,
  { isActiveOnly, offset, count }: CodesQuery,
) {
  const items = item === undefined || (isActiveOnly && item.isInactive === true) ? [] : [item];
  return { total: items.length, items: items.slice(offset, offset + count) };
}

function* itemsFrom<Item>(
  { at }: OrderedCodes<Item>,
  start: number,
  end: number,
  day: string,
): Generator<Item> {
  for (let place = start; place < end; place++) yield at(place, day);
}

/** Reads all places, because the total counts them, in pieces. */
async function activePage<Item>(
  { count: placeCount, at, isActiveAt }: OrderedCodes<Item>,
  { offset, count, day, pause = createPauses() }: CodesQuery,
) {
  const places: number[] = [];
  let total = 0;
  for (let place = 0; place < placeCount; place++) {
    if (place % PLACES_BETWEEN_PAUSES === 0) await pause();
    if (isActiveAt?.(place, day) === false) continue;
    if (total >= offset && places.length < count) places.push(place);
    total += 1;
  }
  return { total, items: places.map((place) => at(place, day)) };
}

/** Reading so many takes less than a millisecond. */
const PLACES_BETWEEN_PAUSES = 512;
