/** The history of editions, also of those that are not loaded: a port that the pages use. */

import type { SourceRecord } from '../record/record.ts';
import type { RoleDifference } from './difference.ts';
import type { EditionInfo } from './edition-store.ts';

export const CHANGE_KINDS = ['added', 'changed', 'removed'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The difference of an edition to the one before, as counts. */
export interface DifferenceCounts {
  /** The number of the edition that it is compared with; absent for the first edition. */
  readonly comparedTo?: number;
  readonly byRole: readonly RoleDifference[];
}

export interface EditionHistory {
  /** All editions ever published, by number. */
  list(): Promise<readonly EditionInfo[]>;
  /** Undefined if there never was such an edition. */
  differenceCounts(number: number): Promise<DifferenceCounts | undefined>;
  /** The codes of the organisations with this kind of change, in ascending order, one on each line. */
  codes(number: number, kind: ChangeKind): Promise<string>;
  /** How an edition changed an organisation, compared with the edition before. */
  changeOf(number: number, code: string): Promise<ChangeKind | undefined>;
  /**
   * One record of an edition on disk, with its relationships and successions if the edition knows
   * them. `none` if the edition does not have the record, or has only references to it. Undefined if
   * the edition is not kept or cannot be read.
   */
  record(number: number, code: string): Promise<SourceRecord | 'none' | undefined>;
  close(): void;
}

/** Of an edition that is not in a store. */
export const NO_HISTORY: EditionHistory = {
  list: async () => [],
  differenceCounts: async () => undefined,
  codes: async () => '',
  changeOf: async () => undefined,
  record: async () => undefined,
  close: () => {},
};
