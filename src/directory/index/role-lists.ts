/** Which rows have which role, apart by whether it is their primary role's code. */

import type { NamedArrays } from '../arrays.ts';
import type { OrganizationRecord } from '../record.ts';
import { bytesNamed, wordsNamed } from './array-named.ts';
import { createRowListsWriter, openRowLists } from './row-lists.ts';
import { type RowSet, sizeMax } from './row-set.ts';
import { createTextWriter, decodeTexts } from './text-list.ts';

export interface RoleLists {
  /** Within one row, a code is that of the primary role or of another one, never both. */
  rowsOf(code: string, field: 'role' | 'primaryRole' | 'otherRole'): RowSet[];
}

export interface RoleListsWriter {
  add(row: number, record: OrganizationRecord): void;
  finish(rowCount: number): NamedArrays;
}

export function createRoleListsWriter(): RoleListsWriter {
  const numbers = new Map<string, number>();
  const primary = createRowListsWriter();
  const other = createRowListsWriter();
  const numberOf = (code: string): number => {
    const known = numbers.get(code);
    if (known !== undefined) return known;
    numbers.set(code, numbers.size);
    return numbers.size - 1;
  };

  return {
    add(row, { roles }) {
      const primaryCode = roles.find((role) => role.isPrimary)?.code;
      for (const [i, { code }] of roles.entries()) {
        // The same role may be held more than once, with different periods.
        if (roles.findIndex((role) => role.code === code) !== i) continue;
        (code === primaryCode ? primary : other).add(numberOf(code), row);
      }
    },
    finish(rowCount) {
      const writer = createTextWriter();
      for (const code of numbers.keys()) writer.add(code);
      const { bytes, starts } = writer.finish();
      return {
        'role.codes': bytes,
        'role.code-starts': starts,
        ...primary.finish('role.primary', numbers.size, rowCount),
        ...other.finish('role.other', numbers.size, rowCount),
      };
    },
  };
}

/** The codes of all roles that a row has. */
export function roleCodes(arrays: NamedArrays): string[] {
  return decodeTexts({
    bytes: bytesNamed(arrays, 'role.codes'),
    starts: wordsNamed(arrays, 'role.code-starts'),
  });
}

export function openRoleLists(arrays: NamedArrays, rowCount: number): RoleLists {
  const codes = roleCodes(arrays);
  const numbers = new Map(codes.map((code, number) => [code, number]));
  const asPrimary = openRowLists('role.primary', arrays, rowCount);
  const asOther = openRowLists('role.other', arrays, rowCount);
  return {
    rowsOf(code, field) {
      const number = numbers.get(code);
      if (number === undefined) return [];
      const sets = field === 'otherRole' ? [] : [asPrimary(number)];
      if (field !== 'primaryRole') sets.push(asOther(number));
      return sets.filter((set) => sizeMax(set) > 0);
    },
  };
}
