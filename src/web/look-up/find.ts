/** Finds what the state of the look-up page asks for: readings, one page of rows, counts. */
import type { Edition } from '../../directory/edition.ts';
import type { Criterion } from '../../directory/query.ts';
import {
  type Facets,
  facetsOf,
  type RoleCount,
  type ShapeCounts,
  type StatusCounts,
} from './facets.ts';
import { findReadings, possibleReadings, type Reading } from './readings.ts';
import type { LookUpState } from './state.ts';

export interface Found {
  /** How the text was understood; absent where there is no text, or it finds nothing. */
  readonly reading: Reading | undefined;
  /** What else it could mean. */
  readonly others: readonly Reading[];
  readonly total: number;
  readonly rows: readonly number[];
  /** Of what is found whatever its role, and whatever its status. */
  readonly roles: readonly RoleCount[];
  readonly statuses: StatusCounts;
}

export const PAGE_SIZE = 20;

export function find(edition: Edition, state: LookUpState): Found {
  const { text, status, roles, town } = state;
  const ofTown: Criterion[] =
    town === '' ? [] : [{ kind: 'string', field: 'city', match: 'startsWith', values: [town] }];
  const filters: Criterion[] = [
    ...ofTown,
    ...(status === undefined ? [] : [{ kind: 'active', values: [status === 'active'] } as const]),
    ...(roles.length === 0 ? [] : [{ kind: 'role', values: roles } as const]),
  ];
  const readings = text === '' ? [] : findReadings(edition, text, filters);
  const reading =
    state.as === undefined ? readings[0] : readings.find(({ kind }) => kind === state.as);
  const others = readings.filter((other) => other !== reading);
  const facets = facetsOf(edition);
  if (text !== '' && reading === undefined) {
    const counts = shapeCountsOf(edition, facets, [...unfound(state), ...ofTown]);
    return { reading, others, total: 0, rows: [], ...countFacets(facets, counts, state) };
  }
  const counts = shapeCountsOf(edition, facets, [...(reading?.criteria ?? []), ...ofTown]);
  const criteria = [...(reading?.criteria ?? []), ...filters];
  const offset = (state.page - 1) * PAGE_SIZE;
  const { total, rows } =
    reading?.first === undefined
      ? edition.index.search({ criteria }, offset, PAGE_SIZE)
      : searchInOrder(edition, criteria, [...reading.first, ...filters], offset);
  return { reading, others, total, rows, ...countFacets(facets, counts, state) };
}

/** The reading that was wanted or is likeliest, for the counts of filters that may be in the way. */
function unfound({ text, as }: LookUpState): readonly Criterion[] {
  const possible = possibleReadings(text);
  return (possible.find(({ kind }) => kind === as) ?? possible[0])?.criteria ?? [];
}

function countFacets(facets: Facets, counts: ShapeCounts, { roles, status }: LookUpState) {
  return { roles: facets.roles(counts, status), statuses: facets.statuses(counts, roles) };
}

function shapeCountsOf(
  edition: Edition,
  facets: Facets,
  criteria: readonly Criterion[],
): ShapeCounts {
  if (criteria.length === 0) return facets.count(undefined);
  const kept = countsOf(edition);
  const key = JSON.stringify(criteria);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const counts = facets.count(edition.index.search({ criteria }, 0, edition.index.count).rows);
  if (kept.size >= COUNTS_MAX) kept.clear();
  kept.set(key, counts);
  return counts;
}

/** Turning pages and choosing filters ask for the same counts again. */
const COUNTS = new WeakMap<Edition, Map<string, ShapeCounts>>();

/** Of 160 KB each in a full directory. */
const COUNTS_MAX = 32;

function countsOf(edition: Edition): Map<string, ShapeCounts> {
  let kept = COUNTS.get(edition);
  if (kept === undefined) {
    kept = new Map();
    COUNTS.set(edition, kept);
  }
  return kept;
}

/** A page of `all` where those that are also in `first`, a part of it, come before the others. */
function searchInOrder(
  { index }: Edition,
  all: readonly Criterion[],
  first: readonly Criterion[],
  offset: number,
): { total: number; rows: readonly number[] } {
  const { total, rows } = index.search({ criteria: all }, 0, 0);
  const beginning = index.search({ criteria: first }, offset, PAGE_SIZE);
  const missing = Math.min(PAGE_SIZE, total - offset) - beginning.rows.length;
  if (missing <= 0) return { total, rows: beginning.rows };
  if (beginning.total === 0) return index.search({ criteria: all }, offset, PAGE_SIZE);
  const skip = Math.max(0, offset - beginning.total);
  const firsts = new Set(index.search({ criteria: first }, 0, beginning.total).rows);
  const enough = skip + missing + beginning.total;
  const others = index.search({ criteria: all }, 0, enough).rows.filter((row) => !firsts.has(row));
  return { total, rows: [...rows, ...beginning.rows, ...others.slice(skip, skip + missing)] };
}
