/** One published state of the directory, open for reading: rows, index and code systems. */

import { FhirError } from '../../fhir/request/fhir-error.ts';
import { jsonNamed } from '../arrays/array-named.ts';
import { type NamedArrays, REFERENCES, withoutPrefix, withPrefix } from '../arrays/arrays.ts';
import { indexedRoles, ORGANIZATION_COLUMNS } from '../index/organization-index.ts';
import { buildOrganizationGrid } from '../index/positions/build-grid.ts';
import { relationshipArrayNames } from '../index/relationship-index.ts';
import { buildRoleNumbers, ROLE_NUMBER_ARRAYS } from '../index/role-numbers.ts';
import { buildMissingColumns, columnArrayNames } from '../index/search-index.ts';
import type { EditionLinks } from '../links/edition-links.ts';
import type { PostcodeFile, Postcodes } from '../places/postcodes.ts';
import type { Practitioners } from '../practitioners/practitioners.ts';
import type { CodeSystems, OrganizationRecord } from '../record/record.ts';
import { primaryRoleOf } from '../record/record-facts.ts';
import { openRows, perShape, type Rows } from '../record/rows.ts';
import type { Manifest } from '../record/source.ts';
import type { ComparableEdition } from './difference.ts';
import {
  buildMissingRelationshipArrays,
  type ChangeTimes,
  type EditionRecords,
  openRecords,
  type RecordSection,
} from './edition-records.ts';
import {
  type ComparableRecords,
  type KeptChanges,
  openChanges,
  type PublishedEdition,
  relationshipChangedIn,
} from './kept-changes.ts';

export type EditionIdentity = PublishedEdition;

/** It has no FHIR version and no address: `RenderedEdition` is an edition as a face shows it. */
export interface Edition extends EditionIdentity, EditionRecords, KeptChanges {
  readonly codeSystems: CodeSystems;
  /** The manifests of the files that it was imported from, in their order. */
  readonly manifests: readonly Manifest[];
  /** The codes of all roles that an organisation has, also those that the code system lacks. */
  roleCodes(): readonly string[];
  /**
   * The postcodes that the operator imported last. Undefined if there are none. While a server runs,
   * other postcodes come with a new `Edition` of the same number.
   */
  readonly postcodes?: PostcodeFile | undefined;
  /** The practitioners that the operator imported last, in the same way. */
  readonly practitioners?: Practitioners | undefined;
}

/** An edition with its arrays, from which the next edition takes what has not changed. */
export interface LoadedEdition extends Edition {
  readonly arrays: NamedArrays;
}

/** The arrays of the positions that the postcodes give the records of an edition. */
export function buildPlaces(arrays: NamedArrays, postcodes: Postcodes): NamedArrays {
  return ofBothSections(arrays, (section) => buildOrganizationGrid(section, postcodes));
}

/**
 * The arrays of the search columns that an edition lacks because an earlier version of the program
 * made it. There are none for an edition in another format, which cannot be opened.
 */
export function buildMissingArrays(arrays: NamedArrays): NamedArrays {
  if (!isReadable(arrays)) return {};
  const columns = ofBothSections(arrays, buildMissingColumnsOf);
  const lacksRoleNumbers = ROLE_NUMBER_ARRAYS.some((name) => arrays[name] === undefined);
  return {
    ...columns,
    ...(lacksRoleNumbers && buildRoleNumbers(arrays)),
    ...buildMissingRelationshipArrays({ ...arrays, ...columns }),
  };
}

/** What `build` makes of the arrays of the full records, and of the reference-only ones if there are any. */
function ofBothSections(
  arrays: NamedArrays,
  build: (section: NamedArrays) => NamedArrays,
): NamedArrays {
  const references = withoutPrefix(REFERENCES, arrays);
  const hasReferences = Object.keys(references).length > 0;
  return { ...build(arrays), ...(hasReferences && withPrefix(REFERENCES, build(references))) };
}

/** The names of the arrays that `buildMissingArrays` can make. */
export function expectedArrayNames(): string[] {
  const names = columnArrayNames(ORGANIZATION_COLUMNS);
  const ofReferences = names.map((name) => `${REFERENCES}.${name}`);
  return [...names, ...ofReferences, ...relationshipArrayNames(), ...ROLE_NUMBER_ARRAYS];
}

/**
 * Cheap: arrays are not copied. Throws an `EditionFormatError`. The first search near a place builds
 * what `buildPlaces` has not made of the same `postcodes`.
 */
export function openEdition(
  identity: EditionIdentity,
  arrays: NamedArrays,
  postcodes?: PostcodeFile,
  practitioners?: Practitioners,
): Edition {
  requireFormat(arrays);
  const { number, publishedAt } = identity;
  const changes = openChanges(identity, arrays);
  const edition = { number, publishedAt, ...changes };
  const times: ChangeTimes = {
    ofRow: (row) => changes.changedIn(row).publishedAt,
    ofRelationship: (relationship) => relationshipChangedIn(edition, relationship).publishedAt,
  };
  return {
    number,
    publishedAt,
    ...openRecords(arrays, times, postcodes),
    ...changes,
    codeSystems: parseCodeSystems(arrays),
    manifests: arrays.manifests === undefined ? [] : jsonNamed(arrays, 'manifests'),
    roleCodes: () => indexedRoles(arrays),
    postcodes,
    practitioners,
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
  const format = arrays.format?.[0];
  return format === EDITION_FORMAT || format === FORMAT_WITHOUT_RELATIONS;
}

/** This program cannot read the format of an edition. */
export class EditionFormatError extends Error {
  override readonly name = 'EditionFormatError';
}

/**
 * Increase it with every change of the names or meanings of the arrays of rows, links and code
 * systems. Search columns need no increase: see `index/organization-index.ts`.
 */
export const EDITION_FORMAT = 2;
/** Editions in this format have full records only, without what `details.hashes` covers. */
const FORMAT_WITHOUT_RELATIONS = 1;

/** The records of an edition, for a comparison. Throws an `EditionFormatError`. */
export function openRecordsForComparison(arrays: NamedArrays): ComparableRecords {
  requireFormat(arrays);
  const records = openRecords(arrays);
  const { rows, references, index, detailHashes } = records;
  return {
    ...records,
    codeSystems: parseCodeSystems(arrays),
    sections: [
      comparable({ rows, index }, detailHashes?.subarray(0, 2 * rows.count)),
      comparable(references, detailHashes?.subarray(2 * rows.count)),
    ],
  };
}

function comparable(
  { rows, index }: RecordSection,
  detailHashes: Uint32Array | undefined,
): ComparableEdition {
  return {
    records: rows.count,
    code: index.codeOf,
    primaryRole: primaryRolesOf(rows),
    hashes: rows.hashes,
    ...(detailHashes !== undefined && { detailHashes }),
  };
}

/** A comparison reads few records, if any, so it makes no readers of their shapes. */
function primaryRolesOf(rows: Rows): (row: number) => string {
  const known: string[] = [];
  return (row) => {
    const shape = rows.shapeOf(row);
    known[shape] ??= rows.shapeAt(shape).roles[0]?.code ?? '';
    return known[shape];
  };
}

function buildMissingColumnsOf(arrays: NamedArrays): NamedArrays {
  const rows = openRows(arrays);
  return buildMissingColumns(ORGANIZATION_COLUMNS, arrays, rows.count, rows.recordAt);
}

function parseCodeSystems(arrays: NamedArrays): CodeSystems {
  const systems: Omit<CodeSystems, 'relationships'> = jsonNamed(arrays, 'code-systems');
  // Editions of earlier versions of the program have no relationships.
  return { relationships: [], ...systems };
}

/** A function that calls `make` at most once for the same edition. */
export function perEdition<T>(make: (edition: Edition) => T): (edition: Edition) => T {
  const made = new WeakMap<Edition, { readonly value: T }>();
  return (edition) => {
    let known = made.get(edition);
    if (known === undefined) {
      known = { value: make(edition) };
      made.set(edition, known);
    }
    return known.value;
  };
}

/** The code of the primary role of a row without `RO`. Rows are numbered as in `links`. */
export const primaryRoles = perEdition((edition) => {
  const roleAt = sharedFact(edition, (record) => primaryRoleOf(record)?.code ?? '');
  return (row: number): string | undefined => roleAt(row) || undefined;
});

/** Whether the record of a row is active. Rows are numbered as in `links`. */
export const activeRows = perEdition((edition) => sharedFact(edition, ({ isActive }) => isActive));

/** What all rows of a shape share, without reading the records of them all. */
function sharedFact<T extends string | boolean>(
  { rows, references }: Edition,
  read: (record: OrganizationRecord) => T,
): (row: number) => T {
  const ofFull = perShape(rows, read);
  const ofReference = perShape(references.rows, read);
  return (row) => (row < rows.count ? ofFull(row) : ofReference(row - rows.count));
}

/** Throws a FhirError if the edition does not know its relationships and successions. */
export function requireLinks({ hasLinks, links }: Edition): EditionLinks {
  if (!hasLinks) throw LINKS_UNKNOWN;
  return links;
}

/** Why an edition does not know links, and the remedy. */
export const LINKS_UNKNOWN_TEXT =
  'The directory does not know the relationships of organisations: its edition comes from a ' +
  'source without them, or from an earlier version of the program. Import a release file.';

/** A record without its relationships would look as if there were none. */
const LINKS_UNKNOWN = FhirError.of('unavailable', LINKS_UNKNOWN_TEXT);
