/**
 * Finds organisations by their relationships to others. The rows of the organisations are in groups:
 * one for each target and kind of relationship, one for each kind, and one for each type. A kind is a
 * type and a status.
 */
import type { CompositeCriterion, CompositeEntry } from '../../../fhir/search/criterion.ts';
import { createOffsets, offsetsNamed, wordsNamed } from '../../arrays/array-named.ts';
import type { NamedArrays } from '../../arrays/arrays.ts';
import { numberOfText, sortedByKey } from '../../arrays/first-numbers.ts';
import { GrowingArray } from '../../arrays/growing-array.ts';
import { encodeTexts } from '../../arrays/text-list.ts';
import type { IndexedRelationship } from '../../links/edition-links.ts';
import type { SourceRecord } from '../../record/record.ts';
import { createRowListsWriter, openRowLists, type RowListsWriter } from '../sets/row-lists.ts';
import type { RowSet } from '../sets/row-set.ts';
import { buildCodeTable, openCodeTable } from './code-table.ts';
import { type Column, type ColumnBuilder, foundRows, withoutRepeats } from './columns.ts';
import { listCodes, listedCodes } from './token-columns.ts';

/** The relationship of an organisation: the row of the organisation, and the kind of relationship. */
export type RelatedRow = Pick<IndexedRelationship, 'sourceRow' | 'type' | 'isActive' | 'target'>;

/** Finds the organisations with a relationship that has all of these. Absent: any. */
export function hasRelationship(wanted: {
  /** Codes without `RE`: one of them. */
  readonly types?: readonly string[];
  /** Codes of organisations: one of them. */
  readonly targets?: readonly string[];
  readonly isActive?: boolean;
}): CompositeCriterion<'relationship'> {
  const { types, targets, isActive } = wanted;
  return {
    type: 'composite',
    field: 'relationship',
    components: {
      ...(types && { type: types }),
      ...(targets && { target: targets }),
      ...(isActive !== undefined && { active: [String(isActive)] }),
    },
  };
}

/** `relatedRowsBuilder` builds its arrays, from the relationships of an edition. */
export function relatedColumn(
  prefix: string,
): Column<Pick<SourceRecord, 'relationships'>, CompositeCriterion, CompositeEntry> {
  return {
    entriesOf: ({ relationships = [] }) =>
      relationships.map(({ type, isActive, target }) => ({
        type,
        active: String(isActive),
        target: target.code,
      })),
    open: (arrays, rowCount) => {
      // An edition may not know the relationships of its records.
      if (arrays[`${prefix}.group-kinds`] === undefined) return findUnknown;
      // Opened late, because the links of an edition are opened with this index of its records,
      // and then the arrays are built that the edition lacks.
      let related: ReturnType<typeof openRelated> | undefined;
      return ({ components: { type, active, target } }) => {
        related ??= openRelated(prefix, arrays, rowCount);
        const { types, rowsOfType, kinds, rowsOfKind, rowsOfTarget } = related;
        const isWantedType = (code: string) => type?.includes(code) ?? true;
        if (active === undefined && target === undefined) {
          const sets = types.flatMap((code, number) =>
            isWantedType(code) ? [rowsOfType(number)] : [],
          );
          return foundRows(sets, false);
        }
        const isWanted = kinds.map(
          (kind) => isWantedType(kind.type) && (active?.includes(kind.active) ?? true),
        );
        const sets =
          target === undefined
            ? kinds.flatMap((_, kind) => (isWanted[kind] ? [rowsOfKind(kind)] : []))
            : withoutRepeats(target).flatMap((code) => rowsOfTarget(code, isWanted));
        return foundRows(sets, false);
      };
    },
  };
}

function findUnknown(): never {
  throw new Error('This edition does not know the relationships of its records.');
}

/** Builds the arrays of a section of the records, whose rows are `first` to `end` - 1. */
export function relatedRowsBuilder(
  prefix: string,
  first: number,
  end: number,
): ColumnBuilder<RelatedRow> {
  const targets = new Map<string, number>();
  const kinds: string[] = [];
  const kindNumbers = { active: new Map<string, number>(), inactive: new Map<string, number>() };
  const kindOf = (type: string, isActive: boolean): number => {
    const numbers = isActive ? kindNumbers.active : kindNumbers.inactive;
    const known = numbers.get(type);
    if (known !== undefined) return known;
    numbers.set(type, kinds.length);
    return kinds.push(`${isActive}${KIND_SEPARATOR}${type}`) - 1;
  };
  const types = new Map<string, number>();
  const byKind = createDistinctLists();
  const byType = createDistinctLists();
  const related = {
    rows: new GrowingArray(Uint32Array, CAPACITY),
    targets: new GrowingArray(Uint32Array, CAPACITY),
    kinds: new GrowingArray(Uint32Array, CAPACITY),
  };
  return {
    readsAll: true,
    add: (_ordinal, { sourceRow, type, isActive, target }) => {
      if (sourceRow < first || sourceRow >= end) return;
      const row = sourceRow - first;
      const kind = kindOf(type, isActive);
      byKind.add(kind, row);
      byType.add(numberOfText(types, type), row);
      related.rows.push(row);
      related.targets.push(numberOfText(targets, target.code));
      related.kinds.push(kind);
    },
    finish: () => ({
      ...listCodes(prefix, kinds),
      ...byKind.finish(`${prefix}.kind`, kinds.length, end - first),
      ...byType.finish(`${prefix}.type`, types.size, end - first),
      ...buildCodeTable(`${prefix}.target`, encodeTexts(targets.keys())),
      ...groupRows(prefix, related, targets.size, kinds.length, end - first),
    }),
  };
}

/** Rows may be repeated, but must ascend. */
function createDistinctLists(): RowListsWriter {
  const lists = createRowListsWriter();
  const lastRows: number[] = [];
  return {
    ...lists,
    add: (list, row) => {
      if (lastRows[list] !== row) lists.add(list, row);
      lastRows[list] = row;
    },
  };
}

type Related = Readonly<Record<'rows' | 'targets' | 'kinds', GrowingArray<Uint32Array>>>;

/** The groups of a target are `target-groups[target]` to `target-groups[target + 1]` - 1. */
function groupRows(
  prefix: string,
  { rows, targets, kinds }: Related,
  targetCount: number,
  kindCount: number,
  rowCount: number,
): NamedArrays {
  const byKind = sortedByKey(kinds.array.subarray(0, rows.length), kindCount).sorted;
  // By target, then by kind, and then by row.
  const { sorted } = sortedByKey(targets.array, targetCount, byKind);
  const lists = createRowListsWriter();
  const groupKinds: number[] = [];
  const targetGroups = new Uint32Array(targetCount + 1);
  let group = -1;
  let last = -1;
  for (const at of sorted) {
    const row = rows.array[at]!;
    const found = targets.array[at]! * kindCount + kinds.array[at]!;
    // The organisation can have two such relationships to the target, of different periods.
    if (found === group && row === last) continue;
    if (found !== group)
      targetGroups[Math.floor(found / kindCount) + 1] = groupKinds.push(found % kindCount);
    group = found;
    last = row;
    lists.add(groupKinds.length - 1, row);
  }
  const offsets = createOffsets(groupKinds.length, kindCount);
  offsets.set(groupKinds);
  return {
    ...lists.finish(`${prefix}.group`, groupKinds.length, rowCount),
    [`${prefix}.group-kinds`]: offsets,
    [`${prefix}.target-groups`]: targetGroups,
  };
}

function openRelated(prefix: string, arrays: NamedArrays, rowCount: number) {
  const groupKinds = offsetsNamed(arrays, `${prefix}.group-kinds`);
  const targetGroups = wordsNamed(arrays, `${prefix}.target-groups`);
  const rowsOfGroup = openRowLists(`${prefix}.group`, arrays, rowCount);
  const { rowOf } = openCodeTable(`${prefix}.target`, arrays);
  const kinds = listedCodes(prefix, arrays).map((kind) => {
    const at = kind.indexOf(KIND_SEPARATOR);
    return { active: kind.slice(0, at), type: kind.slice(at + 1) };
  });
  const rowsOfTarget = (code: string, isWanted: readonly boolean[]): RowSet[] => {
    const target = rowOf(code);
    if (target === undefined) return [];
    const sets: RowSet[] = [];
    for (let group = targetGroups[target]!; group < targetGroups[target + 1]!; group++) {
      if (isWanted[groupKinds[group]!] === true) sets.push(rowsOfGroup(group));
    }
    return sets;
  };
  return {
    kinds,
    rowsOfKind: openRowLists(`${prefix}.kind`, arrays, rowCount),
    // Numbered as the builder does, by the first kind of each.
    types: [...new Set(kinds.map(({ type }) => type))],
    rowsOfType: openRowLists(`${prefix}.type`, arrays, rowCount),
    rowsOfTarget,
  };
}

const CAPACITY = 1 << 10;
const KIND_SEPARATOR = '|';
