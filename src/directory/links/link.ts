/**
 * A link from one record to another organisation: a relationship or a succession, which an edition
 * keeps in the same kind of arrays.
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
import type { PeriodRecord, TargetRecord } from '../record/record.ts';

export interface LinkRecord {
  readonly type: string;
  /** Whether a relationship is active, or a succession is forward. */
  readonly flag: boolean | undefined;
  readonly uniqueId?: number;
  readonly periods: readonly PeriodRecord[];
  readonly target: TargetRecord;
}

/** The names of types and of roles of targets. There are few different ones. */
export interface LinkNames {
  readonly types: readonly string[];
  readonly roles: readonly string[];
}

export const LINK_FLAGS: readonly (boolean | undefined)[] = [undefined, true, false];
export const FLAG_BITS = 2;
