/**
 * Links from one record to another organisation: relationships and successions, which an edition
 * keeps in the same kind of arrays. They are opened without a copy.
 *
 * Arrays of a list of links, named with the prefix of the list: `first` (row → its first ordinal, one
 * more than rows), `kinds` (ordinal → number of the type, with the flag in the lowest two bits),
 * `ids` (ordinal → unique id, or 0), `targets` (ordinal → row, or the number of rows and the number of
 * a code without a record), `target-roles` (ordinal → number of the role, or 0), `target-role-ids`,
 * `period-first` (ordinal → its first period, one more than ordinals), `period-starts`,
 * `period-ends`, `by-target` (ordinals in the order of their targets), `by-target-first` (target →
 * its first place there), `by-id` (the ordinals that have an id, in the order of their ids), `names`
 * (JSON: the types and the roles).
 */

import { jsonNamed, offsetsNamed, wordsNamed } from '../arrays/array-named.ts';
import type { NamedArrays } from '../arrays/arrays.ts';
import { lowest } from '../arrays/binary-search.ts';
import type { PeriodRecord, RelationshipRecord } from '../record/record.ts';
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
  /** The flag and the periods alone, which cost less. */
  timedAt(ordinal: number): Pick<Link, 'flag' | 'periods'>;
  cursor(): LinkCursor;
  /** The row whose link this is. */
  sourceRowOf(ordinal: number): number;
  /** The number of targets. */
  readonly targetCount: number;
  /** The ordinals of the links to a target, ascending. */
  incoming(target: number): Uint32Array;
  /** The first ordinal with this id. */
  byUniqueId(id: number): number | undefined;
  /** The ordinals of the links that have an id, in the order of the ids. */
  readonly numbered: Uint32Array;
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
        sourceRow: sourceRowIn(first, ordinal),
        type: types[kind >>> FLAG_BITS]!,
        flag: LINK_FLAGS[kind & FLAG_MASK],
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
    timedAt: (ordinal) => ({
      flag: LINK_FLAGS[kinds[ordinal]! & FLAG_MASK],
      periods: periodsOf(ordinal),
    }),
    cursor: () =>
      new LinkCursor({ first, kinds, ids, targets, targetRoles, types, roles, codeOf, periodsOf }),
    sourceRowOf: (ordinal) => sourceRowIn(first, ordinal),
    targetCount: byTargetFirst.length - 1,
    incoming: (target) => byTarget.subarray(byTargetFirst[target], byTargetFirst[target + 1]),
    byUniqueId: (id) => {
      const place = lowest(byId.length, (at) => ids[byId[at]!]! >= id);
      const ordinal = byId[place];
      return ordinal !== undefined && ids[ordinal] === id ? ordinal : undefined;
    },
    numbered: byId,
  };
}

function sourceRowIn(first: Uint32Array, ordinal: number): number {
  return lowest(first.length, (row) => first[row]! > ordinal) - 1;
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

export interface LinkRecord extends Omit<RelationshipRecord, 'isActive'> {
  /** Whether a relationship is active, or a succession is forward. */
  readonly flag: boolean | undefined;
}

/** The names of types and of roles of targets. There are few different ones. */
export interface LinkNames {
  readonly types: readonly string[];
  readonly roles: readonly string[];
}

export const LINK_FLAGS: readonly (boolean | undefined)[] = [undefined, true, false];
export const FLAG_BITS = 2;
export const FLAG_MASK = 2 ** FLAG_BITS - 1;

/** The arrays of a list of links. */
export interface LinkArrays {
  readonly first: Uint32Array;
  readonly kinds: { readonly [ordinal: number]: number };
  readonly ids: Uint32Array;
  readonly targets: Uint32Array;
  readonly targetRoles: { readonly [ordinal: number]: number };
  readonly types: readonly string[];
  readonly roles: readonly string[];
  /** Target → its code. */
  readonly codeOf: (target: number) => string;
  readonly periodsOf: (ordinal: number) => readonly PeriodRecord[];
}

/** Over so many links, a search for the row is faster than a look at each row. */
const FAR = 32;

/** The link of the last call of `moveTo`. */
class LinkCursor {
  ordinal = 0;
  sourceRow = 0;
  readonly #arrays: LinkArrays;
  readonly #targets: { readonly code: string }[] = [];
  #periods: readonly PeriodRecord[] | undefined;

  constructor(arrays: LinkArrays) {
    this.#arrays = arrays;
  }

  /** Fast in ascending order. */
  moveTo(ordinal: number): this {
    const { first } = this.#arrays;
    const isFar = ordinal < this.ordinal || ordinal > this.ordinal + FAR;
    if (isFar) this.sourceRow = sourceRowIn(first, ordinal);
    while (first[this.sourceRow + 1]! <= ordinal) this.sourceRow++;
    this.ordinal = ordinal;
    this.#periods = undefined;
    return this;
  }

  get type(): string {
    return this.#arrays.types[this.#kind >>> FLAG_BITS]!;
  }

  get isActive(): boolean {
    return LINK_FLAGS[this.#kind & FLAG_MASK] === true;
  }

  get uniqueId(): number | undefined {
    const id = this.#arrays.ids[this.ordinal]!;
    return id > 0 ? id : undefined;
  }

  get periods(): readonly PeriodRecord[] {
    this.#periods ??= this.#arrays.periodsOf(this.ordinal);
    return this.#periods;
  }

  /** Many links have the same target. */
  get target(): { readonly code: string } {
    const { targets, codeOf } = this.#arrays;
    const number = targets[this.ordinal]!;
    this.#targets[number] ??= { code: codeOf(number) };
    return this.#targets[number];
  }

  /** The row of the target, or the number of rows and the number of a code without a record. */
  get targetNumber(): number {
    return this.#arrays.targets[this.ordinal]!;
  }

  /** The primary role of the target without `RO`, if the source states it. */
  get targetRole(): string | undefined {
    const role = this.#arrays.targetRoles[this.ordinal]!;
    return role > 0 ? this.#arrays.roles[role - 1] : undefined;
  }

  get #kind(): number {
    return this.#arrays.kinds[this.ordinal]!;
  }
}
