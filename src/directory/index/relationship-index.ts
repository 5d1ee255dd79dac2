/** The index of the relationships of an edition. Its rows are their ordinals. */

import { type IndexedRelationship, noRelations, type Relations } from '../edition/relations.ts';
import type { NamedArrays } from '../record/arrays.ts';
import { type RelationshipColumns, relationshipColumns } from './columns/relationship-columns.ts';
import {
  buildIndex,
  buildMissingColumns,
  columnArrayNames,
  openIndex,
  type SearchIndex,
} from './search-index.ts';

export type RelationshipIndex = SearchIndex<RelationshipColumns>;

/**
 * Also builds the arrays by which organisations are found by their relationships. `fullCount` is the
 * number of full records.
 */
export function buildRelationshipIndex(relations: Relations, fullCount: number): NamedArrays {
  const columns = relationshipColumns(relations, fullCount);
  return buildIndex<IndexedRelationship>(columns, relations.count, relations.scan());
}

/** The names of the arrays that `buildRelationshipIndex` makes. */
export function relationshipArrayNames(): string[] {
  const noCodes = { rowCount: 0, rowOf: () => undefined, codeOf: () => '' };
  return columnArrayNames(relationshipColumns(noRelations(noCodes), 0));
}

/** The part of `buildRelationshipIndex` that `arrays` lacks. */
export function buildMissingRelationshipColumns(
  arrays: NamedArrays,
  relations: Relations,
  fullCount: number,
): NamedArrays {
  const columns = relationshipColumns(relations, fullCount);
  return buildMissingColumns<IndexedRelationship>(
    columns,
    arrays,
    relations.count,
    relations.scan(),
  );
}

export function openRelationshipIndex(
  arrays: NamedArrays,
  relations: Relations,
  fullCount: number,
): RelationshipIndex {
  return openIndex(relationshipColumns(relations, fullCount), arrays, relations.count);
}
