/** One published state of the directory, open for reading: rows, index and code systems. */
import type { NamedArrays } from './arrays.ts';
import type { ComparableEdition } from './difference.ts';
import { buildIndex } from './index/build-index.ts';
import { indexedRoles } from './index/columns.ts';
import { type Index, openIndex } from './index/open-index.ts';
import type { CodeSystems } from './record.ts';
import { openRows, type Rows } from './rows.ts';
import type { RowsBuilder } from './rows-builder.ts';

/** What identifies an edition to clients. */
export interface EditionIdentity {
  readonly number: number;
  /** An ISO instant: the last change of every search result. */
  readonly publishedAt: string;
}

/** It has no FHIR version and no address: `RenderedEdition` is an edition as a face shows it. */
export interface Edition extends EditionIdentity {
  readonly index: Index;
  readonly rows: Rows;
  readonly codeSystems: CodeSystems;
  /** The codes of all roles that an organisation has, also those that the code system lacks. */
  roleCodes(): readonly string[];
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
    ...buildIndex(rows.count, rows.recordAt),
    format: Uint32Array.of(EDITION_FORMAT),
    'code-systems': new TextEncoder().encode(JSON.stringify(codeSystems)),
  };
}

/** Cheap: arrays are not copied. Throws an `EditionFormatError`. */
export function openEdition(
  { number, publishedAt }: EditionIdentity,
  arrays: NamedArrays,
): Edition {
  requireFormat(arrays);
  return {
    number,
    publishedAt,
    rows: openRows(arrays),
    index: openIndex(arrays),
    codeSystems: parseCodeSystems(arrays),
    roleCodes: () => indexedRoles(arrays),
  };
}

/** Throws an `EditionFormatError` if a version of the program with another format made the arrays. */
export function requireFormat(arrays: NamedArrays): void {
  const format = arrays['format']?.[0];
  if (format === EDITION_FORMAT) return;
  throw new EditionFormatError(
    'This edition was made by another version of the program. Import its release file again.',
  );
}

/** This program cannot read the format of an edition. */
export class EditionFormatError extends Error {
  override readonly name = 'EditionFormatError';
}

/** Increased with every change of the names or meanings of an edition's arrays. */
const EDITION_FORMAT = 1;

/** The part of an edition that a comparison with another edition needs. */
export function openEditionForComparison(arrays: NamedArrays): ComparableEdition {
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

function parseCodeSystems(arrays: NamedArrays): CodeSystems {
  const bytes = arrays['code-systems'];
  if (bytes === undefined) throw new TypeError('the edition has no code-systems');
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
}
