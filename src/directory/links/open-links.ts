/** Opens the arrays of a list of links, without a copy. */

import { offsetsNamed, wordsNamed } from '../index/array-named.ts';
import { lowest } from '../index/binary-search.ts';
import { jsonNamed } from '../record/array-json.ts';
import type { NamedArrays } from '../record/arrays.ts';
import type { PeriodRecord } from '../record/record.ts';
import { FLAG_BITS, LINK_FLAGS, type LinkNames, type LinkRecord } from './link.ts';
import { LinkCursor } from './link-cursor.ts';
import { periodOf } from './period-words.ts';

/** A link as an edition keeps it. */
export interface Link extends LinkRecord {
  readonly ordinal: number;
  readonly sourceRow: number;
  /** The row of the target, or the number of rows plus the number of a code without a record. */
  readonly targetNumber: number;
}

export interface Links {
  readonly count: number;
  /** The links of a row: the ordinals from `first` to `end` - 1. */
  ofRow(row: number): { readonly first: number; readonly end: number };
  at(ordinal: number): Link;
  cursor(): LinkCursor;
  /** The ordinals of the links to a target, ascending. */
  incoming(target: number): Uint32Array;
  /** The first ordinal with this id. */
  byUniqueId(id: number): number | undefined;
}

/** `codeOf` gives the code of a target. */
export function openLinks(
  prefix: string,
  arrays: NamedArrays,
  codeOf: (target: number) => string,
): Links {
  const words = (name: string) => wordsNamed(arrays, `${prefix}.${name}`);
  const first = words('first');
  const kinds = offsetsNamed(arrays, `${prefix}.kinds`);
  const ids = words('ids');
  const targets = words('targets');
  const targetRoles = offsetsNamed(arrays, `${prefix}.target-roles`);
  const targetRoleIds = words('target-role-ids');
  const periodsOf = openPeriods(words);
  const byTarget = words('by-target');
  const byTargetFirst = words('by-target-first');
  const byId = words('by-id');
  const { types, roles } = jsonNamed<LinkNames>(arrays, `${prefix}.names`);

  return {
    count: ids.length,
    ofRow: (row) => ({ first: first[row] ?? 0, end: first[row + 1] ?? 0 }),
    at: (ordinal) => {
      const kind = kinds[ordinal];
      if (kind === undefined) throw new RangeError(`There is no number ${ordinal} in ${prefix}.`);
      const uniqueId = ids[ordinal]!;
      const targetNumber = targets[ordinal]!;
      const role = targetRoles[ordinal]!;
      const primaryRoleId = targetRoleIds[ordinal]!;
      return {
        ordinal,
        sourceRow: lowest(first.length, (row) => first[row]! > ordinal) - 1,
        type: types[kind >>> FLAG_BITS]!,
        flag: LINK_FLAGS[kind & (2 ** FLAG_BITS - 1)],
        ...(uniqueId > 0 && { uniqueId }),
        periods: periodsOf(ordinal),
        target: {
          code: codeOf(targetNumber),
          ...(role > 0 && { primaryRole: roles[role - 1]! }),
          ...(primaryRoleId > 0 && { primaryRoleId }),
        },
        targetNumber,
      };
    },
    cursor: () => new LinkCursor({ first, kinds, ids, targets, types, codeOf, periodsOf }),
    incoming: (target) => byTarget.subarray(byTargetFirst[target], byTargetFirst[target + 1]),
    byUniqueId: (id) => {
      const place = lowest(byId.length, (at) => ids[byId[at]!]! >= id);
      const ordinal = byId[place];
      return ordinal !== undefined && ids[ordinal] === id ? ordinal : undefined;
    },
  };
}

function openPeriods(
  words: (name: string) => Uint32Array,
): (ordinal: number) => readonly PeriodRecord[] {
  const first = words('period-first');
  const starts = words('period-starts');
  const ends = words('period-ends');
  return (ordinal) => {
    const periods: PeriodRecord[] = [];
    const end = first[ordinal + 1]!;
    for (let at = first[ordinal]!; at < end; at++) periods.push(periodOf(starts[at]!, ends[at]!));
    return periods;
  };
}
