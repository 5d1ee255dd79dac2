/**
 * How many organisations of a set have each role and each status. Roles and status belong to the
 * shape of a record, so counting is one pass over the rows and one over the shapes.
 */
import type { Edition } from '../../directory/edition.ts';
import type { Status } from './state.ts';

export interface RoleCount {
  readonly code: string;
  readonly count: number;
}

export interface StatusCounts {
  readonly active: number;
  readonly inactive: number;
}

export interface PrimaryRoleCount extends StatusCounts {
  readonly code: string;
}

/** How many rows of a set have each shape. */
export type ShapeCounts = Uint32Array;

export interface Facets {
  /** Of these rows; of all where there are none given. */
  count(rows: readonly number[] | undefined): ShapeCounts;
  /** By role held in any way, most first, of those with the status. */
  roles(counts: ShapeCounts, status: Status | undefined): RoleCount[];
  /** Of those with any of the roles; of all where there are none. */
  statuses(counts: ShapeCounts, roles: readonly string[]): StatusCounts;
  /** By the main role of each organisation, most first; every organisation is in one. */
  primaryRoles(counts: ShapeCounts): PrimaryRoleCount[];
}

/** The facets of an edition: what they need is read once, and kept as long as the edition is. */
export function facetsOf(edition: Edition): Facets {
  const known = FACETS.get(edition);
  if (known !== undefined) return known;
  const reader = READERS.get(edition) ?? createShapeReader(edition);
  reader.read(Number.POSITIVE_INFINITY);
  const facets = createFacets(edition, reader);
  FACETS.set(edition, facets);
  READERS.delete(edition);
  return facets;
}

/** Reads what facets need a little at a time, so that requests in between do not wait. */
export function prepareFacets(edition: Edition, onReady: () => void): void {
  if (FACETS.has(edition) || READERS.has(edition)) return;
  const reader = createShapeReader(edition);
  READERS.set(edition, reader);
  const step = () => {
    // A request may have come for it, and read the rest.
    if (READERS.has(edition) && !reader.read(SHAPES_AT_ONCE)) {
      setImmediate(step);
      return;
    }
    facetsOf(edition);
    onReady();
  };
  setImmediate(step);
}

const FACETS = new WeakMap<Edition, Facets>();
const READERS = new WeakMap<Edition, ShapeReader>();

/** About a millisecond. */
const SHAPES_AT_ONCE = 400;

interface ShapeReader {
  /** Role number → code. */
  readonly codes: readonly string[];
  readonly isActive: Uint8Array;
  /** The roles of shape `s` are `roles[starts[s]..starts[s + 1])`, the main one first. */
  readonly starts: Uint32Array;
  readonly roles: readonly number[];
  /** Reads so many more shapes; whether that was all. */
  read(count: number): boolean;
}

function createShapeReader({ rows }: Edition): ShapeReader {
  const { shapeCount } = rows;
  const codes: string[] = [];
  const numbers = new Map<string, number>();
  const isActive = new Uint8Array(shapeCount);
  const starts = new Uint32Array(shapeCount + 1);
  const roles: number[] = [];
  let next = 0;
  const numberOf = (code: string): number => {
    const known = numbers.get(code);
    if (known !== undefined) return known;
    numbers.set(code, codes.length);
    return codes.push(code) - 1;
  };
  return {
    codes,
    isActive,
    starts,
    roles,
    read: (count) => {
      const end = Math.min(shapeCount, next + count);
      for (; next < end; next++) {
        const shape = rows.shapeAt(next);
        isActive[next] = shape.isActive ? 1 : 0;
        // The same role may be held more than once, with different periods.
        for (const code of new Set(shape.roles.map((role) => role.code))) {
          roles.push(numberOf(code));
        }
        starts[next + 1] = roles.length;
      }
      return next === shapeCount;
    },
  };
}

function createFacets({ rows, index }: Edition, shapes: ShapeReader): Facets {
  const { codes, isActive, starts } = shapes;
  const roles = Uint16Array.from(shapes.roles);
  let whole: ShapeCounts | undefined;

  const countRows = (wanted: readonly number[] | undefined): ShapeCounts => {
    const counts = new Uint32Array(rows.shapeCount);
    if (wanted === undefined) {
      for (let row = 0; row < index.count; row++) counts[rows.shapeOf(row)]!++;
    } else {
      for (const row of wanted) counts[rows.shapeOf(row)]!++;
    }
    return counts;
  };

  return {
    count: (wanted) => {
      if (wanted !== undefined) return countRows(wanted);
      whole ??= countRows(undefined);
      return whole;
    },
    roles: (counts, status) => {
      const sums = new Uint32Array(codes.length);
      const wanted = status === undefined ? undefined : Number(status === 'active');
      for (let shape = 0; shape < counts.length; shape++) {
        const count = counts[shape]!;
        if (count === 0 || (wanted !== undefined && isActive[shape] !== wanted)) continue;
        for (let i = starts[shape]!; i < starts[shape + 1]!; i++) sums[roles[i]!]! += count;
      }
      return codes
        .map((code, number) => ({ code, count: sums[number]! }))
        .filter(({ count }) => count > 0)
        .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
    },
    statuses: (counts, wantedCodes) => {
      const wanted = new Set(wantedCodes.map((code) => codes.indexOf(code)));
      const sums = [0, 0];
      for (let shape = 0; shape < counts.length; shape++) {
        const count = counts[shape]!;
        if (count === 0) continue;
        let isWanted = wanted.size === 0;
        for (let i = starts[shape]!; !isWanted && i < starts[shape + 1]!; i++) {
          isWanted = wanted.has(roles[i]!);
        }
        if (isWanted) sums[isActive[shape]!]! += count;
      }
      return { active: sums[1]!, inactive: sums[0]! };
    },
    primaryRoles: (counts) => {
      const sums = codes.map(() => [0, 0]);
      for (let shape = 0; shape < counts.length; shape++) {
        const role = starts[shape]! < starts[shape + 1]! ? roles[starts[shape]!]! : undefined;
        if (role !== undefined) sums[role]![isActive[shape]!]! += counts[shape]!;
      }
      return codes
        .map((code, number) => ({ code, active: sums[number]![1]!, inactive: sums[number]![0]! }))
        .filter(({ active, inactive }) => active + inactive > 0)
        .sort(
          (a, b) => b.active + b.inactive - a.active - a.inactive || (a.code < b.code ? -1 : 1),
        );
    },
  };
}
