/** The records of the edition before that an edition keeps, in the form in which its index takes them. */
import { wordsNamed } from '../index/array-named.ts';
import { NO_ROW, type RowsBefore, rowsBefore } from '../index/rows-before.ts';
import { type NamedArrays, REFERENCES, withoutPrefix } from '../record/arrays.ts';
import type { KeptRows } from '../record/records-builder.ts';
import { SOURCE_HASHES } from '../record/source-hashes.ts';
import { haveRelations, RELATIONS_ARRAY } from './relations.ts';

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
      if (!haveRelations(arrays)) return undefined;
      const first = wordsNamed(arrays, RELATIONS_ARRAY);
      const firstNow = wordsNamed(next, RELATIONS_ARRAY);
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
