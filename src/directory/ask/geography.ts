/** The region and the board that organisations belong to. */
import type { Edition } from '../edition/edition.ts';
import { relationshipsOf } from '../edition/source-record.ts';
import type { Relationship } from '../links/edition-links.ts';
import { latestOn } from '../record/in-force.ts';

export interface Geography {
  /** The code of the region of NHS England. */
  readonly region?: string;
  /** The code of the integrated care board, or of what it replaced. */
  readonly board?: string;
}

/** Finds the geography of an organisation by its relationships to others. */
export type FindGeography = (relationships: readonly Relationship[]) => Geography;

/**
 * The region and the board that an organisation belongs to, directly or through others: a practice
 * is commissioned by a part of a board, which is in a board, which is in a region. Relationships in
 * force on the day count; those of a closed organisation have ended. The result keeps the geography
 * of each organisation that others belong to.
 */
export function createFindGeography(edition: Edition, day: string): FindGeography {
  const known = new Map<number, Geography>();
  const ofRow = (row: number, level: number): Geography => {
    const kept = known.get(row);
    if (kept !== undefined) return kept;
    if (level === LEVELS_MAX) return NOWHERE;
    // Ends a cycle of organisations that belong to each other.
    known.set(row, NOWHERE);
    const found = find(relationshipsOf(edition, row), level);
    known.set(row, found);
    return found;
  };
  const find = (relationships: readonly Relationship[], level: number): Geography => {
    const upward = latestOn(
      relationships.filter(({ type }) => UPWARD.has(type)),
      day,
    );
    const ofRole = (roles: ReadonlySet<string>) =>
      upward.find(({ target }) => roles.has(target.primaryRole ?? ''))?.target.code;
    let region = ofRole(REGIONS);
    let board = ofRole(BOARDS);
    for (const { target } of upward) {
      if (region !== undefined && board !== undefined) break;
      if (target.row === undefined) continue;
      const through = ofRow(target.row, level + 1);
      region ??= through.region;
      board ??= through.board;
    }
    return { ...(region !== undefined && { region }), ...(board !== undefined && { board }) };
  };
  return (relationships) => find(relationships, 0);
}

const NOWHERE: Geography = {};

/** A national edition has four levels. Without a limit, a long chain would exhaust the stack. */
const LEVELS_MAX = 16;

/** Sub-division of, directed by, commissioned by, located in the geography of, operated by. */
const UPWARD: ReadonlySet<string> = new Set(['2', '3', '4', '5', '6']);

/** NHS England (region). */
const REGIONS: ReadonlySet<string> = new Set(['209']);
/** Integrated care board; strategic partnership, which is the older role of the same codes. */
const BOARDS: ReadonlySet<string> = new Set(['318', '261']);
