/** The data of the look-up page's template: the state of the page and its results. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Edition } from '../../directory/edition/edition.ts';

import type { NearCriterion } from '../../fhir/search/criterion.ts';
import { ACTIVE, INACTIVE } from '../matches/criteria.ts';
import {
  findInterpretations,
  type Interpretation,
  outwardPart,
  possibleInterpretations,
  rowOfCode,
} from '../matches/interpretations.ts';
import {
  type Cuts,
  isAsking,
  type LookUpState,
  ROLES_MAX,
  TYPED_LENGTH_MAX,
  writeState,
} from '../matches/state.ts';
import type { Addresses } from '../parts/addresses.ts';
import { errorTitle } from '../parts/answers.ts';
import { type RolesOf, rolesOf } from '../parts/code-names.ts';
import { formatCount, formatDate, formatNumber } from '../parts/display.ts';
import type { WebContext } from '../parts/web-options.ts';
import { belongingOf, belongingText } from './belonging.ts';
import { countText, type Found, find, PAGE_SIZE, PRINTED_MAX, type Shown } from './find.ts';
import { distanceOptions, distanceText, nearnessOf } from './nearness.ts';
import { chosenFilters, NO_FILTERS, NOT_NEAR, pageLinks } from './page-links.ts';
import { postcodeLinks } from './postcode-links.ts';
import { respelt } from './suggestions.ts';

/** The number of roles that the page shows at first. */
const ROLES_SHOWN = 8;

export async function lookUpPage(
  edition: Edition,
  state: LookUpState,
  { addresses, today }: Pick<WebContext, 'addresses' | 'today'>,
  { cuts, problems, nearProblem, leftSignal }: ParameterReport = NO_PROBLEMS,
): Promise<object> {
  const found = find(edition, state, await belongingOf(edition, state, today(), leftSignal));
  // The search and a page for paper each take most of a turn. Other requests are answered in between.
  if (found.rows.length > PAGE_SIZE) await nextTurn();
  const roles = rolesOf(edition);
  const to = (change: Partial<LookUpState>) =>
    addresses.home + writeState({ ...state, page: 1, print: false, ...change });
  const asks = isAsking(state);
  const near = nearnessOf(edition, state);
  const { total } = found;
  const size = state.print ? PRINTED_MAX : PAGE_SIZE;
  const pages = Math.max(1, Math.ceil(total / size));
  const isBeyond = state.page > pages;
  const firstShown = (state.page - 1) * size + 1;
  const lastShown = Math.min(total, state.page * size);
  return {
    title:
      nearProblem !== undefined
        ? errorTitle({ title: TITLE })
        : asks
          ? titleOf(state, found)
          : TITLE,
    nearProblem,
    state,
    asks,
    hasDistances: near !== undefined,
    total,
    count: countText(found),
    range: total > size ? `${formatNumber(firstShown)} to ${formatNumber(lastShown)}` : '',
    belonging: belongingText(edition, found.belonging, state, { addresses, to }),
    downloads:
      total === 0 || problems.length > 0 ? undefined : downloadsOf(edition, state, addresses),
    interpretation: found.interpretation && describe(found.interpretation, state.text),
    unknownCodes: found.interpretation?.unknown?.join(', '),
    leavesOutWords: leavesOutWords(edition, state, found),
    textMax: cuts.text ? TYPED_LENGTH_MAX : undefined,
    rolesMax: cuts.roles ? ROLES_MAX : undefined,
    problems,
    otherStatus: asks ? otherStatus(state, found, to) : undefined,
    others: found.others.map((other) => ({
      ...describe(other, state.text),
      count: formatCount(other.total, 'organisation'),
      href: to({ as: other.kind }),
    })),
    postcodeLinks: postcodeLinks(edition, state, addresses, to),
    code: codeLink(edition, state, addresses),
    rows: found.rows.map((row) => resultOf(edition, row, { roles, addresses, state, found, near })),
    filters: filtersOf(state, found, roles, to, edition.postcodes !== undefined),
    chosen: chosenFilters(near === undefined ? { ...state, ...NOT_NEAR } : state, roles, to),
    noFilters: to({ ...NO_FILTERS }),
    pagination:
      total > size && !isBeyond && !state.print ? pageLinks(state.page, pages, to) : undefined,
    printAll: total > size && !state.print ? printAll(total, to) : undefined,
    paper: {
      day: formatDate(today()),
      address: addresses.server + addresses.home + writeState(state),
    },
    beyond:
      isBeyond && total > 0
        ? { pages: formatCount(pages, 'page'), href: to({ page: pages }) }
        : undefined,
    meant: asks && total === 0 ? await meantText(edition, state, to) : undefined,
    figures: asks ? undefined : figuresOf(found),
  };
}

/** What the page says about the parameters of its address. */
export interface ParameterReport {
  readonly cuts: Cuts;
  readonly problems: readonly string[];
  /** Why there is no list: the place is not valid. */
  readonly nearProblem?: string | undefined;
  /** See `FhirRequest`. */
  readonly leftSignal?: (() => AbortSignal) | undefined;
}

const TITLE = 'Find an organisation code';

const NO_PROBLEMS: ParameterReport = { cuts: { text: false, roles: false }, problems: [] };

function titleOf({ text }: LookUpState, found: Found): string {
  const count = countText(found);
  return text === '' ? count : `${text}: ${count}`;
}

/** The words after `Showing organisations`, with the emphasised parts separate. */
function describe({ kind, subject, place }: Interpretation, text: string) {
  switch (kind) {
    case 'codes':
      return { kind, words: 'with the codes', subject };
    case 'postcode':
      return { kind, words: 'whose postcode begins with', subject };
    case 'district':
      return { kind, words: 'whose postcode is in', subject };
    case 'town':
      return { kind, words: 'in towns that begin with', subject: text };
    case 'role':
      return { kind, words: 'with the role', subject };
    case 'name-town':
    case 'role-town':
      return {
        kind,
        words: kind === 'name-town' ? 'whose name contains' : 'with the role',
        subject,
        more: 'in towns that begin with',
        place,
      };
    default:
      return {
        kind,
        words: subject.includes(' ') ? 'whose name contains the words' : 'whose name contains',
        subject,
      };
  }
}

/** Whether the search ignored some words. */
function leavesOutWords(
  edition: Edition,
  { text }: LookUpState,
  { interpretation }: Found,
): boolean {
  const interpretations =
    interpretation === undefined ? possibleInterpretations(edition, text) : [interpretation];
  return interpretations.some((one) => one.leavesOutWords === true);
}

/** A similar search that has results: with other spellings, or the first part of the postcode. */
async function meantText(edition: Edition, { text }: LookUpState, to: To) {
  for (const subject of [await respelt(edition, text), outwardPart(text)]) {
    if (subject === undefined) continue;
    const href = to({ ...NO_FILTERS, as: undefined, text: subject });
    for (const shown of ['active', 'inactive'] as const) {
      const status = shown === 'active' ? ACTIVE : INACTIVE;
      const [best] = findInterpretations(edition, subject, [status]);
      if (best !== undefined) return { subject, count: countText({ ...best, shown }), href };
    }
  }
  return undefined;
}

/** The link to the organisations that the page leaves out because of their status. */
function otherStatus({ status }: LookUpState, { statuses, shown }: Found, to: To) {
  const { active, inactive } = statuses;
  if (status !== undefined) return undefined;
  if (shown === 'inactive') return { text: 'No active organisation matches.' };
  if (active === 0 || inactive === 0) return undefined;
  const text = `Also show ${formatCount(inactive, 'inactive organisation')}`;
  return { text, href: to({ status: 'all' }) };
}

/** The organisation with the text as its code, if the search is for something else. */
function codeLink(edition: Edition, { text, as }: LookUpState, addresses: Addresses) {
  const row = as === undefined ? undefined : rowOfCode(edition, text);
  if (row === undefined) return undefined;
  const { code, name } = edition.rows.recordAt(row);
  return { code, name, href: addresses.organization(code) };
}

interface ResultOptions {
  readonly roles: RolesOf;
  readonly addresses: Addresses;
  readonly state: LookUpState;
  readonly found: Found;
  readonly near: NearCriterion | undefined;
}

function resultOf(
  { rows, index }: Edition,
  row: number,
  { roles, addresses, state, found: { interpretation }, near }: ResultOptions,
) {
  const { code, name, isActive, address, roles: held } = rows.recordAt(row);
  const main = roles.mainOf(held);
  const rest = held.map((role) => role.code).filter((role) => role !== main);
  const wanted = [...state.roles, ...(interpretation?.roles ?? [])];
  const met =
    main !== undefined && wanted.includes(main)
      ? undefined
      : rest.find((role) => wanted.includes(role));
  const also = met === undefined ? '' : ` (also: ${roles.name(met)})`;
  return {
    code,
    name: name ?? 'No name',
    // With the search, so that the page can link back to the results.
    href: addresses.organization(code) + writeState({ ...state, print: false }),
    town: address?.city ?? '',
    postcode: address?.postalCode ?? '',
    distance: near && distanceText(index.distanceOf(near, row)),
    role: main === undefined ? '' : roles.name(main) + also,
    isActive,
  };
}

type To = (change: Partial<LookUpState>) => string;

/** All results, with the filters of the state. */
function downloadsOf({ postcodes }: Edition, state: LookUpState, addresses: Addresses) {
  const query = writeState({ ...state, page: 1, print: false });
  return {
    csv: addresses.results('csv') + query,
    geojson: postcodes && addresses.results('geojson') + query,
    ndjson: addresses.results('ndjson') + query,
  };
}

function printAll(total: number, to: To) {
  const text =
    total > PRINTED_MAX ? `Print the first ${PRINTED_MAX}` : `Print all ${formatNumber(total)}`;
  return { text, href: to({ print: true }) };
}

function filtersOf(state: LookUpState, found: Found, roles: RolesOf, to: To, canBeNear: boolean) {
  const counts = new Map(found.roles.map(({ code, count }) => [code, count]));
  const chosen = new Set(state.roles);
  const options = [
    ...found.roles.filter(({ code }) => chosen.has(code)),
    ...state.roles.filter((code) => !counts.has(code)).map((code) => ({ code, count: 0 })),
    ...found.roles.filter(({ code }) => !chosen.has(code)),
  ].map(({ code, count }) => ({
    code,
    text: roles.name(code),
    count: formatNumber(count),
    isChosen: chosen.has(code),
  }));
  const shown = Math.max(ROLES_SHOWN, chosen.size);
  const { active, inactive } = found.statuses;
  const status = (shown: Shown, text: string, count: number) => ({
    // The default has no value, so that addresses stay short.
    value: shown === 'active' ? '' : shown,
    text,
    count: formatNumber(count),
    isChosen: found.shown === shown,
  });
  return {
    roles: options.slice(0, shown),
    moreRoles: options.slice(shown).sort((a, b) => a.text.localeCompare(b.text, 'en-GB')),
    statuses: [
      status('active', 'Active', active),
      status('inactive', 'Inactive', inactive),
      status('all', 'All', active + inactive),
    ],
    distances: canBeNear ? distanceOptions(state) : undefined,
    as: state.as,
    action: to({}),
  };
}

function figuresOf({ statuses: { active, inactive } }: Found) {
  return [
    { text: 'organisations', number: formatNumber(active + inactive) },
    { text: 'active', number: formatNumber(active) },
  ];
}
