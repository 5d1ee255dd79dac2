/** Arrays of the edition before that an edition has too, because nothing that they depend on has changed. */

import { wordsNamed } from '../arrays/array-named.ts';
import { areSameArrays, type NamedArrays, REFERENCES, withoutPrefix } from '../arrays/arrays.ts';
import { haveSameRows, NO_ROW, type RowsBefore, rowsBefore } from '../arrays/rows-before.ts';
import type { ColumnPart } from '../index/organization-index.ts';
import { relationshipArrayNames } from '../index/relationship-index.ts';
import { columnArrayNames } from '../index/search-index.ts';
import { haveLinks, LINKS_ARRAY } from '../links/edition-links.ts';
import { type IndexedRecord, openIndexedRecords } from '../record/indexed-record.ts';
import { SOURCE_HASHES } from '../record/record-batches.ts';
import { openRows } from '../record/rows.ts';
import type { KeptRows } from './records-builder.ts';

/**
 * The arrays of columns in the edition before. Undefined if a row has another number, or other values
 * that the columns read. `recordAt` reads a record now.
 */
export function keptColumns(
  before: RowsBefore,
  { columns, valuesOf }: ColumnPart,
  recordAt: (row: number) => IndexedRecord,
): NamedArrays | undefined {
  if (!haveSameRows(before)) return undefined;
  const recordBefore = openIndexedRecords(openRows(before.arrays));
  const textOf = (record: IndexedRecord) => JSON.stringify(valuesOf(record));
  const isSame = (row: number) => textOf(recordAt(row)) === textOf(recordBefore(row));
  return before.changed.every(isSame) ? keptArrays(before, columnArrayNames(columns)) : undefined;
}

/** The arrays with these names in the edition before. Undefined if it lacks one. */
function keptArrays({ arrays }: RowsBefore, names: readonly string[]): NamedArrays | undefined {
  const kept = names.flatMap((name) => {
    const array = arrays[name];
    return array === undefined ? [] : [[name, array] as const];
  });
  return kept.length < names.length ? undefined : Object.fromEntries(kept);
}

/**
 * The relationships and successions of the edition before. Undefined if one of them, a code or another
 * detail differs. `sections` have the codes now, and `details` the hashes of the details.
 */
export function keptLinks(
  { full, references }: RecordsBefore,
  sections: readonly [full: NamedArrays, references: NamedArrays],
  details: NamedArrays,
): NamedArrays | undefined {
  const areKept =
    areSameNamed(sections[0], full.arrays, CODES) &&
    areSameNamed(sections[1], references.arrays, CODES) &&
    areSameNamed(details, full.arrays, DETAILS);
  if (!areKept) return undefined;
  return Object.fromEntries(Object.entries(full.arrays).filter(([name]) => RELATIONS.test(name)));
}

/**
 * The index of relationships of the edition before. Undefined if a code or relationship differs.
 * `arrays` have the codes and relationships now.
 */
export function keptRelationshipIndex(
  arrays: NamedArrays,
  before: RowsBefore,
): NamedArrays | undefined {
  const areKept = areSameNamed(arrays, before.arrays, CODES_OR_RELATIONS);
  return areKept ? keptArrays(before, relationshipArrayNames()) : undefined;
}

/** Whether the arrays with these names are those of the edition before. */
function areSameNamed(arrays: NamedArrays, before: NamedArrays, names: RegExp): boolean {
  return Object.entries(arrays).every(
    ([name, array]) => !names.test(name) || areSameArrays(array, before[name]),
  );
}

const CODES = /^code\./;
/** They cover all relationships and successions. */
const DETAILS = /^details\.hashes$/;
const RELATIONS = /^(?:relationships|successions|targets)\./;
const CODES_OR_RELATIONS = /^(?:references\.)?(?:code|relationships|successions|targets)\./;

/** The records of the edition before that an edition keeps, as its index takes them. */
export interface RecordsBefore {
  readonly full: RowsBefore;
  readonly references: RowsBefore;
  /** The relationships of the kept records. Undefined if the edition before does not know them. */
  linksBefore(arrays: NamedArrays): RowsBefore | undefined;
}

/**
 * Undefined if so few records are kept that it is faster to build the index from nothing, or if an
 * earlier version of the program made the edition before: equal texts may be in another order there.
 */
export function recordsBefore(kept: KeptRows | undefined): RecordsBefore | undefined {
  if (kept?.arrays[SOURCE_HASHES] === undefined) return undefined;
  const { arrays, was } = kept;
  const references = withoutPrefix(REFERENCES, arrays);
  const fullCount = arrays['rows.shape']!.length;
  const referenceCount = references['rows.shape']?.length ?? 0;
  const full = rowsBefore(arrays, was.full, fullCount);
  if (full.changed.length > was.full.length * CHANGED_MAX) return undefined;
  return {
    full,
    references: rowsBefore(references, was.references, referenceCount),
    linksBefore: (next) => {
      if (!haveLinks(arrays)) return undefined;
      const first = wordsNamed(arrays, LINKS_ARRAY);
      const firstNow = wordsNamed(next, LINKS_ARRAY);
      const links = new Uint32Array(firstNow.at(-1)!).fill(NO_ROW);
      const keepLinks = (row: number, before: number) => {
        if (before === NO_ROW) return;
        const start = first[before]!;
        const startNow = firstNow[row]!;
        const count = first[before + 1]! - start;
        for (let at = 0; at < count; at++) links[startNow + at] = start + at;
      };
      for (const [row, before] of was.full.entries()) keepLinks(row, before);
      for (const [row, before] of was.references.entries()) {
        keepLinks(was.full.length + row, before === NO_ROW ? NO_ROW : fullCount + before);
      }
      return rowsBefore(arrays, links, first.at(-1)!);
    },
  };
}

/** The largest share of changed records with which merging is worthwhile. */
const CHANGED_MAX = 0.5;
