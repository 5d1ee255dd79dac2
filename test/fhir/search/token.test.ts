/** Tokens: the index entries of elements, and the values that clients search for. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseAlternatives } from '../../../src/fhir/search/parsed.ts';
import { tokenEntries, tokenValueOf } from '../../../src/fhir/search/token.ts';

const SYSTEM = 'https://a.test/codes';

describe('the token entries of an element', () => {
  const cases: readonly [
    title: string,
    element: Parameters<typeof tokenEntries>[0],
    entries: ReturnType<typeof tokenEntries>,
  ][] = [
    [
      'an Identifier',
      { use: 'usual', system: SYSTEM, value: 'A' },
      [{ system: SYSTEM, code: 'A' }],
    ],
    ['an Identifier without a system', { value: 'A' }, [{ code: 'A' }]],
    ['an Identifier without a value', { system: SYSTEM }, []],
    [
      'a list of Identifiers',
      [{ value: 'A' }, { system: SYSTEM, value: 'B' }],
      [{ code: 'A' }, { system: SYSTEM, code: 'B' }],
    ],
    ['a Coding', { system: SYSTEM, code: 'a', display: 'A' }, [{ system: SYSTEM, code: 'a' }]],
    ['a Coding of a display alone', { display: 'A' }, []],
    [
      'a CodeableConcept',
      { coding: [{ system: SYSTEM, code: 'a' }, { code: 'b' }], text: 'A' },
      [{ system: SYSTEM, code: 'a' }, { code: 'b' }],
    ],
    ['a CodeableConcept of a text alone', { text: 'A' }, []],
    ['a code', 'accepted', [{ code: 'accepted' }]],
    ['a list of codes with a gap', ['a', null, 'b'], [{ code: 'a' }, { code: 'b' }]],
    ['a boolean', false, [{ code: 'false' }]],
    ['no element', undefined, []],
  ];
  for (const [title, element, entries] of cases) {
    test(`of ${title}`, () => assert.deepEqual(tokenEntries(element), entries));
  }
});

describe('the value of a token parameter', () => {
  const cases: readonly [text: string, value: ReturnType<typeof tokenValueOf>][] = [
    ['a', { code: 'a' }],
    ['s|a', { system: 's', code: 'a' }],
    ['|a', { system: '', code: 'a' }],
    ['s|', { system: 's' }],
    ['a\\|b', { code: 'a|b' }],
    ['s\\,t|a\\\\b', { system: 's,t', code: 'a\\b' }],
    ['', undefined],
    ['|', undefined],
    ['s|a|b', undefined],
  ];
  for (const [text, value] of cases) {
    test(`"${text}"`, () => {
      assert.deepEqual(parseAlternatives(text).map(tokenValueOf), [value]);
    });
  }
});
