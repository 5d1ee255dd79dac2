/** The relationships and successions of an edition. */
import type { RelationshipRecord, SuccessionRecord, TargetRecord } from './record.ts';

/** A target with its row, if the edition has a record of it. */
export interface RelatedTarget extends TargetRecord {
  readonly row?: number;
}

export interface Relationship extends RelationshipRecord {
  readonly ordinal: number;
  readonly sourceRow: number;
  readonly target: RelatedTarget;
}

export interface Succession extends SuccessionRecord {
  readonly sourceRow: number;
  readonly target: RelatedTarget;
}

/**
 * Rows are numbered over both sections of an edition: first the full records, then the
 * reference-only ones. Ordinals number the relationships from 0, in the order of their source rows
 * and of the source. A code without a record can be a target.
 */
export interface Relations {
  /** The number of relationships. */
  readonly count: number;
  /** The number of rows of both sections. */
  readonly rowCount: number;
  /** The row of exactly this code, in either section. */
  rowOf(code: string): number | undefined;
  codeOf(row: number): string;
  /** The relationships of a row to other organisations: the ordinals from `first` to `end` - 1. */
  ofRow(row: number): { readonly first: number; readonly end: number };
  at(ordinal: number): Relationship;
  /** The ordinals of the relationships whose target is the code, ascending. A view, not a copy. */
  incoming(code: string): Uint32Array;
  /** The ordinal of the relationship with this number. */
  byUniqueId(id: number): number | undefined;
  /** The successions that the record of the row states, in the order of the source. */
  successionsOf(row: number): readonly Succession[];
  /** The successions that other records state about the code. */
  successionsTo(code: string): readonly Succession[];
}

const NO_ORDINALS = new Uint32Array(0);

/** The relations of an edition that has none. */
export function noRelations({ rowCount, rowOf, codeOf }: NumberedCodes): Relations {
  return {
    count: 0,
    rowCount,
    rowOf,
    codeOf,
    ofRow: () => ({ first: 0, end: 0 }),
    at: (ordinal) => {
      throw new RangeError(`There is no relationship ${ordinal}.`);
    },
    incoming: () => NO_ORDINALS,
    byUniqueId: () => undefined,
    successionsOf: () => [],
    successionsTo: () => [],
  };
}

/** The codes of all records of an edition. */
export type NumberedCodes = Pick<Relations, 'rowCount' | 'rowOf' | 'codeOf'>;
