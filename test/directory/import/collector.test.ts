/** Which of several records with one code counts, and what a report says. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Collected, createCollector } from '../../../src/directory/import/collector.ts';
import type { SourceRecord } from '../../../src/directory/record/record.ts';
import { openRows } from '../../../src/directory/record/rows.ts';
import { organization } from '../records.ts';

const OLD_ACTIVE = organization('A1', { name: 'OLD ACTIVE', lastUpdated: '2019-01-01' });
const NEW_ACTIVE = organization('A1', { name: 'NEW ACTIVE', lastUpdated: '2020-01-01' });
const INACTIVE = organization('A1', {
  name: 'INACTIVE',
  isActive: false,
  lastUpdated: '2021-01-01',
});
const SAME_DAY = organization('A1', { name: 'SAME DAY', lastUpdated: '2020-01-01' });
const SAME_DAY_INACTIVE = organization('A1', {
  name: 'SAME DAY INACTIVE',
  isActive: false,
  lastUpdated: '2020-01-01',
});

const opened = (name: string, start?: string) =>
  organization('A1', {
    name,
    lastUpdated: '2020-01-01',
    periods: start === undefined ? [] : [{ kind: 'Operational', start }],
  });
const FIRST = opened('FIRST', '1994-04-01');
const SECOND = opened('SECOND', '2015-04-01');
const UNDATED = opened('UNDATED');

/** The records in the order they are read, and the name of the one that counts. */
const DUPLICATES: readonly (readonly [records: readonly SourceRecord[], name: string])[] = [
  [[FIRST, SECOND], 'SECOND'],
  [[SECOND, FIRST], 'SECOND'],
  [[SECOND, UNDATED], 'SECOND'],
  [[SECOND, { ...FIRST, lastUpdated: '2020-01-02' }], 'FIRST'],
  [[OLD_ACTIVE, NEW_ACTIVE], 'NEW ACTIVE'],
  [[NEW_ACTIVE, OLD_ACTIVE], 'NEW ACTIVE'],
  [[INACTIVE, OLD_ACTIVE], 'INACTIVE'],
  [[OLD_ACTIVE, INACTIVE], 'INACTIVE'],
  [[SAME_DAY_INACTIVE, NEW_ACTIVE], 'NEW ACTIVE'],
  [[NEW_ACTIVE, SAME_DAY_INACTIVE], 'NEW ACTIVE'],
  [[NEW_ACTIVE, SAME_DAY], 'SAME DAY'],
  [[SAME_DAY, NEW_ACTIVE], 'NEW ACTIVE'],
  [[OLD_ACTIVE, INACTIVE, NEW_ACTIVE], 'INACTIVE'],
];

describe('the collector', () => {
  for (const [records, name] of DUPLICATES) {
    it(`keeps ${name} of ${records.map((record) => record.name).join(', ')}`, () => {
      const collected = collect(records);
      assert.deepEqual(collected.names, [name]);
      assert.equal(collected.read, records.length);
      assert.equal(collected.leftOut.duplicate?.count, records.length - 1);
      assert.equal(collected.warnings.duplicate?.count, records.length - 1);
    });
  }

  it('prefers the later file to the active record of an earlier one, if both changed last', () => {
    const collector = createCollector(() => {});
    collector.file?.(false);
    collector.record(NEW_ACTIVE);
    collector.file?.(false);
    collector.record(SAME_DAY_INACTIVE);
    collector.record(OLD_ACTIVE);
    assert.deepEqual(namesOf(collector.finish()), ['SAME DAY INACTIVE']);
  });

  it('prefers the record of the full file to that of an archive with the same code', () => {
    for (const isArchiveFirst of [false, true]) {
      const collector = createCollector(() => {});
      for (const isArchive of [isArchiveFirst, !isArchiveFirst]) {
        collector.file?.(isArchive);
        collector.record(isArchive ? INACTIVE : OLD_ACTIVE);
      }
      const collected = collector.finish();
      assert.deepEqual(namesOf(collected), ['OLD ACTIVE']);
      assert.deepEqual(collected.warnings.duplicate?.examples, [
        'A1: kept the record of the full file',
      ]);
    }
  });

  it('names the rule by which it kept a record', () => {
    const reasons: readonly (readonly [records: readonly SourceRecord[], reason: string])[] = [
      [[OLD_ACTIVE, NEW_ACTIVE], 'that changed last'],
      [[SAME_DAY_INACTIVE, NEW_ACTIVE], 'that is active'],
      [[SECOND, FIRST], 'that opened last'],
      [[NEW_ACTIVE, SAME_DAY], 'that was read last'],
    ];
    for (const [records, reason] of reasons) {
      const { duplicate } = collect(records).warnings;
      assert.deepEqual(duplicate?.examples, [`A1: kept the record ${reason}`]);
    }
  });

  it('keeps codes that differ only in case, with a warning', () => {
    const { names, warnings } = collect(
      ['abc1', 'ABC1', 'Rtg', 'rTg', 'x1'].map((code) => organization(code, { name: code })),
    );
    assert.deepEqual(names, ['ABC1', 'Rtg', 'abc1', 'rTg', 'x1']);
    assert.deepEqual(warnings['same-but-for-case'], {
      count: 2,
      examples: ['abc1: beside ABC1', 'rTg: beside Rtg'],
    });
  });

  it('keeps a reference-only record only if there is no full one, in any order', () => {
    const collector = createCollector(() => {});
    const reference = (code: string) => ({ ...organization(code), isReferenceOnly: true });
    collector.record(reference('A1'));
    collector.record(OLD_ACTIVE);
    collector.record(NEW_ACTIVE);
    collector.record(reference('A2'));
    collector.record({ ...reference('A2'), lastUpdated: '2021-01-01' });
    collector.record(reference('A1'));
    const collected = collector.finish();
    assert.deepEqual(namesOf(collected), ['NEW ACTIVE']);
    const references = openRows(collected.records.rowsOf(collected.ordinals).references);
    assert.deepEqual([references.count, references.lastUpdatedOf(0)], [1, '2021-01-01']);
    const { leftOut, read } = collected;
    assert.deepEqual([read, leftOut['reference-only']?.count, leftOut.duplicate?.count], [6, 4, 1]);
  });

  it('numbers rows in the order of codes, for any order of reading', () => {
    const { names } = collect(
      ['B2', 'A10', 'A1', 'a1'].map((code) => organization(code, { name: code })),
    );
    assert.deepEqual(names, ['A1', 'A10', 'B2', 'a1']);
  });

  it('counts what is left out and gives ten examples', () => {
    const collector = createCollector(() => {});
    for (let number = 1; number <= 12; number++) collector.leftOut('no-role', `A${number}`);
    collector.leftOut('several-primary-roles', 'B1', 'RO1, RO2');
    const { leftOut, read } = collector.finish();
    assert.equal(read, 13);
    assert.equal(leftOut['no-role']?.count, 12);
    assert.deepEqual(leftOut['no-role']?.examples.length, 10);
    assert.deepEqual(leftOut['several-primary-roles'], { count: 1, examples: ['B1: RO1, RO2'] });
  });

  it('keeps a record without a name, with a warning: its code can still be looked up', () => {
    const { name: _, ...nameless } = organization('A1');
    const { names, warnings } = collect([nameless]);
    assert.deepEqual(names, [undefined]);
    assert.deepEqual(warnings['no-name'], { count: 1, examples: ['A1'] });
  });

  it('joins the code systems of several files, the first display of a code holding', () => {
    const collector = createCollector(() => {});
    const roles = (...displays: string[]) =>
      displays.map((display, index) => ({ code: String(index), display }));
    collector.codeSystems({ roles: roles('ZERO', 'ONE'), relationships: [], recordClasses: [] });
    const relationships = [{ code: '4', display: 'IS COMMISSIONED BY' }];
    const recordClasses = [{ code: '1' }];
    collector.codeSystems({ roles: roles('NULL', 'UN', 'DEUX'), relationships, recordClasses });
    assert.deepEqual(collector.finish().codeSystems, {
      roles: roles('ZERO', 'ONE', 'DEUX'),
      relationships,
      recordClasses,
    });
  });
});

function collect(records: readonly SourceRecord[]) {
  const collector = createCollector(() => {});
  for (const record of records) collector.record(record);
  const collected = collector.finish();
  return { ...collected, names: namesOf(collected) };
}

function namesOf({ records, ordinals }: Collected): (string | undefined)[] {
  const rows = openRows(records.rowsOf(ordinals).full);
  return Array.from({ length: rows.count }, (_, row) => rows.recordAt(row).name);
}
