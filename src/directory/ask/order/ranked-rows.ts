/**
 * The order of results that people expect: the exact name, names that begin with the words, and
 * others; of each, trusts and boards, then other organisations, then sites, active before inactive, and
 * then by name. FHIR has its own order.
 */

import { fold } from '../../../fhir/search/string.ts';
import type { NotCriterion } from '../../../fhir/search/token.ts';
import type { Edition } from '../../edition/edition.ts';
import type { DirectoryCriterion } from '../../index/organization-index.ts';
import { nearOf } from '../near.ts';
import { wholeSpellingsOf } from '../words.ts';

type Criteria = readonly DirectoryCriterion[];

/** What matches all criteria, in consecutive groups, which have no row in common. */
export interface RankedGroups {
  readonly criteria: Criteria;
  /** The criteria of each. */
  readonly groups: readonly Criteria[];
}

export interface RankedOptions {
  /** The words that people typed; empty: there are none. */
  readonly text: string;
  /** Whether the criteria leave only one status. */
  readonly hasOneStatus?: boolean;
}

/** The groups of what matches the criteria. */
export function rankedGroups(
  edition: Edition,
  criteria: Criteria,
  { text, hasOneStatus = false }: RankedOptions,
): RankedGroups {
  // Near a place, only the distance orders them.
  if (nearOf(criteria) !== undefined) return { criteria, groups: [criteria] };
  const statuses = hasOneStatus ? [[]] : [[ACTIVE], [not(ACTIVE)]];
  const groups = namesOf(edition, criteria, text).flatMap((names) =>
    KINDS.flatMap((kind) => statuses.map((status) => [...criteria, ...names, ...kind, ...status])),
  );
  return { criteria, groups };
}

const ACTIVE = { type: 'token', field: 'active', values: [{ code: 'true' }] } as const;
const SITE = { type: 'token', field: 'recordClass', values: [{ code: '2' }] } as const;
/** The organisations that people mostly mean by the name of a place: NHS trusts and boards. */
const LEADING = {
  type: 'token',
  field: 'primaryRole',
  values: [{ code: '197' }, { code: '318' }],
} as const;

type Negatable = Extract<DirectoryCriterion, { type: 'not' }>['criterion'];

function not(criterion: Negatable): NotCriterion<Negatable> {
  return { type: 'not', criterion };
}

const KINDS: readonly Criteria[] = [[LEADING], [not(LEADING), not(SITE)], [not(LEADING), SITE]];

function namesOf(edition: Edition, criteria: Criteria, text: string): readonly Criteria[] {
  if (text === '') return [[]];
  const begins = inNames('startsWith', wholeSpellingsOf(text));
  const names = exactNames(edition, [...criteria, begins], text);
  if (names.length === 0) return [[begins], [not(begins)]];
  const exact = inNames('exact', names);
  return [[exact], [begins, not(exact)], [not(begins)]];
}

function inNames(match: 'startsWith' | 'exact', values: readonly string[]) {
  return { type: 'string', field: 'name', match, values } as const;
}

/** The names that are the text, as records write them. In the order of names, they come first. */
function exactNames({ index, rows }: Edition, criteria: Criteria, text: string): readonly string[] {
  const folded = new Set(wholeSpellingsOf(text).map(fold));
  const found = index.search({ criteria }, 0, EXACT_MAX, BY_NAME);
  const names = found.rows.map((row) => rows.recordAt(row).name ?? '');
  return [...new Set(names.filter((name) => folded.has(fold(name))))];
}

/** Of more organisations with one name, the order matters little. */
const EXACT_MAX = 50;

const BY_NAME = [
  { field: 'name', isDescending: false },
  { field: 'row', isDescending: false },
] as const;

/** A page of what matches. */
export function rankedPage(
  edition: Edition,
  { criteria, groups }: RankedGroups,
  offset: number,
  size: number,
): { readonly total: number; readonly rows: readonly number[] } {
  const { total } = search(edition, criteria, 0, 0);
  const rows: number[] = [];
  const end = Math.min(total, offset + size);
  let before = 0;
  for (const group of groups) {
    if (offset + rows.length >= end) break;
    const found = search(edition, group, Math.max(0, offset - before), size - rows.length);
    rows.push(...found.rows);
    before += found.total;
  }
  return { total, rows };
}

/** All rows of the groups. Each group is read in one turn; those near a place, in several. */
export function* rankedRows(edition: Edition, { groups }: RankedGroups): Generator<number> {
  for (const criteria of groups) {
    const isNear = nearOf(criteria) !== undefined;
    const size = isNear ? NEAR_AT_ONCE : edition.index.count;
    for (let offset = 0, total = 1; offset < total; offset += size) {
      const page = search(edition, criteria, offset, size);
      total = page.total;
      yield* page.rows;
    }
  }
}

/** Sorting by distance takes a while. */
const NEAR_AT_ONCE = 5000;

function search(
  { index }: Edition,
  criteria: Criteria,
  offset: number,
  size: number,
): { total: number; rows: readonly number[] } {
  const sort = nearOf(criteria) === undefined ? BY_NAME : [];
  return index.search({ criteria }, offset, size, sort);
}
