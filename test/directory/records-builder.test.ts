/** Records that are kept as an edition stores them become the same arrays as records that are added. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildEdition } from '../../src/directory/edition/build-edition.ts';
import { openEdition } from '../../src/directory/edition/edition.ts';
import { RecordsBuilder } from '../../src/directory/edition/records-builder.ts';
import { sourceRecordAt } from '../../src/directory/edition/source-record.ts';
import type { SourceRecord } from '../../src/directory/record/record.ts';
import { editionArrays } from './edition-arrays.ts';
import { recordOf } from './index/record-of.ts';
import { CODE_SYSTEMS } from './records.ts';

const related: Pick<SourceRecord, 'relationships' | 'successions'> = {
  relationships: [
    {
      type: '4',
      uniqueId: 7,
      isActive: true,
      periods: [{ kind: 'Operational', start: '2019-01-01', end: '2020-03-31' }],
      target: { code: 'B1', primaryRole: '177' },
    },
  ],
  successions: [{ kind: 'Successor', periods: [], target: { code: 'NONE' } }],
};
const records: readonly SourceRecord[] = [
  { ...recordOf({ code: 'A1', name: 'École', lastUpdated: '2020-01-01T10:00:00Z' }), ...related },
  recordOf({ code: 'A2', name: 'LEEDS', postalCode: 'LS1 4AP', roles: ['177', '-76'] }),
  recordOf({ code: 'A3', name: 'LEEDS', isActive: false }),
  { ...recordOf({ code: 'B1', name: 'OTHER' }), isReferenceOnly: true, relationships: [] },
];

test('records in batches of other builders have the arrays of added ones', () => {
  const builder = new RecordsBuilder();
  const others = [new RecordsBuilder(), new RecordsBuilder()] as const;
  // Each record is a batch, so that the builders go on after a batch.
  for (const [row, record] of records.entries()) {
    const other = others[row === 0 || row === 3 ? 0 : 1];
    other.add(record);
    builder.append(other.take(), other);
  }
  const arrays = buildEdition({
    records: builder,
    ordinals: { full: Uint32Array.of(0, 1, 2), references: Uint32Array.of(3) },
    codeSystems: CODE_SYSTEMS,
    manifests: [],
    hasLinks: true,
  });
  assert.deepEqual(arrays, editionArrays(records));
});

for (const hasLinks of [true, false]) {
  test(`kept records have the arrays of added ones, ${hasLinks ? 'with' : 'without'} links`, () => {
    const arrays = editionArrays(records, { hasLinks });
    const edition = openEdition({ number: 1, publishedAt: '2020-01-01T00:00:00.000Z' }, arrays);
    const builder = new RecordsBuilder();
    const ordinals = records.map((_, row) =>
      // Changed records come between those that stay.
      row === 1 ? builder.add(sourceRecordAt(edition, row)) : builder.keep(arrays, row),
    );
    const kept = buildEdition({
      records: builder,
      ordinals: {
        full: Uint32Array.from(ordinals.slice(0, 3)),
        references: Uint32Array.from(ordinals.slice(3)),
      },
      codeSystems: CODE_SYSTEMS,
      manifests: [],
      hasLinks,
    });
    assert.deepEqual(kept, arrays);
  });
}
