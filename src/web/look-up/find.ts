/** Runs the search of the look-up page: interpretations, one page of rows, counts. */

import {
  type RankedGroups,
  rankedGroups,
  rankedPage,
  rankedRows,
} from '../../directory/ask/order/ranked-rows.ts';
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
  readonly groups: RankedGroups;
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
  const any = [...(asked ?? []), ...always];
  const rows = any.length === 0 ? undefined : rowsOf(edition, any);
  const counts = facets.count(asked === undefined ? [] : rows);
  const counted = {
    belonging,
    shown,
    roles: facets.roles(counts, shown === 'all' ? undefined : shown === 'active'),
    statuses: facets.statuses(counts, roles),
  };
  if (isUnfound)
    return { interpretation, others, total: 0, rows: [], groups: NO_GROUPS, ...counted };
  const criteria = [...(asked ?? []), ...filters];
  const groups = rankedGroups(edition, criteria, {
    text: namedText(interpretation, text),
    hasOneStatus: shown !== 'all',
  });
  const size = state.print ? PRINTED_MAX : PAGE_SIZE;
  const page = rankedPage(edition, groups, (state.page - 1) * size, size);
  return { interpretation, others, groups, ...page, ...counted };
}

const NO_GROUPS: RankedGroups = { criteria: [], groups: [] };

/** The words of the text that may begin a name. */
function namedText(interpretation: Interpretation | undefined, text: string): string {
  if (interpretation === undefined) return '';
  const { kind, subject } = interpretation;
  if (kind === 'name-town') return subject;
  return kind === 'name' || kind === 'town' ? text : '';
}

/**
 * The chosen or most likely interpretation, for the counts of the filters. Undefined if the text, such
 * as `--`, means nothing.
 */
function unfound(
  edition: Edition,
  { text, as }: LookUpState,
): readonly DirectoryCriterion[] | undefined {
  const possible = possibleInterpretations(edition, text);
  return (possible.find(({ kind }) => kind === as) ?? possible[0])?.criteria;
}

/** In the order of their codes. */
function rowsOf({ index }: Edition, criteria: readonly DirectoryCriterion[]): readonly number[] {
  return index.search({ criteria }, 0, index.count, BY_CODE).rows;
}

const BY_CODE = [{ field: 'row', isDescending: false }] as const;

/** The organisation whose code the text is, and then all rows of the result. */
export function* rowsWithCode(
  edition: Edition,
  { text, roles, as }: LookUpState,
  groups: Result['groups'],
): Generator<number> {
  const isCode = roles.length === 0 && (as === undefined || as === 'code');
  const own = isCode ? rowOfCode(edition, text) : undefined;
  if (own !== undefined) yield own;
  for (const row of rankedRows(edition, groups)) if (row !== own) yield row;
}
