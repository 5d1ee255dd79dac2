/** The links of the look-up page: to other pages of results, and those that remove a filter. */

import { type LookUpState, NO_BELONGING } from '../matches/state.ts';
import type { RolesOf } from '../parts/code-names.ts';
import { formatNumber, titleCase } from '../parts/display.ts';
import { nearText } from './nearness.ts';

/** As the pagination of the design system takes them. */
export interface PageLinks {
  readonly previous?: { readonly href: string };
  readonly next?: { readonly href: string };
  readonly items: readonly object[];
}

/** The first, the last, and those around the page. */
export function pageLinks(
  page: number,
  pages: number,
  to: (change: { page: number }) => string,
): PageLinks {
  const shown = [1, page - 1, page, page + 1, pages].filter(
    (number, i, all) => number >= 1 && number <= pages && all.indexOf(number) === i,
  );
  const items = shown.flatMap((number, i) => {
    const gap = number - (shown[i - 1] ?? 0);
    const link = (linked: number) => ({
      number: formatNumber(linked),
      ariaLabel: `Page ${formatNumber(linked)}`,
      href: to({ page: linked }),
      current: linked === page,
    });
    if (gap === 2) return [link(number - 1), link(number)];
    return gap > 2 ? [{ ellipsis: true }, link(number)] : [link(number)];
  });
  return {
    ...(page > 1 && { previous: { href: to({ page: page - 1 }) } }),
    ...(page < pages && { next: { href: to({ page: page + 1 }) } }),
    items,
  };
}

export const NOT_NEAR = { near: '', within: '' } as const;

export const NO_FILTERS = {
  roles: [],
  status: undefined,
  town: '',
  ...NO_BELONGING,
  ...NOT_NEAR,
} as const;

/** A filter that a state has, with a link that removes it. */
export interface ChosenFilter {
  readonly text: string;
  readonly href: string;
}

export function chosenFilters(
  state: LookUpState,
  roles: RolesOf,
  to: (change: Partial<LookUpState>) => string,
): ChosenFilter[] {
  const { status, town, of, near } = state;
  return [
    ...(near === '' ? [] : [{ text: nearText(state), href: to(NOT_NEAR) }]),
    ...state.roles.map((code) => ({
      text: roles.name(code),
      href: to({ roles: state.roles.filter((other) => other !== code) }),
    })),
    ...(status === undefined
      ? []
      : [{ text: STATUS_FILTERS[status], href: to({ status: undefined }) }]),
    ...(of === '' ? [] : [{ text: `Belongs to ${of}`, href: to(NO_BELONGING) }]),
    ...(town === ''
      ? []
      : [{ text: `Town begins with ${titleCase(town.toLowerCase())}`, href: to({ town: '' }) }]),
  ];
}

const STATUS_FILTERS = { inactive: 'Inactive', all: 'Active and inactive' } as const;
