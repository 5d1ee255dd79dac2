/** Batches of records: those that a builder in another thread has encoded, or those of an edition. */

import type { NamedArrays, NumberArray } from '../arrays/arrays.ts';
import { lastUpdatedMs, type PeriodRecord, type SourceRecord } from './record.ts';
import { firstPeriod } from './record-facts.ts';
import type { Rows } from './rows.ts';
import { slotOf } from './shape.ts';

/** Records that another thread has read and encoded. Each list has one entry for each record. */
export interface EncodedRecords {
  readonly batch: RecordsBatch;
  readonly codes: readonly string[];
  /** The times of their last changes. */
  readonly changedMs: Float64Array;
  /** The sum of the flags of each record. */
  readonly flags: Uint8Array;
  /** The days on which they opened, as `RecordFacts` has them. */
  readonly opened: Uint32Array;
}

/** What decides between records with the same code. */
export interface RecordFacts {
  /** The time of the last change. */
  readonly changedMs: number;
  readonly flags: number;
  /** The day on which the organisation opened, such as 20150401. 0 if it is not known. */
  readonly opened: number;
}

export const RECORD_FLAGS = { isActive: 1, isReferenceOnly: 2, hasName: 4 } as const;

/** Records that a builder in another thread has encoded since its last batch. */
export interface RecordsBatch {
  readonly full: RowsBatch;
  readonly references: RowsBatch;
  readonly links: EditionLinksBatch;
  /** Record → its place in its section, with the section in the lowest bit. */
  readonly places: Uint32Array;
  readonly detailHashes: Uint32Array;
  /** The hashes of the bytes that the records were read from: two words each, 0 if there is none. */
  readonly sourceHashes: NumberArray;
}

/** Rows that a builder in another thread has encoded since its last batch. */
export interface RowsBatch {
  readonly shapes: ShapesBatch;
  /** Row → the number of its shape in the other builder. */
  readonly shapeOf: NumberArray;
  readonly offsets: NumberArray;
  readonly hashes: NumberArray;
  readonly values: Uint8Array;
}

/** Shapes that a builder in another thread has numbered since its last batch. */
export interface ShapesBatch {
  /** Absent for the shapes of an edition, which are found by their JSON. */
  readonly keys?: readonly string[];
  /** The JSON of all shapes, one after the other. */
  readonly texts: Uint8Array;
  readonly lengths: Uint32Array;
  readonly haveTime: NumberArray;
}

/** EditionLinks that a builder in another thread has encoded since its last batch. */
export interface EditionLinksBatch {
  /** The codes of targets that are new in this batch. */
  readonly codes: readonly string[];
  readonly relationships: LinksBatch;
  readonly successions: LinksBatch;
}

/** The numbers of links. */
type LinkWords = 'first' | 'kinds' | 'ids' | 'targets' | 'targetRoles' | 'targetRoleIds';
type PeriodWords = 'periodFirst' | 'periodStarts' | 'periodEnds';

/** Links that a builder in another thread has encoded since its last batch. */
export interface LinksBatch extends Readonly<Record<LinkWords | PeriodWords, NumberArray>> {
  /** The types and roles that are new in this batch. */
  readonly types: readonly string[];
  readonly roles: readonly string[];
}

/**
 * The array with the hashes of the bytes that records were read from: two words for each row of both
 * sections, or zeros. The next import of a release does not read a record again that has its hash.
 */
export const SOURCE_HASHES = 'sources.hashes';

/** The edition before, from which an import takes the records that stay. */
export interface KeptEdition {
  readonly arrays: NamedArrays;
  /** The full records. */
  readonly rows: Rows;
  readonly references: { readonly rows: Rows };
  /** Rows are numbered over both sections. */
  readonly links: { codeOf(row: number): string };
}

export function recordFacts(record: SourceRecord): RecordFacts {
  return {
    changedMs: lastUpdatedMs(record),
    flags: flagsOf(record),
    opened: dayNumber(openingOf(record.periods)),
  };
}

export function factsAt({ changedMs, flags, opened }: EncodedRecords, place: number): RecordFacts {
  return { changedMs: changedMs[place]!, flags: flags[place]!, opened: opened[place]! };
}

/** The start of the Operational period, or else of the Legal one. */
function openingOf(periods: readonly PeriodRecord[]): string | undefined {
  return (firstPeriod(periods, 'Operational') ?? periods[0])?.start;
}

function dayNumber(date = ''): number {
  return Number(date.replaceAll('-', '').padEnd(8, '0'));
}

function flagsOf({ isActive, isReferenceOnly, name }: SourceRecord): number {
  return (
    (isActive ? RECORD_FLAGS.isActive : 0) +
    (isReferenceOnly === true ? RECORD_FLAGS.isReferenceOnly : 0) +
    (name === undefined ? 0 : RECORD_FLAGS.hasName)
  );
}

/** The facts of rows of one edition. */
export function createFacts(): (edition: KeptEdition, row: number) => RecordFacts {
  /** By section and shape. */
  const known: [ShapeFacts[], ShapeFacts[]] = [[], []];
  return ({ rows, references }, row) => {
    const isReferenceOnly = row >= rows.count;
    const section = isReferenceOnly ? references.rows : rows;
    const place = isReferenceOnly ? row - rows.count : row;
    const ofShapes = known[isReferenceOnly ? 1 : 0];
    const shape = section.shapeOf(place);
    ofShapes[shape] ??= shapeFacts(section, shape, isReferenceOnly);
    const { flags, openingSlot } = ofShapes[shape];
    return {
      changedMs: lastUpdatedMs({ lastUpdated: section.lastUpdatedOf(place) }),
      flags,
      opened: openingSlot === undefined ? 0 : dayNumber(section.textAt(place, openingSlot)),
    };
  };
}

interface ShapeFacts {
  readonly flags: number;
  /** The slot of the day on which the organisation opened. */
  readonly openingSlot: number | undefined;
}

function shapeFacts(section: Rows, number: number, isReferenceOnly: boolean): ShapeFacts {
  const shape = section.shapeAt(number);
  const opening = openingOf(shape.periods);
  return {
    flags: flagsOf({ ...shape, isReferenceOnly }),
    openingSlot: opening === undefined ? undefined : slotOf(opening),
  };
}
