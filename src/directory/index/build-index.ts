/** Builds the search index of an edition, in one pass over its records. */

import { fold, withoutSpaces } from '../../fhir/search/fold.ts';
import type { NamedArrays } from '../arrays.ts';
import { lastUpdatedMs, type OrganizationRecord } from '../record.ts';
import { buildCodeTable } from './code-table.ts';
import { buildDateColumn } from './date-column.ts';
import { isOdd } from './originals.ts';
import { createRoleListsWriter } from './role-lists.ts';
import { createRowListsWriter } from './row-lists.ts';
import { buildTextColumn } from './text-column.ts';
import { createTextWriter } from './text-list.ts';
import { buildValueColumn, NO_VALUE } from './value-column.ts';

/**
 * `recordAt` is called once for each row, in ascending order; the codes are unique and ascend in
 * the order of their bytes. The arrays hold no reference to the records.
 */
export function buildIndex(
  count: number,
  recordAt: (row: number) => OrganizationRecord,
): NamedArrays {
  const codes = createTextWriter();
  const names = createTextSource();
  const postalCodes = createTextSource();
  const compactPostalCodes = createTextWriter();
  const cities = createValueSource(count);
  const times = new Float64Array(count);
  const active = createRowListsWriter();
  const roles = createRoleListsWriter();

  for (let row = 0; row < count; row++) {
    const record = recordAt(row);
    codes.add(record.code);
    names.add(row, record.name);
    const postalCode = postalCodes.add(row, record.address?.postalCode);
    if (postalCode === undefined) compactPostalCodes.skip();
    else compactPostalCodes.add(withoutSpaces(postalCode), true);
    cities.add(row, record.address?.city);
    times[row] = lastUpdatedMs(record);
    active.add(Number(record.isActive), row);
    roles.add(row, record);
  }

  return {
    ...buildCodeTable(codes.finish()),
    ...buildTextColumn('name', { ...names.finish(), choice: 'all', bytesMin: 3 }),
    // Asked only for texts with a space in them: the others are found in the compact column.
    ...buildTextColumn('postal-code', { ...postalCodes.finish(), choice: 'spaced', bytesMin: 2 }),
    ...buildTextColumn('compact-postal-code', {
      texts: compactPostalCodes.finish(),
      odd: new Map(),
      choice: 'all',
      bytesMin: 2,
    }),
    ...buildValueColumn('city', { ...cities.finish(), bytesMin: 2 }),
    ...buildDateColumn('changed', times),
    ...active.finish('active', 2, count),
    ...roles.finish(count),
  };
}

function createTextSource() {
  const texts = createTextWriter();
  const odd = new Map<number, string>();
  return {
    /** Returns the folded text. */
    add(row: number, original: string | undefined): string | undefined {
      if (original === undefined) {
        texts.skip();
        return undefined;
      }
      const folded = fold(original);
      texts.add(folded, true);
      if (isOdd(original, folded)) odd.set(row, original);
      return folded;
    },
    finish: () => ({ texts: texts.finish(), odd }),
  };
}

function createValueSource(count: number) {
  const numbers = new Map<string, number>();
  const valueByRow = new Uint32Array(count).fill(NO_VALUE);
  return {
    add(row: number, original: string | undefined): void {
      if (original === undefined) return;
      let number = numbers.get(original);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(original, number);
      }
      valueByRow[row] = number;
    },
    finish: () => ({ values: [...numbers.keys()], valueByRow }),
  };
}
