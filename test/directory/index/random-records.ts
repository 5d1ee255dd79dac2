/** Random records with texts, codes and dates in every field, and criteria that find some of them. */

import type { NamedArrays, NumberArray } from '../../../src/directory/arrays/arrays.ts';
import {
  type DateField,
  type DirectoryCriterion,
  ORGANIZATION_COLUMNS,
  type StringField,
  type TokenField,
} from '../../../src/directory/index/organization-index.ts';
import { buildIndex } from '../../../src/directory/index/search-index.ts';
import type { OrganizationRecord } from '../../../src/directory/record/record.ts';
import type { NearCriterion, RowsCriterion } from '../../../src/fhir/search/criterion.ts';
import { DATE_PREFIXES } from '../../../src/fhir/search/date.ts';
import type { NotCriterion } from '../../../src/fhir/search/token.ts';
import { fc } from '../../property.ts';
import { type RecordParts, recordOf } from './record-of.ts';

export function arraysOf(records: readonly OrganizationRecord[]): NamedArrays {
  return shared(buildIndex(ORGANIZATION_COLUMNS, records.length, (row) => records[row]!));
}

/** Arrays as the server has them: built, kept as bytes, and over shared memory. */
export function shared(arrays: NamedArrays): NamedArrays {
  return Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, share(array)]));
}

function share(array: NumberArray): NumberArray {
  const memory = new SharedArrayBuffer(array.byteLength);
  new Uint8Array(memory).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  if (array instanceof Uint8Array) return new Uint8Array(memory);
  if (array instanceof Uint16Array) return new Uint16Array(memory);
  return array instanceof Uint32Array ? new Uint32Array(memory) : new Float64Array(memory);
}

export function sortedRecords(parts: readonly RecordParts[]): OrganizationRecord[] {
  const byCode = new Map(parts.map((part) => [part.code, recordOf(part)]));
  return [...byCode.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}

/** More records out of a few: each part comes back with codes of its own, at scattered places. */
export function spread(parts: readonly RecordParts[], count: number): RecordParts[] {
  return Array.from({ length: count }, (_, i) => ({
    ...parts[i % parts.length]!,
    code: `${((i * 7919) % 10007).toString(36)}${i % 2 === 0 ? 'a' : 'A'}${i.toString(36)}`,
  }));
}

const LETTERS = [
  ...'aAbBeEsSiIkK',
  ...'  \u00a0\t',
  'é',
  'É',
  'e\u0301',
  '\u0308',
  'ß',
  'ẞ',
  'ss',
  'İ',
  'ı',
  'ſ',
  '\u212a',
  'ﬁ',
  'fi',
  'Σ',
  'σ',
  'ς',
  '\u0000',
  '\u00ff',
  '가',
  '🏥',
  '\ufffd',
  '-',
  '&',
];
/** Many values, of which the same few come again and again. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'ab '), minLength: 1, maxLength: 5 }),
  fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 7 }),
  fc.constantFrom('LEEDS', 'leeds', 'Leeds', 'LEEDS TEACHING', 'Ledes leeds', 'lé eds'),
);
const postalCode = fc.oneof(
  fc.constantFrom('LS6 4JN', 'LS64JN', 'ls6 4jn', 'LS11 5AB', 'LS1 1AA', 'L S6 4JN', 'LS6 4'),
  fc.constantFrom('LS115', 'LS64J', 'LS11A', 'LS11', 'ls6', 'LS1 '),
  fc.string({ unit: fc.constantFrom(...'LS1 6'), minLength: 1, maxLength: 7 }),
);
const role = fc.constantFrom('7', '76', '177', '197', '198');
const day = fc.constantFrom('2017-04-01', '2017-04-02', '2020-01-01', '2020-01-01T10:30:00+01:00');
const code = fc.oneof(
  fc.constantFrom('RTG', 'rtg', 'RtG', 'A1', 'a1'),
  fc.string({ unit: fc.constantFrom(...'aAbB01'), minLength: 1, maxLength: 4 }),
);
const maybe = <Value>(values: fc.Arbitrary<Value>) =>
  fc.option(values, { nil: undefined, freq: 6 });

export const recordParts: fc.Arbitrary<RecordParts> = fc.record({
  code,
  name: maybe(text),
  city: maybe(text),
  district: maybe(text),
  postalCode: maybe(postalCode),
  country: maybe(text),
  recordClass: maybe(role),
  opened: maybe(day.map((date) => date.slice(0, 10))),
  isActive: fc.boolean(),
  lastUpdated: day,
  roles: fc.array(
    fc.oneof(
      role,
      role.map((ended) => `-${ended}`),
    ),
    { minLength: 1, maxLength: 4 },
  ),
});

const alternatives = <Value>(values: fc.Arbitrary<Value>) =>
  fc.oneof(
    values.map((value) => [value]),
    fc.array(values, { minLength: 1, maxLength: 3 }),
  );
const short = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 3 });
const period = fc
  .tuple(day, fc.constantFrom(0, 1, 86_400_000, 3 * 365 * 86_400_000))
  .map(([start, length]) => ({ start: Date.parse(start), end: Date.parse(start) + length + 1 }));

const stringCriterion = (field: StringField) =>
  fc.record({
    type: fc.constant('string' as const),
    field: fc.constant(field),
    match: fc.constantFrom('startsWith' as const, 'contains' as const, 'exact' as const),
    values: alternatives(fc.oneof(text, postalCode, short)),
  });
const tokenCriterion = (field: TokenField) =>
  fc.record({
    type: fc.constant('token' as const),
    field: fc.constant(field),
    values: alternatives(
      fc.record(
        {
          system: fc.constantFrom('', 'https://a.test'),
          code: fc.oneof(
            code,
            role,
            fc.constantFrom('true', 'False', 'LS6', 'LS1', 'ls11', 'LS64JN', 'ls64jn'),
          ),
        },
        { requiredKeys: ['code'] },
      ),
    ),
    ignoreCase: fc.boolean(),
  });
const dateCriterion = (field: DateField) =>
  fc.record({
    type: fc.constant('date' as const),
    field: fc.constant(field),
    values: alternatives(
      fc
        .tuple(period, fc.constantFrom(...DATE_PREFIXES))
        .map(([one, prefix]) => ({ ...one, prefix })),
    ),
  });

/** At times negated. */
export const perhapsNot = <C>(criteria: fc.Arbitrary<C>): fc.Arbitrary<C | NotCriterion<C>> =>
  fc.oneof(
    { weight: 4, arbitrary: criteria },
    { weight: 1, arbitrary: criteria.map((criterion) => ({ type: 'not' as const, criterion })) },
  );

/** Criteria of every field that the directory can search. */
export const criterion: fc.Arbitrary<Exclude<DirectoryCriterion, NearCriterion | RowsCriterion>> =
  perhapsNot(
    fc.oneof(
      ...fieldsOf(ORGANIZATION_COLUMNS.string).map(stringCriterion),
      ...fieldsOf(ORGANIZATION_COLUMNS.token).map(tokenCriterion),
      ...fieldsOf(ORGANIZATION_COLUMNS.date).map(dateCriterion),
    ),
  );

export function fieldsOf<Field extends string>(columns: Readonly<Record<Field, unknown>>): Field[] {
  return Object.keys(columns) as Field[];
}
