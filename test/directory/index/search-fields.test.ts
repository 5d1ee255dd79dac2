/** Negation, active roles, postcodes, countries, record classes and dates, case by case. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DirectoryCriterion,
  ORGANIZATION_COLUMNS,
  openOrganizationIndex,
  type TokenField,
} from '../../../src/directory/index/organization-index.ts';
import { buildIndex } from '../../../src/directory/index/search-index.ts';
import { compactPostalCode } from '../../../src/directory/record/postal-code.ts';
import { type DatePrefix, dateEntries } from '../../../src/fhir/search/date.ts';
import type { StringMatch } from '../../../src/fhir/search/string.ts';
import { recordOf } from './record-of.ts';

const records = [
  recordOf({
    code: 'A1',
    postalCode: 'LS1 1UR',
    country: 'ENGLAND',
    recordClass: '1',
    roles: ['177', '76', '-57'],
    lastUpdated: '2017-04-01',
  }),
  recordOf({
    code: 'A2',
    postalCode: 'LS10 1AA',
    country: 'Wales',
    recordClass: '2',
    roles: ['-177', '76', '57'],
    lastUpdated: '2017-04-30',
  }),
  recordOf({
    code: 'A3',
    postalCode: 'ls1  4ap',
    country: 'NORTHERN IRELAND',
    recordClass: '1',
    roles: ['76', '-177'],
    lastUpdated: '2017-05-01',
  }),
  recordOf({
    code: 'A4',
    postalCode: 'LS1',
    country: 'ISLE OF MAN',
    roles: ['198', '177', '-177'],
    lastUpdated: '2018-01-01',
  }),
  recordOf({ code: 'A5', postalCode: 'GIR 0AA', lastUpdated: '2018-01-01T10:30:00Z' }),
];
const index = openOrganizationIndex(
  buildIndex(ORGANIZATION_COLUMNS, records.length, (row) => records[row]!),
);

const token = (field: TokenField, ...codes: string[]) =>
  ({ type: 'token', field, values: codes.map((code) => ({ code })) }) as const;
const not = (field: TokenField, ...codes: string[]): DirectoryCriterion => ({
  type: 'not',
  criterion: token(field, ...codes),
});
const postalCode = (text: string) => token('postalCode', compactPostalCode(text));
const country = (match: StringMatch, ...values: string[]): DirectoryCriterion => ({
  type: 'string',
  field: 'country',
  match,
  values,
});
const changed = (prefix: DatePrefix, text: string): DirectoryCriterion => ({
  type: 'date',
  field: 'lastUpdated',
  values: dateEntries(text).map((period) => ({ prefix, ...period })),
});

const cases: readonly [title: string, criteria: readonly DirectoryCriterion[], codes: string][] = [
  ['a negated role leaves those without it', [not('role', '177')], ''],
  ['of negated values, none must match', [not('role', '57', '198')], 'A3 A5'],
  ['negated values of two criteria', [not('role', '57'), not('role', '198')], 'A3 A5'],
  ['a negated code that no organisation has', [not('role', '1')], 'A1 A2 A3 A4 A5'],
  ['a negated criterion beside another one', [token('role', '76'), not('role', '57')], 'A3'],
  ['a negated active role leaves ended ones', [not('activeRole', '177')], 'A2 A3'],
  ['an active role', [token('activeRole', '177')], 'A1 A4 A5'],
  ['a role that is active once of two times', [token('activeRole', '177', '57')], 'A1 A2 A4 A5'],
  ['an active primary role', [token('activePrimaryRole', '177')], 'A1 A5'],
  ['an active role beside the primary one', [token('activeOtherRole', '76')], 'A1 A2'],
  ['a record class', [token('recordClass', '1')], 'A1 A3'],
  ['no record class', [not('recordClass', '1', '2')], 'A4 A5'],
  ['an outward code is whole', [postalCode('LS1')], 'A1 A3 A4'],
  ['another outward code', [postalCode('ls10')], 'A2'],
  ['a postcode in any spacing', [postalCode('LS14AP')], 'A3'],
  ['a postcode in any case', [postalCode('ls1 1ur')], 'A1'],
  ['a part of a postcode finds nothing', [postalCode('LS1 1')], ''],
  ['an outward code without digits', [postalCode('gir')], 'A5'],
  ['a country starts with the text', [country('startsWith', 'eng', 'wal')], 'A1 A2'],
  ['a country contains the text', [country('contains', 'land')], 'A1 A3'],
  ['a country is exactly the text', [country('exact', 'WALES', 'ENGLAND')], 'A1'],
  ['equal to a month', [changed('eq', '2017-04')], 'A1 A2'],
  ['after a month', [changed('gt', '2017-04')], 'A3 A4 A5'],
  ['in or after a month', [changed('ge', '2017-05')], 'A3 A4 A5'],
  ['before a year', [changed('lt', '2018')], 'A1 A2 A3'],
  ['in or before a day', [changed('le', '2018-01-01')], 'A1 A2 A3 A4 A5'],
  ['in or before a time', [changed('le', '2018-01-01T10:29:59Z')], 'A1 A2 A3 A4'],
  ['from one day to another', [changed('ge', '2017-04-30'), changed('le', '2017-05-01')], 'A2 A3'],
];

for (const [title, criteria, codes] of cases) {
  test(title, () => {
    const { total, rows } = index.search({ criteria }, 0, 20);
    assert.equal(rows.map((row) => index.codeOf(row)).join(' '), codes);
    assert.equal(total, rows.length);
    assert.deepEqual(index.search({ criteria }, 1, 2), { total, rows: rows.slice(1, 3) });
  });
}

test('a record is found by the edition in which it changed last', () => {
  const arrays = buildIndex(ORGANIZATION_COLUMNS, records.length, (row) => records[row]!);
  const instants = ['2026-01-01T02:00:00.000Z', '2026-02-01T02:00:00.000Z'];
  const changing = openOrganizationIndex(arrays, (row) => instants[row % 2]!);
  const rowsOf = (prefix: DatePrefix, text: string) => {
    const values = dateEntries(text).map((period) => ({ prefix, ...period }));
    return changing.search({ criteria: [{ type: 'date', field: 'changed', values }] }, 0, 20).rows;
  };
  assert.deepEqual(rowsOf('gt', '2026-01-01'), [1, 3]);
  assert.deepEqual(rowsOf('eq', '2026-01'), [0, 2, 4]);
  assert.deepEqual(rowsOf('le', '2026-02-01T02:00:00Z'), [0, 1, 2, 3, 4]);
  assert.deepEqual(rowsOf('lt', '2026'), []);
  const unknown: DirectoryCriterion = { type: 'date', field: 'changed', values: [] };
  assert.throws(() => index.search({ criteria: [unknown] }, 0, 20), /when records changed/);
});
