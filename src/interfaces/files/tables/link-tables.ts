/** The tables of relationships and successions. */

import { relationshipsOf } from '../../../directory/edition/source-record.ts';
import type { Relationship } from '../../../directory/links/edition-links.ts';
import { displaysOf } from '../../../directory/record/concepts.ts';
import { prefixedId } from '../../../directory/record/ids.ts';
import type { SuccessionRecord } from '../../../directory/record/record.ts';
import { defineTable, idColumn, periodColumns, statusColumn, type TableSource } from './table.ts';

interface NamedRelationship extends Relationship {
  readonly source: string;
  readonly name: string | undefined;
}

export const relationshipTable = defineTable<NamedRelationship>({
  name: 'relationship',
  description: 'The relationships of organisations to others, including former ones.',
  primaryKey: [],
  organisationColumn: 'source',
  indexes: ['source', 'type', 'target'],
  columns: [
    [
      'source',
      'string!',
      'Code of the organisation that has the relationship.',
      ({ source }) => source,
    ],
    ['type', 'string!', 'The type: `RE4`.', ({ type }) => prefixedId('RE', type)],
    ['type_name', 'string', 'The name of the type: `IS COMMISSIONED BY`.', ({ name }) => name],
    ['target', 'string!', 'Code of the other organisation.', ({ target }) => target.code],
    [
      'target_primary_role',
      'string',
      'The primary role of the other organisation, as the relationship states it.',
      ({ target: { primaryRole } }) => prefixedId('RO', primaryRole),
    ],
    statusColumn<NamedRelationship>(),
    ...periodColumns<NamedRelationship>(({ periods }) => periods),
    idColumn<NamedRelationship>(),
  ],
  items: function* ({ edition, rows }) {
    const names = displaysOf(edition.codeSystems.relationships);
    for (const row of rows) {
      const source = edition.links.codeOf(row);
      for (const each of relationshipsOf(edition, row)) {
        yield { ...each, source, name: names.get(each.type) };
      }
    }
  },
});

/** A succession as the records of its organisations state it: one of them, or both. */
interface StatedSuccession {
  readonly predecessor: string;
  readonly successor: string;
  readonly byPredecessor?: SuccessionRecord;
  readonly bySuccessor?: SuccessionRecord;
}

export const successionTable = defineTable<StatedSuccession>({
  name: 'succession',
  description:
    'The organisations that took the place of others. A succession that both records state is one row.',
  primaryKey: ['predecessor', 'successor'],
  indexes: ['successor'],
  columns: [
    ['predecessor', 'string!', 'Code of the former organisation.', (each) => each.predecessor],
    ['successor', 'string!', 'Code of the later organisation.', (each) => each.successor],
    ...periodColumns<StatedSuccession>((each) => statementOf(each)?.periods ?? []),
    [
      'predecessor_unique_id',
      'integer',
      'The number of the succession in the record of the former organisation.',
      ({ byPredecessor }) => byPredecessor?.uniqueId,
    ],
    [
      'successor_unique_id',
      'integer',
      'The number of the succession in the record of the later organisation.',
      ({ bySuccessor }) => bySuccessor?.uniqueId,
    ],
    [
      'is_forward',
      'boolean',
      'The value `forwardSuccession`.',
      (each) => statementOf(each)?.isForward,
    ],
  ],
  items: statedSuccessions,
});

function statementOf({ byPredecessor, bySuccessor }: StatedSuccession) {
  return byPredecessor ?? bySuccessor;
}

/** Each pair once: with the first of its organisations that the file has. */
function* statedSuccessions({
  edition: { links },
  rows,
  isComplete,
}: TableSource): Generator<StatedSuccession> {
  const selected = isComplete ? undefined : new Set(rows);
  const isSelected = (row: number) => selected === undefined || selected.has(row);
  for (const row of rows) {
    const pairs = new Map<string, StatedSuccession>();
    const ofOthers = links.successionsTo(links.codeOf(row));
    for (const each of [...links.successionsOf(row), ...ofOthers]) {
      const { sourceRow, kind, target } = each;
      const otherRow = sourceRow === row ? target.row : sourceRow;
      if (otherRow !== undefined && otherRow < row && isSelected(otherRow)) continue;
      const source = links.codeOf(sourceRow);
      const stated: StatedSuccession =
        kind === 'Successor'
          ? { predecessor: source, successor: target.code, byPredecessor: each }
          : { predecessor: target.code, successor: source, bySuccessor: each };
      const pair = `${stated.predecessor} ${stated.successor}`;
      pairs.set(pair, { ...stated, ...pairs.get(pair) });
    }
    yield* pairs.values();
  }
}
