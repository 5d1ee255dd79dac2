/** The history of editions, also of those that are not loaded: a port that the pages use. */

import type { RoleDifference } from './difference.ts';
import type { EditionInfo } from './edition-store.ts';
import type { OrganizationRecord } from './record.ts';

export const CHANGE_KINDS = ['added', 'changed', 'removed'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The difference of an edition to the one before, as counts. */
export interface DifferenceCounts {
  /** The edition it is compared with; absent with the first. */
  readonly comparedTo?: number;
  readonly byRole: readonly RoleDifference[];
}

export interface EditionHistory {
  /** All editions ever published, by number. Cheap. */
  list(): readonly EditionInfo[];
  /** Undefined where there never was such an edition. */
  differenceCounts(number: number): DifferenceCounts | undefined;
  /** The codes of what was added, changed or removed, in ascending order, one a line. */
  codes(number: number, kind: ChangeKind): string;
  /** What an edition did to a record, compared with the one before. */
  changeOf(number: number, code: string): ChangeKind | undefined;
  /**
   * One record of an edition that is kept on disk, read alone; undefined where the edition is not
   * kept, cannot be read, or lacks the record.
   */
  record(number: number, code: string): OrganizationRecord | undefined;
  close(): void;
}
