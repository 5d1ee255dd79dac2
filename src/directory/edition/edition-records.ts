/** The records of an edition: the full and the reference-only ones, and the links between them. */

import { wordsNamed } from '../arrays/array-named.ts';
import { type NamedArrays, REFERENCES, withoutPrefix, withPrefix } from '../arrays/arrays.ts';
import type { RowsBefore } from '../arrays/rows-before.ts';
import { openCodeTable } from '../index/columns/code-table.ts';
import { CODE_PREFIX } from '../index/columns/token-columns.ts';
import {
  ORGANIZATION_COLUMN_PARTS,
  type OrganizationIndex,
  openOrganizationIndex,
} from '../index/organization-index.ts';
import {
  buildMissingRelationshipColumns,
  buildRelationshipIndex,
  openRelationshipIndex,
  type RelationshipIndex,
  type RelationshipSource,
} from '../index/relationship-index.ts';
import { buildRoleNumbers, openRoleNumbers, type RoleNumbers } from '../index/role-numbers.ts';
import { buildIndex } from '../index/search-index.ts';
import {
  type EditionLinks,
  haveLinks,
  type NumberedCodes,
  openEditionLinks,
} from '../links/edition-links.ts';
import { noLinks } from '../links/edition-links-builder.ts';
import type { Postcodes } from '../places/postcodes.ts';
import { type IndexedRecord, openIndexedRecords } from '../record/indexed-record.ts';
import type { OrganizationRecord } from '../record/record.ts';
import { openRows, type Rows } from '../record/rows.ts';
import { keptColumns, keptLinks, keptRelationshipIndex, type RecordsBefore } from './kept-parts.ts';
import type { RecordsBuilder, SectionOrdinals } from './records-builder.ts';
import { RowsBuilder } from './rows-builder.ts';

/** Records in the order of their codes, and their index. */
export interface RecordSection {
  readonly index: OrganizationIndex;
  readonly rows: Rows;
}

/** The section of the full records, with the reference-only records and the links. */
export interface EditionRecords extends RecordSection {
  /** The reference-only records. */
  readonly references: RecordSection;
  readonly links: EditionLinks;
  readonly relationshipIndex: RelationshipIndex;
  /** The roles by their numbers. */
  readonly roleNumbers: RoleNumbers;
  /**
   * False for an edition from a source without relationships, and for an edition that an earlier
   * version of the program made. Its organisations can have relationships that it does not know.
   */
  readonly hasLinks: boolean;
  /** The two words of the `detailHash` of each row of both sections. Absent without links. */
  readonly detailHashes?: Uint32Array;
}

/** The arrays of the wanted records without their index, but with the table of their codes. */
export function buildRecords(
  records: RecordsBuilder,
  ordinals: SectionOrdinals,
  hasLinks: boolean,
  before?: RecordsBefore,
): NamedArrays {
  const rows = records.rowsOf(ordinals);
  const full = withCodes(rows.full, before?.full);
  const references = withCodes(rows.references, before?.references);
  const arrays = {
    ...full,
    ...withPrefix(REFERENCES, references),
    ...records.sourcesOf(ordinals),
  };
  if (!hasLinks) return arrays;
  const details = records.detailsOf(ordinals);
  const sections = [full, references] as const;
  const links =
    (before && keptLinks(before, sections, details)) ??
    records.linksOf(ordinals, openCodes(...sections));
  return { ...arrays, ...details, ...links };
}

/** A part of the index. It needs only some of the arrays of `buildRecords`. */
export interface IndexPart {
  needs(name: string): boolean;
  /** `records` are those of the arrays. Parts that are built one after the other can share them. */
  build(arrays: NamedArrays, records?: IndexedRecords, before?: RecordsBefore): NamedArrays;
}

/** Reads full records, or reference-only ones. */
export interface IndexedRecords {
  readonly count: number;
  readonly at: (row: number) => IndexedRecord;
}

/** The parts of the index. They do not depend on each other. */
export const INDEX_PARTS = {
  names: columnsPart('names'),
  relationships: {
    needs: (name) => !name.includes('rows.'),
    build: (arrays, _records?: IndexedRecords, before?: RecordsBefore) => {
      if (!haveLinks(arrays)) return {};
      const codes = openCodes(arrays, withoutPrefix(REFERENCES, arrays));
      const fullCount = openCodeTable(CODE_PREFIX, arrays).count;
      const links = openEditionLinks(arrays, codes);
      const linksBefore = before?.linksBefore(arrays);
      return (
        (linksBefore && keptRelationshipIndex(arrays, linksBefore)) ??
        buildRelationshipIndex(links, fullCount, linksBefore)
      );
    },
  },
  places: columnsPart('places'),
  others: {
    needs: (name) => name.includes('rows.'),
    build: (arrays, records = indexedRecords(arrays), before?: RecordsBefore) => ({
      ...buildColumnsOf('others', records, before?.full),
      ...withPrefix(
        REFERENCES,
        buildOrganizationIndex(withoutPrefix(REFERENCES, arrays), before?.references),
      ),
      ...buildRoleNumbers(arrays, before),
    }),
  },
} satisfies Readonly<Record<string, IndexPart>>;

/** A part with some columns of the full records. */
function columnsPart(part: 'names' | 'places'): IndexPart {
  return {
    needs: (name) => name.startsWith('rows.'),
    build: (arrays, records = indexedRecords(arrays), before) =>
      buildColumnsOf(part, records, before?.full),
  };
}

/** The arrays of the index of relationships that an edition lacks, which has all other arrays. */
export function buildMissingRelationshipArrays(arrays: NamedArrays): NamedArrays {
  if (!haveLinks(arrays)) return {};
  const { full, links } = openSections(arrays);
  return buildMissingRelationshipColumns(arrays, links, full.index.count);
}

/** The instant of the edition in which something changed last. */
export interface ChangeTimes {
  /** Of the record of a row. Rows are numbered as in `links`. */
  ofRow(row: number): string;
  ofRelationship(relationship: RelationshipSource): string;
}

/** Without `changes`, the indexes cannot be searched by the times of changes. */
export function openRecords(
  arrays: NamedArrays,
  changes?: ChangeTimes,
  postcodes?: Postcodes,
): EditionRecords {
  const { full, references, links } = openSections(arrays, changes?.ofRow, postcodes);
  const { count } = full.index;
  const hasLinks = haveLinks(arrays);
  const indexArrays = hasLinks ? arrays : buildRelationshipIndex(links, count);
  const relationshipIndex = openRelationshipIndex(
    indexArrays,
    links,
    count,
    changes?.ofRelationship,
  );
  return {
    ...full,
    references,
    links,
    relationshipIndex,
    roleNumbers: openRoleNumbers(arrays),
    hasLinks,
    ...(hasLinks && { detailHashes: wordsNamed(arrays, 'details.hashes') }),
  };
}

function openSections(
  arrays: NamedArrays,
  changedAt?: (row: number) => string,
  postcodes?: Postcodes,
) {
  const full = openSection(arrays, changedAt, postcodes);
  const { count } = full.index;
  const ofReferences = withoutPrefix(REFERENCES, arrays);
  // Editions of earlier versions of the program have full records only.
  const hasReferences = Object.keys(ofReferences).length > 0;
  const references = hasReferences
    ? openSection(ofReferences, changedAt && ((row) => changedAt(row + count)), postcodes)
    : noRecords();
  const codes = numberedCodes(full.index, references.index);
  const links = haveLinks(arrays) ? openEditionLinks(arrays, codes) : noLinks(codes);
  return { full, references, links };
}

function openSection(
  arrays: NamedArrays,
  changedAt: ((row: number) => string) | undefined,
  postcodes: Postcodes | undefined,
): RecordSection {
  return { rows: openRows(arrays), index: openOrganizationIndex(arrays, changedAt, postcodes) };
}

/** A record of either section. Rows are numbered as in `links`: full records, then reference-only ones. */
export function recordAt(
  { rows, references }: Pick<EditionRecords, 'rows' | 'references'>,
  row: number,
): OrganizationRecord {
  return row < rows.count ? rows.recordAt(row) : references.rows.recordAt(row - rows.count);
}

export type IndexPartName = keyof typeof INDEX_PARTS;

/** The data that an index thread gets at its start. It answers with the arrays of the part. */
export interface IndexThreadData {
  readonly part: IndexPartName;
  readonly arrays: NamedArrays;
}

/** In this order, so that names and relationships, which need most memory, are not built at once. */
export const INDEX_PART_NAMES: readonly IndexPartName[] = [
  'names',
  'others',
  'places',
  'relationships',
];

/** Opens the full records, whose arrays have no prefix. */
export function indexedRecords(rowArrays: NamedArrays): IndexedRecords {
  const rows = openRows(rowArrays);
  return { count: rows.count, at: openIndexedRecords(rows) };
}

function withCodes(rowArrays: NamedArrays, before?: RowsBefore): NamedArrays {
  return { ...rowArrays, ...buildColumnsOf('codes', indexedRecords(rowArrays), before) };
}

function buildOrganizationIndex(rowArrays: NamedArrays, before?: RowsBefore): NamedArrays {
  const records = indexedRecords(rowArrays);
  const parts = ['names', 'places', 'others'] as const;
  return Object.assign({}, ...parts.map((part) => buildColumnsOf(part, records, before)));
}

function buildColumnsOf(
  part: keyof typeof ORGANIZATION_COLUMN_PARTS,
  { count, at }: IndexedRecords,
  before?: RowsBefore,
): NamedArrays {
  const { columns } = ORGANIZATION_COLUMN_PARTS[part];
  const kept = before && keptColumns(before, ORGANIZATION_COLUMN_PARTS[part], at);
  return kept ?? buildIndex(columns, count, at, before);
}

let empty: RecordSection | undefined;

/** No record has a position, because there is no record. */
const NO_PLACES: Postcodes = { version: '', positionOf: () => undefined };

function noRecords(): RecordSection {
  const rows = () => withCodes(new RowsBuilder().finish(new Uint32Array(0)));
  empty ??= openSection({ ...rows(), ...buildOrganizationIndex(rows()) }, undefined, NO_PLACES);
  return empty;
}

function openCodes(full: NamedArrays, references: NamedArrays): NumberedCodes {
  return numberedCodes(openCodeTable(CODE_PREFIX, full), openCodeTable(CODE_PREFIX, references));
}

/** The codes of both sections, numbered one after the other. */
function numberedCodes(full: Codes, references: Codes): NumberedCodes {
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

type Codes = Pick<OrganizationIndex, 'count' | 'rowOf' | 'codeOf'>;
