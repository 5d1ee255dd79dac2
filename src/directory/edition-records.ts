/** The records of an edition: the full and the reference-only ones, and the relations between them. */
import { REFERENCES, withoutPrefix, withPrefix } from './array-prefix.ts';
import type { NamedArrays } from './arrays.ts';
import { wordsNamed } from './index/array-named.ts';
import { buildIndex } from './index/build-index.ts';
import { ORGANIZATION_COLUMNS } from './index/organization-columns.ts';
import { type OrganizationIndex, openOrganizationIndex } from './index/organization-index.ts';
import {
  buildMissingRelationshipColumns,
  buildRelationshipIndex,
  openRelationshipIndex,
  type RelationshipIndex,
} from './index/relationship-index.ts';
import type { RecordsBuilder, SectionOrdinals } from './records-builder.ts';
import {
  haveRelations,
  type NumberedCodes,
  noRelations,
  openRelations,
  type Relations,
} from './relations.ts';
import { openRows, type Rows } from './rows.ts';
import { RowsBuilder } from './rows-builder.ts';

/** Records in the order of their codes, and their index. */
export interface RecordSection {
  readonly index: OrganizationIndex;
  readonly rows: Rows;
}

/** The section of the full records, with the reference-only records and the relations. */
export interface EditionRecords extends RecordSection {
  /** The reference-only records. */
  readonly references: RecordSection;
  readonly relations: Relations;
  readonly relationshipIndex: RelationshipIndex;
  /**
   * False for an edition from a source without relationships, and for an edition that an earlier
   * version of the program made. Its organisations can have relationships that it does not know.
   */
  readonly hasRelations: boolean;
  /** The two words of the `detailHash` of each row of both sections. Absent without relations. */
  readonly detailHashes?: Uint32Array;
}

/** The arrays of the wanted records. */
export function buildRecords(
  records: RecordsBuilder,
  ordinals: SectionOrdinals,
  hasRelations: boolean,
): NamedArrays {
  const rows = records.rowsOf(ordinals);
  const full = withIndex(rows.full);
  const references = withIndex(rows.references);
  const arrays = { ...full, ...withPrefix(REFERENCES, references) };
  if (!hasRelations) return arrays;
  const codes = numberedCodes(openOrganizationIndex(full), openOrganizationIndex(references));
  const relationArrays = records.relationsOf(ordinals, codes);
  const relations = openRelations(relationArrays, codes);
  return {
    ...arrays,
    ...relationArrays,
    ...buildRelationshipIndex(relations, openRows(rows.full).count),
  };
}

/** The arrays of the index of relationships that an edition lacks, which has all other arrays. */
export function buildMissingRelationshipArrays(arrays: NamedArrays): NamedArrays {
  if (!haveRelations(arrays)) return {};
  const { full, relations } = openSections(arrays);
  return buildMissingRelationshipColumns(arrays, relations, full.index.count);
}

/** `changedAt`: the instant of the edition in which the record of a row changed last. */
export function openRecords(
  arrays: NamedArrays,
  changedAt?: (row: number) => string,
): EditionRecords {
  const { full, references, relations } = openSections(arrays, changedAt);
  const { count } = full.index;
  const hasRelations = haveRelations(arrays);
  const indexArrays = hasRelations ? arrays : buildRelationshipIndex(relations, count);
  const relationshipIndex = openRelationshipIndex(indexArrays, relations, count);
  return {
    ...full,
    references,
    relations,
    relationshipIndex,
    hasRelations,
    ...(hasRelations && { detailHashes: wordsNamed(arrays, 'details.hashes') }),
  };
}

function openSections(arrays: NamedArrays, changedAt?: (row: number) => string) {
  const full = openSection(arrays, changedAt);
  const { count } = full.index;
  const ofReferences = withoutPrefix(REFERENCES, arrays);
  // Editions of earlier versions of the program have full records only.
  const hasReferences = Object.keys(ofReferences).length > 0;
  const references = hasReferences
    ? openSection(ofReferences, changedAt && ((row) => changedAt(row + count)))
    : noRecords();
  const codes = numberedCodes(full.index, references.index);
  const relations = haveRelations(arrays) ? openRelations(arrays, codes) : noRelations(codes);
  return { full, references, relations };
}

function openSection(arrays: NamedArrays, changedAt?: (row: number) => string): RecordSection {
  return { rows: openRows(arrays), index: openOrganizationIndex(arrays, changedAt) };
}

function withIndex(rowArrays: NamedArrays): NamedArrays {
  const rows = openRows(rowArrays);
  return { ...rowArrays, ...buildIndex(ORGANIZATION_COLUMNS, rows.count, rows.recordAt) };
}

let empty: RecordSection | undefined;

function noRecords(): RecordSection {
  empty ??= openSection(withIndex(new RowsBuilder().finish(new Uint32Array(0))));
  return empty;
}

/** The codes of both sections, numbered one after the other. */
function numberedCodes(full: OrganizationIndex, references: OrganizationIndex): NumberedCodes {
  const { count } = full;
  return {
    rowCount: count + references.count,
    rowOf: (code) => {
      const row = full.rowOf(code);
      if (row !== undefined) return row;
      const reference = references.rowOf(code);
      return reference === undefined ? undefined : count + reference;
    },
    codeOf: (row) => (row < count ? full.codeOf(row) : references.codeOf(row - count)),
  };
}
