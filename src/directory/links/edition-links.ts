/** The relationships and successions of an edition. */

import { bytesNamed, wordsNamed } from '../arrays/array-named.ts';
import { bufferOf, type NamedArrays } from '../arrays/arrays.ts';
import { lowest } from '../arrays/binary-search.ts';
import type { RelationshipRecord, SuccessionRecord, TargetRecord } from '../record/record.ts';
import { type Link, type Links, openLinks } from './open-links.ts';

/** A target with its row, if the edition has a record of it. */
export interface RelatedTarget extends TargetRecord {
  readonly row?: number;
}

export interface Relationship extends RelationshipRecord {
  readonly ordinal: number;
  readonly sourceRow: number;
  readonly target: RelatedTarget;
}

export interface Succession extends SuccessionRecord {
  readonly sourceRow: number;
  readonly target: RelatedTarget;
}

/** The parts of a relationship that the index contains. */
export interface IndexedRelationship
  extends Pick<Relationship, 'sourceRow' | 'type' | 'isActive' | 'periods'> {
  readonly uniqueId?: number | undefined;
  readonly target: Pick<TargetRecord, 'code'>;
}

export interface ScannedRelationship extends IndexedRelationship {
  /** The row of the target, or `rowCount` or more for a code without a record. */
  readonly targetNumber: number;
  /** The primary role of the target without `RO`, if the relationship states it. */
  readonly targetRole: string | undefined;
}

/**
 * Rows are numbered over both sections of an edition: first the full records, then the
 * reference-only ones. Ordinals number the relationships from 0, in the order of their source rows
 * and of the source. A code without a record can be a target.
 */
export interface EditionLinks {
  /** The number of relationships. */
  readonly count: number;
  /** The number of rows of both sections. */
  readonly rowCount: number;
  /** The row of exactly this code, in either section. */
  rowOf(code: string): number | undefined;
  codeOf(row: number): string;
  /** The relationships of a row to other organisations: the ordinals from `first` to `end` - 1. */
  ofRow(row: number): { readonly first: number; readonly end: number };
  at(ordinal: number): Relationship;
  /** The status and the periods alone, which cost less. */
  timedAt(ordinal: number): Pick<Relationship, 'isActive' | 'periods'>;
  /** Reads many relationships, best in ascending order. It returns the same object each time. */
  scan(): (ordinal: number) => ScannedRelationship;
  /** The row of the organisation that has the relationship. */
  sourceRowOf(ordinal: number): number;
  /** The code of a target by its number. */
  codeOfTarget(targetNumber: number): string;
  /** The ordinals of the relationships whose target is the code, ascending. A view, not a copy. */
  incoming(code: string): Uint32Array;
  /** The codes that are the target of more relationships than this, with their ordinals. */
  frequentTargets(than: number): readonly FrequentTarget[];
  /** Whether a relationship has the organisation of the row as its target. */
  hasIncoming(row: number): boolean;
  /** The ordinal of the relationship with this number. */
  byUniqueId(id: number): number | undefined;
  /** The ordinals of the relationships that have a number, in the order of the numbers. */
  readonly numbered: Uint32Array;
  /** The successions by their ordinals, which number them as those of relationships do. */
  readonly successions: NumberedSuccessions;
  /** The successions that the record of the row states, in the order of the source. */
  successionsOf(row: number): readonly Succession[];
  /** The successions that other records state about the code. */
  successionsTo(code: string): readonly Succession[];
}

export interface NumberedSuccessions {
  at(ordinal: number): Succession;
  /** The first ordinal with this number. */
  byUniqueId(id: number): number | undefined;
  /** The ordinals of those that have a number, in the order of the numbers. */
  readonly numbered: Uint32Array;
}

export interface FrequentTarget {
  readonly code: string;
  /** Ascending. */
  readonly ordinals: Uint32Array;
}

/** Opens the arrays that `EditionLinksBuilder` made, without a copy. */
export function openEditionLinks(arrays: NamedArrays, codes: NumberedCodes): EditionLinks {
  const { rowCount, rowOf } = codes;
  const others = openCodes(arrays);
  const codeOf = (target: number) =>
    target < rowCount ? codes.codeOf(target) : others.at(target - rowCount);
  const relationships = openLinks(RELATIONSHIPS, arrays, codeOf);
  const successions = openLinks(SUCCESSIONS, arrays, codeOf);
  const targetOf = (code: string): number | undefined => {
    const row = rowOf(code);
    if (row !== undefined) return row;
    const place = others.placeOf(code);
    return place === undefined ? undefined : rowCount + place;
  };
  const related = ({ target, targetNumber }: Link): RelatedTarget =>
    targetNumber < rowCount ? { ...target, row: targetNumber } : target;
  const successionAt = (ordinal: number): Succession => {
    const link = successions.at(ordinal);
    return { sourceRow: link.sourceRow, ...successionPartsOf(link), target: related(link) };
  };

  return {
    count: relationships.count,
    rowCount,
    rowOf,
    codeOf: codes.codeOf,
    ofRow: relationships.ofRow,
    at: (ordinal) => {
      const link = relationships.at(ordinal);
      const { sourceRow } = link;
      return { ordinal, sourceRow, ...relationshipPartsOf(link), target: related(link) };
    },
    timedAt: (ordinal) => {
      const { flag, periods } = relationships.timedAt(ordinal);
      return { isActive: flag === true, periods };
    },
    scan: () => {
      const cursor = relationships.cursor();
      return (ordinal) => cursor.moveTo(ordinal);
    },
    sourceRowOf: relationships.sourceRowOf,
    codeOfTarget: codeOf,
    incoming: (code) => {
      const target = targetOf(code);
      return target === undefined ? NO_ORDINALS : relationships.incoming(target);
    },
    frequentTargets: (than) => frequentTargetsOf(relationships, codeOf, than),
    hasIncoming: (row) => relationships.incoming(row).length > 0,
    byUniqueId: relationships.byUniqueId,
    numbered: relationships.numbered,
    successions: numberedSuccessions(successions, successionAt),
    successionsOf: (row) => {
      const { first, end } = successions.ofRow(row);
      const found: Succession[] = [];
      for (let ordinal = first; ordinal < end; ordinal++) found.push(successionAt(ordinal));
      return found;
    },
    successionsTo: (code) => {
      const target = targetOf(code);
      return target === undefined ? [] : Array.from(successions.incoming(target), successionAt);
    },
  };
}

function frequentTargetsOf(
  { incoming, targetCount }: Links,
  codeOf: (target: number) => string,
  than: number,
): readonly FrequentTarget[] {
  const found: FrequentTarget[] = [];
  for (let target = 0; target < targetCount; target++) {
    const ordinals = incoming(target);
    if (ordinals.length > than) found.push({ code: codeOf(target), ordinals });
  }
  return found;
}

function numberedSuccessions(
  { byUniqueId, numbered }: Links,
  at: NumberedSuccessions['at'],
): NumberedSuccessions {
  return { at, byUniqueId, numbered };
}

export function relationshipPartsOf(link: Link): RelationshipRecord {
  const { type, flag, uniqueId, periods, target } = link;
  return {
    type,
    ...(uniqueId !== undefined && { uniqueId }),
    isActive: flag === true,
    periods,
    target,
  };
}

export function successionPartsOf({
  type,
  flag,
  uniqueId,
  periods,
  target,
}: Link): SuccessionRecord {
  return {
    kind: type === 'Predecessor' ? 'Predecessor' : 'Successor',
    ...(uniqueId !== undefined && { uniqueId }),
    periods,
    ...(flag !== undefined && { isForward: flag }),
    target,
  };
}

/** The codes of targets without a record, ascending. */
function openCodes(arrays: NamedArrays) {
  const starts = wordsNamed(arrays, `${TARGETS}.starts`);
  const text = bufferOf(bytesNamed(arrays, `${TARGETS}.text`));
  const count = starts.length - 1;
  const at = (place: number) => text.toString('latin1', starts[place]!, starts[place + 1]!);
  return {
    at,
    placeOf: (code: string): number | undefined => {
      const place = lowest(count, (each) => at(each) >= code);
      return place < count && at(place) === code ? place : undefined;
    },
  };
}

/** Whether the arrays of an edition have links. */
export function haveLinks(arrays: NamedArrays): boolean {
  return arrays[LINKS_ARRAY] !== undefined;
}

/** The codes of all records of an edition. */
export type NumberedCodes = Pick<EditionLinks, 'rowCount' | 'rowOf' | 'codeOf'>;

/** Prefixes of arrays. */
export const RELATIONSHIPS = 'relationships';
export const SUCCESSIONS = 'successions';
/** The codes of targets without a record, ascending. */
export const TARGETS = 'targets';

/** An edition has this array if it knows links. */
export const LINKS_ARRAY = `${RELATIONSHIPS}.first`;

const NO_ORDINALS = new Uint32Array(0);
