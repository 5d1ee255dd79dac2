/** A quick check of rows, before their records are read. */

import type { Edition } from '../../edition/edition.ts';
import { perShape } from '../../record/rows.ts';
import { predecessorsOf, successorsOf } from '../successors.ts';
import { type EventFilter, hasRole } from './event-filter.ts';

/** It can admit rows without a wanted event, and admits all numbers without a full record. */
export function createRowFilter(
  { links, rows }: Edition,
  filter: EventFilter,
): (row: number) => boolean {
  const near = filter.of === undefined ? undefined : rowsNear({ links }, filter.of);
  const hasWantedRole = perShape(rows, (shape) => hasRole(shape, filter));
  return (row) =>
    row >= rows.count || ((near === undefined || near.has(row)) && hasWantedRole(row));
}

/**
 * The organisation, those with any relationship to it, those that it took over from, and those that
 * took over from it: they have the events of a code without a full record.
 */
function rowsNear({ links }: Pick<Edition, 'links'>, code: string): ReadonlySet<number> {
  const codes = [
    code,
    ...predecessorsOf({ links }, code).map(({ from }) => from),
    ...successorsOf({ links }, code).map(({ to }) => to),
  ];
  const near = new Set(codes.map(links.rowOf).filter((row) => row !== undefined));
  const relationshipAt = links.scan();
  for (const ordinal of links.incoming(code)) near.add(relationshipAt(ordinal).sourceRow);
  return near;
}
