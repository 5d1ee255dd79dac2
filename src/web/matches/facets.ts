/**
 * Counts the organisations of a set by role and by status. Roles and status belong to the shape of
 * a record, so counting takes one pass over the rows and one over the shapes. The index gives the
 * rows of each role, and so its shapes: parsing every shape takes ten times as long.
 */
import type { Edition } from '../../directory/edition/edition.ts';
import type { DirectoryCriterion } from '../../directory/index/organization-index.ts';
import { ACTIVE, hasCode } from './criteria.ts';

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

/** The number of rows of a set with each shape. */
export type ShapeCounts = Uint32Array;

export interface Facets {
  /** Counts of these rows, by default of all. */
  count(rows: readonly number[] | undefined): ShapeCounts;
  /** Counts by role, the most frequent first, for active, inactive or all organisations. */
  roles(counts: ShapeCounts, isActive: boolean | undefined): RoleCount[];
  /** Counts of organisations with any of the roles; without roles, of all. */
  statuses(counts: ShapeCounts, roles: readonly string[]): StatusCounts;
  /** Counts by main role, the most frequent first. Every organisation has one. */
  primaryRoles(counts: ShapeCounts): PrimaryRoleCount[];
}

/** The facets of an edition. They are built once, and kept as long as the edition. */
export function facetsOf(edition: Edition): Facets {
  const known = FACETS.get(edition);
  if (known !== undefined) return known;
  const reading = READINGS.get(edition) ?? readShapes(edition, ROWS_AT_ONCE);
  READINGS.delete(edition);
  let next = reading.next();
  while (next.done !== true) next = reading.next();
  return keepFacets(edition, next.value);
}

/** Builds the facets in small steps, so that requests do not wait. */
export function prepareFacets(
  edition: Edition,
  onReady: () => void,
  rowsAtOnce = ROWS_AT_ONCE,
): void {
  if (FACETS.has(edition) || READINGS.has(edition)) return;
  const reading = readShapes(edition, rowsAtOnce);
  READINGS.set(edition, reading);
  const step = () => {
    // A request may have needed them and built the rest.
    if (READINGS.get(edition) === reading) {
      const next = reading.next();
      if (next.done !== true) {
        setImmediate(step);
        return;
      }
      keepFacets(edition, next.value);
    }
    onReady();
  };
  setImmediate(step);
}

function keepFacets(edition: Edition, shapes: Shapes): Facets {
  const facets = createFacets(edition, shapes);
  FACETS.set(edition, facets);
  READINGS.delete(edition);
  return facets;
}

const FACETS = new WeakMap<Edition, Facets>();
const READINGS = new WeakMap<Edition, Reading>();

/** Less than a millisecond's work. */
const ROWS_AT_ONCE = 20_000;

/** Roles and status of each shape. */
interface Shapes {
  readonly isActive: Uint8Array;
  /** The number of the main role, or NO_ROLE. */
  readonly mainRole: Uint16Array;
  /** Role number → code. */
  readonly codes: readonly string[];
  /** Role number → the shapes that have the role, also as a secondary one. */
  readonly holders: readonly (readonly number[])[];
  /** Of all rows. */
  readonly counts: ShapeCounts;
}

type Reading = Generator<undefined, Shapes>;

const NO_ROLE = 0xffff;

/** Yields after a limited number of rows. */
function* readShapes(edition: Edition, rowsAtOnce: number): Reading {
  const { rows, index } = edition;
  const codes = edition.roleCodes();
  const isActive = new Uint8Array(rows.shapeCount);
  const mainRole = new Uint16Array(rows.shapeCount).fill(NO_ROLE);
  const counts = new Uint32Array(rows.shapeCount);
  const holders = codes.map((): number[] => []);
  /** Shape → the last role that it was counted for, from 1. */
  const met = new Uint16Array(rows.shapeCount);

  function* eachShape(criteria: readonly DirectoryCriterion[], use: (shape: number) => void) {
    for (let offset = 0; ; offset += rowsAtOnce) {
      const page = index.search({ criteria }, offset, rowsAtOnce);
      for (const row of page.rows) use(rows.shapeOf(row));
      if (offset + rowsAtOnce >= page.total) return;
      yield undefined;
    }
  }

  yield* eachShape([], (shape) => {
    counts[shape]!++;
  });
  yield* eachShape([ACTIVE], (shape) => {
    isActive[shape] = 1;
  });
  for (const [number, code] of codes.entries()) {
    const hold = (shape: number) => {
      if (met[shape] === number + 1) return;
      met[shape] = number + 1;
      holders[number]!.push(shape);
    };
    yield* eachShape([hasCode('primaryRole', [code])], (shape) => {
      mainRole[shape] = number;
      hold(shape);
    });
    yield* eachShape([hasCode('otherRole', [code])], hold);
    yield undefined;
  }
  return { codes, isActive, mainRole, holders, counts };
}

function createFacets({ rows }: Edition, shapes: Shapes): Facets {
  const { codes, isActive, mainRole, holders } = shapes;

  return {
    count: (wanted) => {
      if (wanted === undefined) return shapes.counts;
      const counts = new Uint32Array(rows.shapeCount);
      for (const row of wanted) counts[rows.shapeOf(row)]!++;
      return counts;
    },
    roles: (counts, wantedActive) => {
      const wanted = wantedActive === undefined ? undefined : Number(wantedActive);
      return codes
        .map((code, number) => {
          let count = 0;
          for (const shape of holders[number]!) {
            if (wanted === undefined || isActive[shape] === wanted) count += counts[shape]!;
          }
          return { code, count };
        })
        .filter(({ count }) => count > 0)
        .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
    },
    statuses: (counts, wantedCodes) => {
      const sums = [0, 0];
      const isWanted = new Uint8Array(rows.shapeCount).fill(wantedCodes.length === 0 ? 1 : 0);
      for (const code of wantedCodes) {
        for (const shape of holders[codes.indexOf(code)] ?? []) isWanted[shape] = 1;
      }
      for (let shape = 0; shape < counts.length; shape++) {
        if (isWanted[shape] === 1) sums[isActive[shape]!]! += counts[shape]!;
      }
      return { active: sums[1]!, inactive: sums[0]! };
    },
    primaryRoles: (counts) => {
      const sums = codes.map(() => [0, 0]);
      for (let shape = 0; shape < counts.length; shape++) {
        const role = mainRole[shape]!;
        if (role !== NO_ROLE) sums[role]![isActive[shape]!]! += counts[shape]!;
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
