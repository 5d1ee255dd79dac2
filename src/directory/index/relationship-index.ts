/**
 * The index of the relationships of an edition, and the fields by which they are found. Its rows are
 * their ordinals, so most columns need no arrays.
 */

import type { ColumnCriterion } from '../../fhir/search/criterion.ts';
import type { DateCriterion, DateEntry } from '../../fhir/search/date.ts';
import type { ReferenceCriterion, ReferenceEntry } from '../../fhir/search/reference.ts';
import type { TokenCriterion, TokenEntry } from '../../fhir/search/token.ts';
import type { NamedArrays } from '../arrays/arrays.ts';
import { REFERENCES } from '../arrays/arrays.ts';
import type { RowsBefore } from '../arrays/rows-before.ts';
import type { EditionLinks, IndexedRelationship } from '../links/edition-links.ts';
import { noLinks } from '../links/edition-links-builder.ts';
import type { Columns } from './columns/columns.ts';
import {
  type Column,
  foundRows,
  listedRows,
  type OpenColumn,
  otherRows,
  withoutRepeats,
} from './columns/columns.ts';
import { listedDates } from './columns/date-column.ts';
import { periodColumn } from './columns/period-column.ts';
import { relatedRowsBuilder } from './columns/related-column.ts';
import {
  booleanColumn,
  codeColumns,
  isAnyCode,
  listCodes,
  listedCodes,
  plainCodeOf,
} from './columns/token-columns.ts';
import { RELATED } from './organization-index.ts';
import {
  buildIndex,
  buildMissingColumns,
  columnArrayNames,
  openIndex,
  type SearchIndex,
} from './search-index.ts';
import { bitsWorthwhileAbove } from './sets/bits.ts';
import { createRowListsWriter, openRowLists } from './sets/row-lists.ts';
import { noRows, type RowSet } from './sets/row-set.ts';

export type RelationshipIndex = SearchIndex<SearchedRelationshipColumns>;

/**
 * Also builds the arrays by which organisations are found by their relationships. `fullCount` is the
 * number of full records.
 */
export function buildRelationshipIndex(
  links: EditionLinks,
  fullCount: number,
  before?: RowsBefore,
): NamedArrays {
  const columns = relationshipColumns(links, fullCount);
  return buildIndex<IndexedRelationship>(columns, links.count, links.scan(), before);
}

/** The names of the arrays that `buildRelationshipIndex` makes. */
export function relationshipArrayNames(): string[] {
  const noCodes = { rowCount: 0, rowOf: () => undefined, codeOf: () => '' };
  return columnArrayNames(relationshipColumns(noLinks(noCodes), 0));
}

/** The part of `buildRelationshipIndex` that `arrays` lacks. */
export function buildMissingRelationshipColumns(
  arrays: NamedArrays,
  links: EditionLinks,
  fullCount: number,
): NamedArrays {
  const columns = relationshipColumns(links, fullCount);
  return buildMissingColumns<IndexedRelationship>(columns, arrays, links.count, links.scan());
}

/** `changedAt`: the instant of the edition in which a relationship changed last. */
export function openRelationshipIndex(
  arrays: NamedArrays,
  links: EditionLinks,
  fullCount: number,
  changedAt: (relationship: RelationshipSource) => string = findUnknown,
): RelationshipIndex {
  const columns = relationshipColumns(links, fullCount);
  const changed = changeColumn(links, changedAt);
  return openIndex({ ...columns, date: { ...columns.date, changed } }, arrays, links.count);
}

/** The parts of a relationship that decide when it changed last. */
export type RelationshipSource = Pick<IndexedRelationship, 'uniqueId' | 'sourceRow'>;

function findUnknown(): never {
  throw new Error('This index does not know when relationships changed.');
}

/** The first search reads all relationships. */
function changeColumn(
  { scan }: EditionLinks,
  changedAt: (relationship: RelationshipSource) => string,
): OpenColumn<DateCriterion> {
  let read: ReturnType<EditionLinks['scan']> | undefined;
  return listedDates((ordinal) => {
    read ??= scan();
    return changedAt(read(ordinal));
  });
}

type RelationshipColumn<C extends ColumnCriterion, Entry> = Column<IndexedRelationship, C, Entry>;

export interface RelationshipColumns extends Columns<IndexedRelationship> {
  readonly string: Readonly<Record<never, never>>;
  readonly token: Readonly<
    Record<'id' | 'type' | 'active', RelationshipColumn<TokenCriterion, TokenEntry>>
  >;
  readonly date: Readonly<Record<'period', RelationshipColumn<DateCriterion, DateEntry>>>;
  readonly reference: Readonly<Record<'source' | 'target', ReferenceColumn>>;
  readonly composite: Readonly<Record<never, never>>;
  readonly sort: Readonly<Record<never, never>>;
}

/** With a column that is made from other parts of the edition, and has no arrays. */
export interface SearchedRelationshipColumns extends RelationshipColumns {
  readonly date: RelationshipColumns['date'] &
    Readonly<Record<'changed', OpenColumn<DateCriterion>>>;
}

/** The columns for an edition that has this number of full records. */
export function relationshipColumns(links: EditionLinks, fullCount: number): RelationshipColumns {
  return {
    string: {},
    token: {
      id: idColumn(links),
      /** Codes without `RE`. */
      type: { ...TYPES.of('all'), build: TYPES.build },
      active: booleanColumn('relationship.active', ({ isActive }: IndexedRelationship) => isActive),
    },
    date: {
      /** The operational period, or the legal period of a relationship without one. */
      period: periodColumn('relationship.period', firstPeriod),
    },
    reference: {
      /** References to `Organization`. */
      source: sourceColumn(links),
      /** Also codes without a record. */
      target: targetColumn('relationship.target', links),
    },
    composite: {},
    sort: {},
    forOthers: [
      () => relatedRowsBuilder(RELATED, 0, fullCount),
      () => relatedRowsBuilder(`${REFERENCES}.${RELATED}`, fullCount, links.rowCount),
    ],
  };
}

function firstPeriod({ periods: [first] }: IndexedRelationship) {
  return first;
}

const TYPES = codeColumns('relationship.type', { all: ({ type }: IndexedRelationship) => [type] });

function idColumn({
  byUniqueId,
}: EditionLinks): Column<IndexedRelationship, TokenCriterion, TokenEntry> {
  return {
    entriesOf: ({ uniqueId }) => (uniqueId === undefined ? [] : [{ code: String(uniqueId) }]),
    open: (_arrays, rowCount) => {
      const ordinalsOf = (code: string | undefined): number[] => {
        const id = Number(code);
        const ordinal = String(id) === code ? byUniqueId(id) : undefined;
        return ordinal === undefined ? [] : [ordinal];
      };
      return ({ values }) =>
        values.some(isAnyCode)
          ? otherRows(listedRows([]), rowCount)
          : listedRows(values.flatMap((value) => ordinalsOf(plainCodeOf(value))));
    },
  };
}

type ReferenceColumn = Column<IndexedRelationship, ReferenceCriterion, ReferenceEntry>;

function sourceColumn({ codeOf, rowOf, ofRow }: EditionLinks): ReferenceColumn {
  const rowsOf = (code: string): RowSet => {
    const row = rowOf(code);
    if (row === undefined) return noRows;
    const { first, end } = ofRow(row);
    return listOf(Uint32Array.from({ length: end - first }, (_, at) => first + at));
  };
  return {
    entriesOf: ({ sourceRow }) => [organizationEntry(codeOf(sourceRow))],
    open: () => findByReference(rowsOf),
  };
}

/** Most targets have few relationships, and `incoming` lists them. */
function targetColumn(
  prefix: string,
  { incoming, frequentTargets }: EditionLinks,
): ReferenceColumn {
  return {
    entriesOf: ({ target }) => [organizationEntry(target.code)],
    // Targets with so many relationships that bits are smaller than a list.
    build: (rowCount) => ({
      add: () => undefined,
      finish: () => {
        const frequent = rowCount === 0 ? [] : frequentTargets(bitsWorthwhileAbove(rowCount));
        const lists = createRowListsWriter();
        for (const [number, { ordinals }] of frequent.entries()) {
          for (const ordinal of ordinals) lists.add(number, ordinal);
        }
        return {
          ...listCodes(
            prefix,
            frequent.map(({ code }) => code),
          ),
          ...lists.finish(`${prefix}.frequent`, frequent.length, rowCount),
        };
      },
    }),
    open: (arrays, rowCount) => {
      const numbers = new Map(listedCodes(prefix, arrays).map((code, number) => [code, number]));
      const rowsOf = openRowLists(`${prefix}.frequent`, arrays, rowCount);
      return findByReference((code) => {
        const number = numbers.get(code);
        return number === undefined ? listOf(incoming(code)) : rowsOf(number);
      });
    },
  };
}

/** Each relationship has one source and one target. */
function findByReference(rowsOf: (code: string) => RowSet) {
  return ({ values }: ReferenceCriterion) => {
    const codes = values.flatMap(({ id, prefixes }) => (prefixes.includes(PREFIX) ? [id] : []));
    return foundRows(withoutRepeats(codes).map(rowsOf), true);
  };
}

function listOf(rows: Uint32Array): RowSet {
  return { kind: 'list', rows, from: 0, to: rows.length };
}

const PREFIX = 'Organization/';

function organizationEntry(id: string): ReferenceEntry {
  return { id, prefix: PREFIX };
}
