/** An edition that is made from the one before and some changes has the arrays of one built from nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NamedArrays } from '../../src/directory/arrays/arrays.ts';
import { buildEdition, unlikeFromNothing } from '../../src/directory/edition/build-edition.ts';
import { openEdition } from '../../src/directory/edition/edition.ts';
import { RecordsBuilder } from '../../src/directory/edition/records-builder.ts';
import type {
  PeriodRecord,
  RelationshipRecord,
  SourceRecord,
  SuccessionRecord,
} from '../../src/directory/record/record.ts';
import { repetitions } from '../campaign.ts';
import { fc } from '../property.ts';
import { withoutAbsent } from '../without-absent.ts';
import { editionArrays } from './edition-arrays.ts';
import { recordParts } from './index/random-records.ts';
import { recordOf } from './index/record-of.ts';
import { CODE_SYSTEMS } from './records.ts';

/** Few codes, so that changes meet the records of the edition before. */
const code = fc.oneof(
  fc.integer({ min: 0, max: 40 }).map((number) => `M${number}`),
  fc.constantFrom('A', '0', 'Z9', 'm1', 'm2', 'a'),
);
const day = fc.constantFrom('2017-04-01', '2017-05', '2019', '2020-02-29', '2021-12-31');
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
const periods: fc.Arbitrary<readonly PeriodRecord[]> = fc.array(
  fc
    .record({
      kind: fc.constantFrom('Operational' as const, 'Legal' as const),
      start: day,
      end: maybe(day),
    })
    .map(withoutAbsent),
  { maxLength: 2 },
);
const uniqueId = maybe(fc.integer({ min: 1, max: 60 }));
const target = fc
  .record({ code, primaryRole: maybe(fc.constantFrom('177', '76')), primaryRoleId: uniqueId })
  .map(withoutAbsent);
const relationship: fc.Arbitrary<RelationshipRecord> = fc
  .record({
    type: fc.constantFrom('4', '6', '8'),
    uniqueId,
    isActive: fc.boolean(),
    periods,
    target,
  })
  .map(withoutAbsent);
const succession: fc.Arbitrary<SuccessionRecord> = fc
  .record({
    kind: fc.constantFrom('Predecessor' as const, 'Successor' as const),
    uniqueId,
    periods,
    isForward: maybe(fc.boolean()),
    target,
  })
  .map(withoutAbsent);
const record: fc.Arbitrary<SourceRecord> = fc
  .record({
    parts: recordParts,
    code,
    roleIds: fc.array(uniqueId, { maxLength: 4 }),
    isReferenceOnly: fc.integer({ min: 0, max: 4 }).map((number) => number === 0 || undefined),
    relationships: fc.array(relationship, { maxLength: 3 }),
    successions: fc.array(succession, { maxLength: 2 }),
  })
  .map(({ parts, code: own, roleIds, ...others }) => {
    const whole = recordOf({ ...parts, code: own });
    const roles = whole.roles.map((role, at) => withoutAbsent({ ...role, uniqueId: roleIds[at] }));
    return withoutAbsent({ ...whole, roles, ...others });
  });

const PARTS = [
  'name',
  'isActive',
  'lastUpdated',
  'address',
  'recordClass',
  'roles',
  'relationships',
  'successions',
] as const;

/** A record gets a part of another one. */
const partChange = fc.record({ code, like: record, part: fc.constantFrom(...PARTS) });
/** What happens between two editions: a record that replaces or adds, or a code that goes, and others. */
const change = fc.oneof(
  { arbitrary: record, weight: 3 },
  { arbitrary: fc.record({ gone: code }), weight: 1 },
  { arbitrary: partChange, weight: 1 },
);
const changes = fc.oneof(
  fc.array(change, { maxLength: 4 }),
  fc.array(change, { maxLength: 60 }),
  // The columns that do not read these parts stay.
  fc.array(partChange, { minLength: 1, maxLength: 6 }),
  // All at once.
  fc.constant('none' as const),
);

test('editions made from the one before are those built from nothing', () => {
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 1, maxLength: 80 }),
      fc.array(changes, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      (first, steps, hasLinks) => {
        let records = ordered(first);
        let before = editionArrays(records, { hasLinks });
        for (const step of steps) {
          const next = changed(records, step);
          before = editionFrom(before, records, next, hasLinks);
          records = next;
          assertSameArrays(before, editionArrays(records, { hasLinks }));
        }
      },
    ),
    { numRuns: repetitions(25, 250) },
  );
});

test('an edition is the one that is built from nothing out of its own records', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 60 }),
      fc.boolean(),
      async (records, hasLinks) => {
        const arrays = editionArrays(ordered(records), { hasLinks });
        const edition = openEdition({ number: 1, publishedAt: '2026-01-01T00:00:00.000Z' }, arrays);
        assert.deepEqual(await unlikeFromNothing({ ...edition, arrays }), []);
      },
    ),
    { numRuns: repetitions(12, 100) },
  );
});

/** In the order of an edition: full records by code, then the others. */
function ordered(all: readonly SourceRecord[]): readonly SourceRecord[] {
  const byCode = new Map(all.map((one) => [one.code, one]));
  const codes = [...byCode.keys()].sort();
  const inOrder = codes.map((one) => byCode.get(one)!);
  return [...inOrder.filter(isFull), ...inOrder.filter((one) => !isFull(one))];
}

function isFull({ isReferenceOnly }: SourceRecord): boolean {
  return isReferenceOnly !== true;
}

type Change = SourceRecord | { readonly gone: string } | PartChange;

interface PartChange {
  readonly code: string;
  readonly like: SourceRecord;
  readonly part: (typeof PARTS)[number];
}

function changed(
  records: readonly SourceRecord[],
  step: 'none' | readonly Change[],
): readonly SourceRecord[] {
  const byCode = new Map(records.map((one) => [one.code, one]));
  if (step === 'none') byCode.clear();
  else {
    for (const one of step) {
      if ('gone' in one) byCode.delete(one.gone);
      else if ('part' in one) {
        const known = byCode.get(one.code);
        if (known === undefined) continue;
        const value = one.like[one.part];
        byCode.set(one.code, withoutAbsent({ ...known, [one.part]: value }) as SourceRecord);
      } else byCode.set(one.code, one);
    }
  }
  return ordered([...byCode.values()]);
}

/** Keeps the records that are the same objects as before. */
function editionFrom(
  before: NamedArrays,
  records: readonly SourceRecord[],
  next: readonly SourceRecord[],
  hasLinks: boolean,
): NamedArrays {
  const builder = new RecordsBuilder();
  const rows = new Map(records.map((one, row) => [one, row]));
  const ordinals = next.map((one) => {
    const row = rows.get(one);
    return row === undefined ? builder.add(one) : builder.keep(before, row);
  });
  const fullCount = next.filter(isFull).length;
  return buildEdition({
    records: builder,
    ordinals: {
      full: Uint32Array.from(ordinals.slice(0, fullCount)),
      references: Uint32Array.from(ordinals.slice(fullCount)),
    },
    codeSystems: CODE_SYSTEMS,
    manifests: [],
    hasLinks,
  });
}

function assertSameArrays(arrays: NamedArrays, wanted: NamedArrays): void {
  assert.deepEqual(Object.keys(arrays).sort(), Object.keys(wanted).sort());
  for (const [name, array] of Object.entries(wanted)) assert.deepEqual(arrays[name], array, name);
}
