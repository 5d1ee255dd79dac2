/** String parameters: which values are accepted, and how much work a refused one costs. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseAlternatives } from '../../../src/fhir/search/parsed.ts';
import { stringEntries, stringParameter } from '../../../src/fhir/search/string.ts';

const parameter = stringParameter({
  name: 'title',
  field: 'title',
  documentation: 'A title.',
  lengthMin: 2,
  lengthMax: 5,
  characters: /^[\p{L}\p{M}\u{1f3e5} |]*$/u,
  tooShort: 'too short',
  tooLong: 'too long',
  otherCharacters: 'other characters',
});

function parse(text: string, modifier = '') {
  const parsed = parameter.parse(parseAlternatives(text), modifier, undefined);
  if ('value' in parsed) return parsed.value;
  return parsed.issues.map(({ diagnostics }) => diagnostics);
}

describe('the value of a string parameter', () => {
  for (const [modifier, match] of [
    ['', 'startsWith'],
    ['contains', 'contains'],
    ['exact', 'exact'],
  ] as const) {
    test(`with the modifier "${modifier}" is a criterion that ${match}`, () => {
      const values = ['ab', 'c|d'];
      assert.deepEqual(parse('ab,c|d', modifier), {
        type: 'string',
        field: 'title',
        match,
        values,
      });
    });
  }

  const refused: readonly [text: string, ...issues: string[]][] = [
    ['a', 'too short'],
    ['  ', 'too short'],
    ['\u0301\u0301', 'too short'],
    ['abcdef', 'too long'],
    ['a-b', 'other characters'],
    ['a,ab,abcdef', 'too short', 'too long'],
  ];
  for (const [text, ...issues] of refused) {
    test(`"${text}" is refused as ${issues.join(' and ')}`, () => {
      assert.deepEqual(parse(text), issues);
    });
  }

  test('has as many characters as it has code points', () => {
    const hospitals = '\u{1f3e5}'.repeat(5);
    assert.deepEqual(parse(hospitals), {
      type: 'string',
      field: 'title',
      match: 'startsWith',
      values: [hospitals],
    });
    assert.deepEqual(parse(`${hospitals}a`), ['too long']);
  });

  test('is not folded if it is too long', (context) => {
    const normalize = context.mock.method(String.prototype, 'normalize');
    assert.deepEqual(parse(`a${'\u0316\u0301'.repeat(64_000)}`), ['too long']);
    assert.equal(normalize.mock.callCount(), 0);
  });
});

test('a text has one entry: the text as it is, and folded', () => {
  assert.deepEqual(stringEntries('Caf\u00e9'), [{ folded: 'cafe', exact: 'Caf\u00e9' }]);
  assert.deepEqual(stringEntries(undefined), []);
});
