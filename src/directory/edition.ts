/** One published state of the directory, open for reading: rows, index and code systems. */
import type { NamedArrays } from './arrays.ts';
import type { ComparableEdition } from './difference.ts';
import { buildIndex, buildMissingColumns } from './index/build-index.ts';
import { indexedRoles, ORGANIZATION_COLUMNS } from './index/organization-columns.ts';
import { type OrganizationIndex, openOrganizationIndex } from './index/organization-index.ts';
import type { CodeSystems } from './record.ts';
import { type NumberedCodes, noRelations, type Relations } from './relations.ts';
import { openRows, type Rows } from './rows.ts';
import { RowsBuilder } from './rows-builder.ts';

/** What identifies an edition to clients. */
export interface EditionIdentity {
  readonly number: number;
  /** An ISO instant: the last change of every search result. */
  readonly publishedAt: string;
}

/** It has no FHIR version and no address: `RenderedEdition` is an edition as a face shows it. */
export interface Edition extends EditionIdentity, RecordSection {
  /** The reference-only records, in the order of their codes. */
  readonly references: RecordSection;
  readonly relations: Relations;
  /**
   * False for an edition from a source without relationships, and for an edition that an earlier
   * version of the program made: it then does not know them, which is not the same as having none.
   */
  readonly hasRelations: boolean;
  /**
   * The edition in which the record of a row changed last, also in its relationships and
   * successions. Rows are numbered as in `relations`.
   */
  changedIn(row: number): EditionIdentity;
  readonly codeSystems: CodeSystems;
  /** The codes of all roles that an organisation has, also those that the code system lacks. */
  roleCodes(): readonly string[];
}

/** Records in the order of their codes, and their index. */
export interface RecordSection {
  readonly index: OrganizationIndex;
  readonly rows: Rows;
}

/** The arrays of an edition of the wanted records, which are in the order of their codes. */
export function buildEdition(
  builder: RowsBuilder,
  ordinals: Uint32Array,
  codeSystems: CodeSystems,
): NamedArrays {
  const rowArrays = builder.finish(ordinals);
  const rows = openRows(rowArrays);
  return {
    ...rowArrays,
    ...buildIndex(ORGANIZATION_COLUMNS, rows.count, rows.recordAt),
    format: Uint32Array.of(EDITION_FORMAT),
    'code-systems': new TextEncoder().encode(JSON.stringify(codeSystems)),
  };
}

/**
 * The arrays of the search columns that an edition lacks because an earlier version of the program
 * made it. There are none for an edition in another format, which cannot be opened.
 */
export function buildMissingArrays(arrays: NamedArrays): NamedArrays {
  if (!isReadable(arrays)) return {};
  const rows = openRows(arrays);
  return buildMissingColumns(ORGANIZATION_COLUMNS, arrays, rows.count, rows.recordAt);
}

/** Cheap: arrays are not copied. Throws an `EditionFormatError`. */
export function openEdition(
  { number, publishedAt }: EditionIdentity,
  arrays: NamedArrays,
): Edition {
  requireFormat(arrays);
  const records = { rows: openRows(arrays), index: openOrganizationIndex(arrays) };
  const references = openNoRecords();
  return {
    number,
    publishedAt,
    ...records,
    references,
    relations: noRelations(numberedCodes(records, references)),
    hasRelations: false,
    changedIn: () => ({ number, publishedAt }),
    codeSystems: parseCodeSystems(arrays),
    roleCodes: () => indexedRoles(arrays),
  };
}

/** Throws an `EditionFormatError` if a version of the program with another format made the arrays. */
export function requireFormat(arrays: NamedArrays): void {
  if (isReadable(arrays)) return;
  throw new EditionFormatError(
    'This edition was made by another version of the program. Import its release file again.',
  );
}

function isReadable(arrays: NamedArrays): boolean {
  return arrays['format']?.[0] === EDITION_FORMAT;
}

/** This program cannot read the format of an edition. */
export class EditionFormatError extends Error {
  override readonly name = 'EditionFormatError';
}

/**
 * Increase it with every change of the names or meanings of the arrays of rows and of code systems.
 * Search columns need no increase: see `index/organization-columns.ts`.
 */
const EDITION_FORMAT = 1;

/**
 * The part of an edition that a comparison with another edition needs. Throws an
 * `EditionFormatError`.
 */
export function openEditionForComparison(arrays: NamedArrays): ComparableEdition {
  requireFormat(arrays);
  const rows = openRows(arrays);
  const primaryRoles = Array.from(
    { length: rows.shapeCount },
    (_, shape) => rows.shapeAt(shape).roles[0]?.code,
  );
  return {
    records: rows.count,
    code: rows.codeOf,
    primaryRole: (row) => primaryRoles[rows.shapeOf(row)] ?? '',
    hashes: rows.hashes,
  };
}

function openNoRecords(): RecordSection {
  const arrays = new RowsBuilder().finish(new Uint32Array(0));
  const rows = openRows(arrays);
  return { rows, index: openOrganizationIndex(buildIndex(ORGANIZATION_COLUMNS, 0, rows.recordAt)) };
}

/** The codes of both sections, numbered one after the other. */
function numberedCodes(records: RecordSection, references: RecordSection): NumberedCodes {
  const { count } = records.index;
  return {
    rowCount: count + references.index.count,
    rowOf: (code) => {
      const row = records.index.rowOf(code);
      if (row !== undefined) return row;
      const reference = references.index.rowOf(code);
      return reference === undefined ? undefined : count + reference;
    },
    codeOf: (row) =>
      row < count ? records.index.codeOf(row) : references.index.codeOf(row - count),
  };
}

function parseCodeSystems(arrays: NamedArrays): CodeSystems {
  const bytes = arrays['code-systems'];
  if (bytes === undefined) throw new TypeError('the edition has no code-systems');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  // Editions of earlier versions of the program have no relationships.
  return { relationships: [], ...JSON.parse(text) };
}
