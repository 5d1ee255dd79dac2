/** The relationships and successions of an organisation as cells of a table: codes. */
import type { Edition } from '../edition.ts';
import type { Relationship } from '../relations.ts';

/** The relationships of a row to others, in the order of the source. */
export function relationshipsOf({ relations }: Edition, row: number): Relationship[] {
  const { first, end } = relations.ofRow(row);
  return Array.from({ length: end - first }, (_, i) => relations.at(first + i));
}

/** The current ones, or all of them if there is none: those of a closed organisation have ended. */
export function latestOf(relationships: readonly Relationship[]): readonly Relationship[] {
  const current = relationships.filter(({ isActive }) => isActive);
  return current.length > 0 ? current : relationships;
}

export interface Geography {
  /** The code of the region of NHS England. */
  readonly region?: string;
  /** The code of the integrated care board, or of what it replaced. */
  readonly board?: string;
}

/**
 * The region and the board of an organisation: the nearest ones that it belongs to, directly or
 * through others, such as the body that commissions it.
 */
export function geographyOf(edition: Edition, row: number): Geography {
  let found: Geography = {};
  const met = new Set([row]);
  let reached = [row];
  for (let level = 0; level < LEVELS_MAX && reached.length > 0; level++) {
    const next: number[] = [];
    for (const each of reached) {
      const upward = relationshipsOf(edition, each).filter(({ type }) => UPWARD.has(type));
      for (const { target } of latestOf(upward)) {
        const role = target.primaryRole ?? '';
        if (REGIONS.has(role)) found = { region: target.code, ...found };
        if (BOARDS.has(role)) found = { board: target.code, ...found };
        if (target.row === undefined || met.has(target.row)) continue;
        met.add(target.row);
        next.push(target.row);
      }
    }
    if (found.region !== undefined && found.board !== undefined) return found;
    reached = next;
  }
  return found;
}

/** A practice is commissioned by a part of a board, which is in a board, which is in a region. */
const LEVELS_MAX = 4;

/** Sub-division of, directed by, commissioned by, located in the geography of, operated by. */
const UPWARD: ReadonlySet<string> = new Set(['2', '3', '4', '5', '6']);

/** NHS England (region). */
const REGIONS: ReadonlySet<string> = new Set(['209']);
/** Integrated care board; strategic partnership, which is the older role of the same codes. */
const BOARDS: ReadonlySet<string> = new Set(['318', '261']);
