/** The history of editions, also of those that are not loaded: a port that the pages use. */

import type { RoleDifference } from './difference.ts';
import type { EditionInfo } from './edition-store.ts';
import type { OrganizationRecord } from './record.ts';

export const CHANGE_KINDS = ['added', 'changed', 'removed'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The difference of an edition to the one before, as counts. */
export interface DifferenceCounts {
  /** The number of the edition that it is compared with; absent for the first edition. */
  readonly comparedTo?: number;
  readonly byRole: readonly RoleDifference[];
}

export interface EditionHistory {
  /** All editions ever published, by number. Cheap. */
  list(): readonly EditionInfo[];
  /** Undefined if there was never such an edition. */
  differenceCounts(number: number): DifferenceCounts | undefined;
  /** The codes of added, changed or removed organisations, in ascending order, one on each line. */
  codes(number: number, kind: ChangeKind): string;
  /** How an edition changed a record, compared with the edition before it. */
  changeOf(number: number, code: string): ChangeKind | undefined;
  /**
   * Reads one record of an edition on disk. Undefined if the edition is not kept, cannot be read,
   * or does not have the record.
   */
  record(number: number, code: string): OrganizationRecord | undefined;
  close(): void;
}
