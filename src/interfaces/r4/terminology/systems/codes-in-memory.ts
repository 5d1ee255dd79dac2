/** The codes of a small code system, which are all in memory. */

import { fold } from '../../../../fhir/search/string.ts';
import type { CodeItem, Codes, CodesQuery } from './code-system-row.ts';

/** `hasValue`: whether a code has the value of a property, as a text. */
export function codesInMemory<Item extends CodeItem>(
  items: readonly Item[],
  hasValue: (item: Item, property: string, value: string) => boolean = () => false,
): Codes<Item> {
  const byCode = new Map(items.map((item) => [item.code, item]));
  return {
    find: (code) => byCode.get(code),
    page: ({ text, isActiveOnly, filters, offset, count }: CodesQuery) => {
      const words = filterWords(text);
      const matches = items.filter(
        (item) =>
          !(isActiveOnly && item.isInactive === true) &&
          filters.every(({ property, value }) => hasValue(item, property, value)) &&
          hasWords(item, words),
      );
      return { total: matches.length, items: matches.slice(offset, offset + count) };
    },
  };
}

export function filterWords(text: string): readonly string[] {
  return fold(text)
    .trim()
    .split(' ')
    .filter((word) => word !== '');
}

function hasWords({ code, display = '' }: CodeItem, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = fold(`${code} ${display}`);
  return words.every((word) => text.includes(word));
}
