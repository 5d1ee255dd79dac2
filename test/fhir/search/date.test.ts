/** Date parameters: the period that a text names, and the prefixes before it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  DATE_PREFIXES,
  type DatePrefix,
  dateEntries,
  dateParameter,
} from '../../../src/fhir/search/date.ts';
import { parseAlternatives } from '../../../src/fhir/search/parsed.ts';

describe('a date', () => {
  const cases: readonly [text: string, start: string, end: string][] = [
    ['2020', '2020-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z'],
    ['0099', '0099-01-01T00:00:00.000Z', '0100-01-01T00:00:00.000Z'],
    ['2020-12', '2020-12-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z'],
    ['2020-02-29', '2020-02-29T00:00:00.000Z', '2020-03-01T00:00:00.000Z'],
    ['2020-01-01T10:30', '2020-01-01T10:30:00.000Z', '2020-01-01T10:31:00.000Z'],
    ['2020-01-01T10:30+01:00', '2020-01-01T09:30:00.000Z', '2020-01-01T09:31:00.000Z'],
    ['2020-01-01T10:30 01:00', '2020-01-01T09:30:00.000Z', '2020-01-01T09:31:00.000Z'],
    ['2020-01-01T23:30-05:30', '2020-01-02T05:00:00.000Z', '2020-01-02T05:01:00.000Z'],
    ['2020-01-01T10:30:15Z', '2020-01-01T10:30:15.000Z', '2020-01-01T10:30:16.000Z'],
    ['2020-01-01T10:30:15.5Z', '2020-01-01T10:30:15.500Z', '2020-01-01T10:30:15.600Z'],
    ['2020-01-01T10:30:15.57Z', '2020-01-01T10:30:15.570Z', '2020-01-01T10:30:15.580Z'],
    ['2020-01-01T10:30:15.123Z', '2020-01-01T10:30:15.123Z', '2020-01-01T10:30:15.124Z'],
    ['2020-01-01T10:30:15.1239Z', '2020-01-01T10:30:15.123Z', '2020-01-01T10:30:15.124Z'],
  ];
  for (const [text, start, end] of cases) {
    test(`${text} lasts from ${start} until before ${end}`, () => {
      assert.deepEqual(dateEntries(text), [{ start: Date.parse(start), end: Date.parse(end) }]);
    });
  }

  for (const text of [
    '',
    '20',
    '0000',
    '2020-00',
    '2020-13',
    '2020-02-30',
    '2021-02-29',
    '2020-1-1',
    '2020-01-01T10',
    '2020-01-01T24:00',
    '2020-01-01T10:60',
    '2020-01-01T10:30:60',
    '2020-01-01T10:30+14:01',
    '2020-01-01T10:30+01:60',
    '2020-01-01Z',
    '2020-01-01 ',
  ]) {
    test(`"${text}" is not valid`, () => assert.deepEqual(dateEntries(text), []));
  }

  test('that is absent has no entry', () => assert.deepEqual(dateEntries(undefined), []));
});

describe('the value of a date parameter', () => {
  const start = Date.UTC(2020, 0, 1);
  const end = Date.UTC(2020, 0, 2);
  const parse = (text: string, prefixes?: readonly DatePrefix[]) => {
    const parameter = dateParameter({
      name: 'date',
      field: 'date',
      documentation: 'A date.',
      ...(prefixes && { prefixes }),
    });
    const parsed = parameter.parse(parseAlternatives(text), '', undefined);
    if ('value' in parsed) return parsed.value.values;
    return parsed.issues.map(({ diagnostics }) => diagnostics);
  };

  for (const prefix of DATE_PREFIXES.filter((each) => each !== 'ap')) {
    test(`may have the prefix ${prefix}`, () => {
      assert.deepEqual(parse(`${prefix}2020-01-01`), [{ prefix, start, end }]);
    });
  }

  test('without a prefix has the prefix eq', () => {
    assert.deepEqual(parse('2020-01-01,gt2020-01-01'), [
      { prefix: 'eq', start, end },
      { prefix: 'gt', start, end },
    ]);
  });

  const INVALID =
    'date must be a date, such as 2026-03-31, alone or after one of the prefixes gt, lt.';
  const refused: readonly [text: string, diagnostics: string][] = [
    ['2020-01-01', 'Supplied date prefix is invalid, must be gt, lt'],
    ['eq2020-01-01', 'Supplied date prefix is invalid, must be gt, lt'],
    ['gt2020-02-30', INVALID],
    ['gt', INVALID],
    ['', INVALID],
    ['gt2020-01-01|', INVALID],
  ];
  for (const [text, diagnostics] of refused) {
    test(`"${text}" is refused where the prefix must be gt or lt`, () => {
      assert.deepEqual(parse(text, ['gt', 'lt']), [diagnostics]);
    });
  }
  test('of an unknown prefix is not a valid date', () => {
    assert.match(parse('xx2020').join(), /^date must be a date, .* prefixes eq, ne, gt, /);
  });

  test('with the prefix ap is wider by a tenth of its distance from now', (context) => {
    context.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2020, 0, 1, 12) + 1000 });
    assert.deepEqual(parse('ap2020-01-01'), [{ prefix: 'ap', start: start - 100, end: end + 100 }]);
  });
});
