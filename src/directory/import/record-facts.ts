/** What decides between records with the same code. */
import type { KeptEdition } from '../record/kept-edition.ts';
import { lastUpdatedMs, type SourceRecord } from '../record/record.ts';
import { RECORD_FLAGS } from '../record/record-batches.ts';

/** The flags of a record, as `EncodedRecords` has them. */
export function flagsOf({ isActive, isReferenceOnly, name }: SourceRecord): number {
  return (
    (isActive ? RECORD_FLAGS.isActive : 0) +
    (isReferenceOnly === true ? RECORD_FLAGS.isReferenceOnly : 0) +
    (name === undefined ? 0 : RECORD_FLAGS.hasName)
  );
}

/** Reads them for rows of one edition. */
export function createFacts() {
  /** The flags by section and shape. */
  const known: [number[], number[]] = [[], []];
  return ({ rows, references }: KeptEdition, row: number) => {
    const isReferenceOnly = row >= rows.count;
    const section = isReferenceOnly ? references.rows : rows;
    const place = isReferenceOnly ? row - rows.count : row;
    const flagsOfShapes = known[isReferenceOnly ? 1 : 0];
    const shape = section.shapeOf(place);
    flagsOfShapes[shape] ??= flagsOf({ ...section.shapeAt(shape), isReferenceOnly });
    const changedMs = lastUpdatedMs({ lastUpdated: section.lastUpdatedOf(place) });
    return { changedMs, flags: flagsOfShapes[shape] };
  };
}
