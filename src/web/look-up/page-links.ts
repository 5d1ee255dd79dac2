/** The links to other pages of results, as the pagination of the design system takes them. */
import { formatNumber } from '../display.ts';

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
    ...(page > 1 ? { previous: { href: to({ page: page - 1 }) } } : {}),
    ...(page < pages ? { next: { href: to({ page: page + 1 }) } } : {}),
    items,
  };
}
