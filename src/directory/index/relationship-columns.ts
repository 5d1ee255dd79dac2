/**
 * The fields by which relationships are found. The rows are the ordinals of the relationships of an
 * edition, so most columns need no arrays.
 */

import type { ReferenceCriterion, ReferenceEntry } from '../../fhir/search/reference.ts';
import type { TokenCriterion, TokenEntry } from '../../fhir/search/token.ts';
import { REFERENCES } from '../array-prefix.ts';
import type { Relations, Relationship } from '../relations.ts';
import { type Column, foundRows, listedRows, withoutRepeats } from './column.ts';
import type { Columns } from './columns.ts';
import { RELATED } from './organization-columns.ts';
import { periodColumn } from './period-column.ts';
import { relatedRowsBuilder } from './related-column.ts';
import { booleanColumn, codeColumns, plainCodeOf } from './token-columns.ts';

export type RelationshipColumns = ReturnType<typeof relationshipColumns>;

/** The columns for an edition that has so many full records. */
export function relationshipColumns(relations: Relations, fullCount: number) {
  return {
    string: {},
    token: {
      id: idColumn(relations),
      /** Codes without `RE`. */
      type: TYPES.all,
      active: booleanColumn('relationship.active', ({ isActive }: Relationship) => isActive),
    },
    date: {
      /** The operational period, or the legal period of a relationship without one. */
      period: periodColumn('relationship.period', ({ periods: [first] }: Relationship) => first),
    },
    reference: {
      /** References to `Organization`. */
      source: sourceColumn(relations),
      /** Also codes without a record. */
      target: targetColumn(relations),
    },
    composite: {},
    sort: {},
    forOthers: [
      () => relatedRowsBuilder(RELATED, 0, fullCount),
      () => relatedRowsBuilder(`${REFERENCES}.${RELATED}`, fullCount, relations.rowCount),
    ],
  } satisfies Columns<Relationship>;
}

const TYPES = codeColumns('relationship.type', { all: ({ type }: Relationship) => [type] });

function idColumn({ byUniqueId }: Relations): Column<Relationship, TokenCriterion, TokenEntry> {
  return {
    entriesOf: ({ uniqueId }) => (uniqueId === undefined ? [] : [{ code: String(uniqueId) }]),
    open: () => {
      const ordinalsOf = (code: string | undefined): number[] => {
        const id = Number(code);
        const ordinal = String(id) === code ? byUniqueId(id) : undefined;
        return ordinal === undefined ? [] : [ordinal];
      };
      return ({ values }) => listedRows(values.flatMap((value) => ordinalsOf(plainCodeOf(value))));
    },
  };
}

type ReferenceColumn = Column<Relationship, ReferenceCriterion, ReferenceEntry>;

function sourceColumn({ codeOf, rowOf, ofRow }: Relations): ReferenceColumn {
  const ordinalsOf = (code: string): Uint32Array => {
    const row = rowOf(code);
    if (row === undefined) return new Uint32Array(0);
    const { first, end } = ofRow(row);
    return Uint32Array.from({ length: end - first }, (_, at) => first + at);
  };
  return {
    entriesOf: ({ sourceRow }) => [organizationEntry(codeOf(sourceRow))],
    open: () => findByReference(ordinalsOf),
  };
}

function targetColumn({ incoming }: Relations): ReferenceColumn {
  return {
    entriesOf: ({ target }) => [organizationEntry(target.code)],
    open: () => findByReference(incoming),
  };
}

/** Each relationship has one source and one target. */
function findByReference(ordinalsOf: (code: string) => Uint32Array) {
  return ({ values }: ReferenceCriterion) => {
    const codes = values.flatMap(({ id, prefixes }) => (prefixes.includes(PREFIX) ? [id] : []));
    const sets = withoutRepeats(codes).map((code) => {
      const rows = ordinalsOf(code);
      return { kind: 'list', rows, from: 0, to: rows.length } as const;
    });
    return foundRows(sets, true);
  };
}

const PREFIX = 'Organization/';

function organizationEntry(id: string): ReferenceEntry {
  return { id, prefix: PREFIX };
}
