/** The column of whole postcodes and their outward codes, without spaces. */

import { fold } from '../../../fhir/search/string.ts';
import type { TokenCriterion, TokenEntry } from '../../../fhir/search/token.ts';
import { compactPostalCode, outwardCodeOf } from '../../record/postal-code.ts';
import { openRowLists } from '../sets/row-lists.ts';
import { openTextIndex, rowsOfFolded } from '../texts/text-index.ts';
import { type Column, foundRows } from './columns.ts';
import { compactPrefixOf } from './string-columns.ts';
import { buildCodeLists, findLists, listedCodes, plainCodeOf } from './token-columns.ts';

/**
 * A postcode is found by exactly its compact spelling, and by exactly its outward code: `LS1` finds
 * `LS1 1UR` and not `LS10 1AA`. The column shares the arrays of the `spacedTextColumn` of the same
 * texts, which has the prefix `textPrefix`.
 */
export function postalCodeColumn<Item>(
  prefix: string,
  textPrefix: string,
  textOf: (item: Item) => string | undefined,
): Column<Item, TokenCriterion, TokenEntry> {
  const compactOf = (item: Item) => compactPostalCode(textOf(item) ?? '');
  const outwardCodesOf = (item: Item) => {
    const outward = outwardCodeOf(compactOf(item));
    return outward === undefined ? [] : [outward];
  };
  return {
    entriesOf: (item) =>
      [compactOf(item), ...outwardCodesOf(item)]
        .filter((code) => code !== '')
        .map((code) => ({ code })),
    build: (rowCount, before) =>
      buildCodeLists(prefix, { outward: outwardCodesOf }, rowCount, before),
    open: (arrays, rowCount) => {
      const texts = openTextIndex(compactPrefixOf(textPrefix), arrays);
      const findOutward = findLists(listedCodes(prefix, arrays), [
        openRowLists(`${prefix}.outward`, arrays, rowCount),
      ]);
      return (criterion) => {
        const whole = wholeCodesOf(criterion).map((code) => rowsOfFolded(texts, fold(code)));
        // A code that is a whole postcode of one row and an outward code of another is in two sets.
        return foundRows([...whole, ...findOutward(criterion).sets], criterion.values.length === 1);
      };
    },
  };
}

/** The values that are compact postcodes, each once. */
function wholeCodesOf({ values, ignoreCase = false }: TokenCriterion): string[] {
  const whole = new Set<string>();
  for (const value of values) {
    const code = plainCodeOf(value) ?? '';
    const compact = compactPostalCode(code);
    const isCompact = ignoreCase ? compact.toLowerCase() === code.toLowerCase() : compact === code;
    if (isCompact && compact !== '') whole.add(compact);
  }
  return [...whole];
}
