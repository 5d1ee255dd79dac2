/** A quick check of rows, before their records are read. */

import type { Edition } from '../../edition/edition.ts';
import { perShape } from '../../record/rows.ts';
import { predecessorsOf, successorsOf } from '../successors.ts';
import { rowsEverBelow } from './belonging-on-day.ts';
import { type EventFilter, hasRole } from './event-filter.ts';

/** It can admit rows without a wanted event, and admits all numbers without a full record. */
export async function createRowFilter(
  edition: Edition,
  filter: EventFilter,
): Promise<(row: number) => boolean> {
  const { rows } = edition;
  const isNear = filter.of === undefined ? undefined : await nearOf(edition, filter.of);
  const hasWantedRole =
    filter.roles === undefined ? () => true : perShape(rows, (shape) => hasRole(shape, filter));
  return (row) => row >= rows.count || (isNear?.(row) !== false && hasWantedRole(row));
}

/**
 * The organisation, those that may belong to it on some day or have any relationship to it, those that
 * it took over from, and those that took over from it: they have the events of a code without a full
 * record.
 */
async function nearOf(edition: Edition, code: string): Promise<(row: number) => boolean> {
  const { links } = edition;
  const codes = [
    code,
    ...predecessorsOf(edition, code).map(({ from }) => from),
    ...successorsOf(edition, code).map(({ to }) => to),
  ];
  const named = new Set(codes.map(links.rowOf));
  const below = await rowsEverBelow(edition, code);
  return (row) => named.has(row) || (below[row >>> 5]! & (1 << row)) !== 0;
}
