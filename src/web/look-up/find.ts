/** Runs the search of the look-up page: interpretations, one page of rows, counts. */

import { nearOf } from '../../directory/ask/near.ts';
import { wholeSpellingsOf } from '../../directory/ask/words.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import type { DirectoryCriterion } from '../../directory/index/organization-index.ts';
import { ACTIVE, hasCode, hasText, INACTIVE } from '../matches/criteria.ts';
import { facetsOf, type RoleCount, type StatusCounts } from '../matches/facets.ts';
import {
  findInterpretations,
  type Interpretation,
  possibleInterpretations,
  rowOfCode,
} from '../matches/interpretations.ts';
import type { LookUpState } from '../matches/state.ts';
import { formatCount } from '../parts/display.ts';
import type { BelongingFilter } from './belonging.ts';
import { nearnessOf } from './nearness.ts';

/** Selects the organisations on a page of results. */
export type Shown = 'active' | 'inactive' | 'all';

export interface Found extends Result {
  /** The filter for organisations that belong to others, if the state has it. */
  readonly belonging: BelongingFilter | undefined;
  /** The interpretation of the text; absent if there is no text or no result. */
  readonly interpretation: Interpretation | undefined;
  /** Other interpretations with results. */
  readonly others: readonly Interpretation[];
  /** The status shown: the requested one, or the one that has matches. */
  readonly shown: Shown;
  /** Counts of results with any role, and with any status. */
  readonly roles: readonly RoleCount[];
  readonly statuses: StatusCounts;
}

/** The rows of one page, and the criteria of all of them. */
export interface Result {
  readonly total: number;
  readonly rows: readonly number[];
  /**
   * Consecutive groups, which have no row in common. The rows of a group are those of its last tier;
   * the rows of its first tier, a subset of them, come first.
   */
  readonly groups: readonly (readonly (readonly DirectoryCriterion[])[])[];
}

export const PAGE_SIZE = 20;

/** More rows are for a download: these fill about 20 sheets. */
export const PRINTED_MAX = 500;

/** `belonging` is that of the state. */
export function find(
  edition: Edition,
  state: LookUpState,
  belonging: BelongingFilter | undefined,
): Found {
  const found = findWith(edition, state, state.status ?? 'active', belonging);
  if (state.status !== undefined) return found;
  // Whoever names codes wants all of them.
  if (found.interpretation?.kind === 'codes') return findWith(edition, state, 'all', belonging);
  if (found.total > 0) return found;
  const closed = findWith(edition, state, 'inactive', belonging);
  return closed.total > 0 ? closed : found;
}

/** `442 active organisations`. */
export function countText({ total, shown }: Pick<Found, 'total' | 'shown'>): string {
  const what = shown === 'all' || total === 0 ? 'organisation' : `${shown} organisation`;
  return formatCount(total, what);
}

function findWith(
  edition: Edition,
  state: LookUpState,
  shown: Shown,
  belonging: BelongingFilter | undefined,
): Found {
  const { text, roles, town } = state;
  const near = nearnessOf(edition, state);
  const always: DirectoryCriterion[] = [
    ...(near === undefined ? [] : [near]),
    ...(belonging === undefined ? [] : [belonging.criterion]),
    ...(town === '' ? [] : [hasText('city', 'startsWith', wholeSpellingsOf(town))]),
  ];
  const filters: DirectoryCriterion[] = [
    ...always,
    ...(shown === 'all' ? [] : [shown === 'active' ? ACTIVE : INACTIVE]),
    ...(roles.length === 0 ? [] : [hasCode('role', roles)]),
  ];
  const interpretations = text === '' ? [] : findInterpretations(edition, text, filters);
  const interpretation =
    state.as === undefined
      ? interpretations[0]
      : interpretations.find(({ kind }) => kind === state.as);
  const others = interpretations.filter((other) => other !== interpretation);
  const facets = facetsOf(edition);
  const isUnfound = text !== '' && interpretation === undefined;
  const asked = isUnfound ? unfound(edition, state) : (interpretation?.criteria ?? []);
  const any = [...asked, ...always];
  const counts = facets.count(any.length === 0 ? undefined : rowsOf(edition, any));
  const counted = {
    belonging,
    shown,
    roles: facets.roles(counts, shown === 'all' ? undefined : shown === 'active'),
    statuses: facets.statuses(counts, roles),
  };
  if (isUnfound) return { interpretation, others, total: 0, rows: [], groups: [], ...counted };
  const criteria = [...asked, ...filters];
  const firsts =
    interpretation?.first === undefined ? undefined : [...interpretation.first, ...filters];
  const tiers = (status: readonly DirectoryCriterion[]): DirectoryCriterion[][] =>
    [...(firsts === undefined ? [] : [firsts]), criteria].map((one) => [...one, ...status]);
  // Active organisations come first.
  const byStatus = shown === 'all' ? [tiers([ACTIVE]), tiers([INACTIVE])] : [tiers([])];
  // Near a place, only the distance orders them.
  const groups = near === undefined ? byStatus : [[criteria]];
  const size = state.print ? PRINTED_MAX : PAGE_SIZE;
  const page = pageOf(edition, groups, { offset: (state.page - 1) * size, size });
  return { interpretation, others, groups, ...page, ...counted };
}

/** The chosen or most likely interpretation, for the counts of the filters. */
function unfound(edition: Edition, { text, as }: LookUpState): readonly DirectoryCriterion[] {
  const possible = possibleInterpretations(edition, text);
  return (possible.find(({ kind }) => kind === as) ?? possible[0])?.criteria ?? [];
}

/** In the order of their codes. */
function rowsOf({ index }: Edition, criteria: readonly DirectoryCriterion[]): readonly number[] {
  return index.search({ criteria }, 0, index.count, BY_CODE).rows;
}

const BY_CODE = [{ field: 'row', isDescending: false }] as const;

interface Part {
  readonly offset: number;
  readonly size: number;
}

function pageOf(
  edition: Edition,
  groups: Result['groups'],
  { offset, size }: Part,
): { total: number; rows: readonly number[] } {
  let total = 0;
  const rows: number[] = [];
  for (const tiers of groups) {
    const group = searchTiers(edition, tiers, { offset: Math.max(0, offset - total), size });
    if (offset < total + group.total) rows.push(...group.rows.slice(0, size - rows.length));
    total += group.total;
  }
  return { total, rows };
}

function searchTiers(
  { index }: Edition,
  tiers: Result['groups'][number],
  { offset, size }: Part,
): { total: number; rows: readonly number[] } {
  const [first = [], all] = tiers;
  if (all === undefined) return index.search({ criteria: first }, offset, size);
  const { total } = index.search({ criteria: all }, 0, 0);
  const beginning = index.search({ criteria: first }, offset, size);
  const missing = Math.min(size, total - offset) - beginning.rows.length;
  if (missing <= 0) return { total, rows: beginning.rows };
  if (beginning.total === 0) return index.search({ criteria: all }, offset, size);
  const skip = Math.max(0, offset - beginning.total);
  const firsts = new Set(index.search({ criteria: first }, 0, beginning.total).rows);
  const enough = skip + missing + beginning.total;
  const others = index.search({ criteria: all }, 0, enough).rows.filter((row) => !firsts.has(row));
  return { total, rows: [...beginning.rows, ...others.slice(skip, skip + missing)] };
}

/** The organisation whose code the text is, and then all rows of the result. */
export function* rowsWithCode(
  edition: Edition,
  { text, roles, as }: LookUpState,
  groups: Result['groups'],
): Generator<number> {
  const isCode = roles.length === 0 && (as === undefined || as === 'code');
  const own = isCode ? rowOfCode(edition, text) : undefined;
  if (own !== undefined) yield own;
  for (const row of allRows(edition, groups)) if (row !== own) yield row;
}

/** All rows of a result, in the order of its pages. */
function* allRows(edition: Edition, groups: Result['groups']): Generator<number> {
  for (const tiers of groups) {
    const met = new Set<number>();
    for (const [i, criteria] of tiers.entries()) {
      const isLast = i === tiers.length - 1;
      for (const row of orderedRows(edition, criteria)) {
        if (met.has(row)) continue;
        if (!isLast) met.add(row);
        yield row;
      }
    }
  }
}

/** Sorting by distance takes a while, so it is done in steps. */
function* orderedRows(
  edition: Edition,
  criteria: readonly DirectoryCriterion[],
): Generator<number> {
  if (nearOf(criteria) === undefined) return yield* rowsOf(edition, criteria);
  for (let offset = 0, total = 1; offset < total; offset += ROWS_AT_ONCE) {
    const page = edition.index.search({ criteria }, offset, ROWS_AT_ONCE);
    total = page.total;
    yield* page.rows;
  }
}

const ROWS_AT_ONCE = 5000;
