/** Headers that are lists: the examples of RFC 9110 and RFC 7240, and headers that are not valid. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  parseEntityTags,
  parseHeaderElement,
  parseHeaderList,
  parseHeaderParameter,
  preferredValue,
  weightOf,
} from '../../src/fhir/http/headers.ts';

type Element = readonly [text: string, parameters?: Readonly<Record<string, string>>];

const LISTS: readonly (readonly [header: string, ...elements: Element[]])[] = [
  // RFC 9110, section 5.6.1.2: empty elements are ignored.
  ['foo ,bar,', ['foo'], ['bar']],
  ['foo , ,bar,charlie', ['foo'], ['bar'], ['charlie']],
  [''],
  [','],
  [',   ,'],
  // Section 12.5.1: Accept.
  ['audio/*; q=0.2, audio/basic', ['audio/*', { q: '0.2' }], ['audio/basic']],
  [
    'text/plain; q=0.5, text/html, text/x-dvi; q=0.8, text/x-c',
    ['text/plain', { q: '0.5' }],
    ['text/html'],
    ['text/x-dvi', { q: '0.8' }],
    ['text/x-c'],
  ],
  [
    'text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5',
    ['text/*', { q: '0.3' }],
    ['text/plain', { q: '0.7' }],
    ['text/plain', { format: 'flowed' }],
    ['text/plain', { format: 'fixed', q: '0.4' }],
    ['*/*', { q: '0.5' }],
  ],
  // Section 12.5.3: Accept-Encoding.
  ['compress, gzip', ['compress'], ['gzip']],
  ['*', ['*']],
  [
    'gzip;q=1.0, identity; q=0.5, *;q=0',
    ['gzip', { q: '1.0' }],
    ['identity', { q: '0.5' }],
    ['*', { q: '0' }],
  ],
  // Section 5.6.4: quoted strings.
  ['a;x="1, 2; 3", b', ['a', { x: '1, 2; 3' }], ['b']],
  [String.raw`a;x="say \"hi, you\"", b`, ['a', { x: 'say "hi, you"' }], ['b']],
  [String.raw`a;x="\\", b`, ['a', { x: '\\' }], ['b']],
  ['a;x=""', ['a', { x: '' }]],
  // A quoted string without its end reaches to the end of the header.
  ['a, b;x="c, d', ['a'], ['b', { x: 'c, d' }]],
  [String.raw`a;x="c\ `.trim(), ['a', { x: 'c\\' }]],
  // Spaces, upper case, and parameters that are empty or repeated.
  ['\ta ;\tX=1 ; ; Y = 2 ,b', ['a', { x: '1', '': '', y: '2' }], ['b']],
  ['a;q=0.1;q=0.9', ['a', { q: '0.1' }]],
  ['a;flag', ['a', { flag: '' }]],
  [';q=1', ['', { q: '1' }]],
];

describe('a list', () => {
  for (const [header, ...elements] of LISTS) {
    it(`is parsed: ${header}`, () => {
      const parsed = parseHeaderList(header).map(({ text, parameters }) => [
        text,
        Object.fromEntries(parameters),
      ]);
      assert.deepEqual(
        parsed,
        elements.map(([text, parameters = {}]) => [text, parameters]),
      );
    });
  }

  it('keeps every element of a long header', () => {
    assert.equal(parseHeaderList('a,'.repeat(8000)).length, 8000);
    assert.equal(parseHeaderList('",'.repeat(8000)).length, 4000);
    assert.equal(parseHeaderElement(';'.repeat(16_000)).text, '');
  });
});

describe('a value with parameters', () => {
  // RFC 9110, section 8.3.1: these media types are equal.
  for (const contentType of [
    'text/html;charset=utf-8',
    'Text/HTML;Charset="utf-8"',
    'text/html; charset="utf-8"',
    'text/html;charset=utf-8;',
  ]) {
    it(`is parsed: ${contentType}`, () => {
      const { text, parameters } = parseHeaderElement(contentType);
      assert.equal(text.toLowerCase(), 'text/html');
      assert.equal(parameters.get('charset'), 'utf-8');
    });
  }

  it('is not split at a comma', () => {
    assert.equal(parseHeaderElement('text/html, text/xml').text, 'text/html, text/xml');
  });
});

describe('a weight', () => {
  for (const [element, weight, invalid] of [
    ['a', 1],
    ['a;q=1', 1],
    ['a;q=0.5', 0.5],
    ['a;Q=0.001', 0.001],
    ['a;q=.5', 0.5],
    ['a;q=0.000', 0],
    ['a;q="0.5"', 0.5],
    ['a;q=7', 1],
    ['a;q=-1', 0],
    ['a;q=', 1, 0],
    ['a;q=much', 1, 0],
  ] as const) {
    it(`of ${element} is ${weight}${invalid === undefined ? '' : ` or ${invalid}`}`, () => {
      const parsed = parseHeaderElement(element);
      assert.equal(weightOf(parsed, 1), weight);
      assert.equal(weightOf(parsed, 0), invalid ?? weight);
    });
  }
});

describe('entity tags', () => {
  for (const [header, tags] of [
    // RFC 9110, sections 8.8.3 and 13.1.
    ['"xyzzy"', ['xyzzy']],
    ['W/"xyzzy"', ['xyzzy']],
    ['""', ['']],
    ['"xyzzy", "r2d2xxxx", "c3piozzzz"', ['xyzzy', 'r2d2xxxx', 'c3piozzzz']],
    ['W/"xyzzy", W/"r2d2xxxx", W/"c3piozzzz"', ['xyzzy', 'r2d2xxxx', 'c3piozzzz']],
    ['*', '*'],
    [' * ', '*'],
    ['"a,b","c"', ['a,b', 'c']],
    [String.raw`"a\", "b"`, ['a\\', 'b']],
    [' , "1" ,, "2" , ', ['1', '2']],
    ['"\u00e9"', ['\u00e9']],
    ['', undefined],
    [',', undefined],
    ['1', undefined],
    ['W/1', undefined],
    ['w/"1"', undefined],
    ['W/ "1"', undefined],
    ['"1', undefined],
    ['"1"2', undefined],
    ['"1" "2"', undefined],
    ['"1""2"', undefined],
    ['"1", x', undefined],
    ['*, "1"', undefined],
    ['"a b"', undefined],
  ] as const) {
    it(`of ${header} are ${JSON.stringify(tags) ?? 'not valid'}`, () => {
      assert.deepEqual(parseEntityTags(header), tags);
    });
  }

  it('may be many', () => {
    assert.equal(parseEntityTags('"a",'.repeat(4000))?.length, 4000);
    assert.equal(parseEntityTags(`${'"a",'.repeat(4000)}x`), undefined);
    assert.equal(parseEntityTags(`"a"${', '.repeat(8000)}x`), undefined);
  });
});

describe('a preference', () => {
  for (const [header, name, value] of [
    // RFC 7240, sections 2 and 4.
    ['respond-async, wait=100', 'wait', '100'],
    ['respond-async, wait=100', 'respond-async', ''],
    ['foo; bar', 'foo', ''],
    ['foo; bar=""', 'foo', ''],
    ['foo=""; bar', 'foo', ''],
    ['foo; bar', 'bar', undefined],
    ['return=minimal; foo="some parameter"', 'return', 'minimal'],
    ['Handling="Lenient" , wait=100', 'handling', 'lenient'],
    ['return = representation', 'return', 'representation'],
    ['return=minimal, return=representation', 'return', 'minimal'],
    ['other="return=minimal, handling=strict"', 'handling', undefined],
    ['return=return=minimal;;;', 'return', 'return=minimal'],
    [undefined, 'return', undefined],
  ] as const) {
    it(`${name} in ${header} is ${value ?? 'absent'}`, () => {
      assert.equal(preferredValue(header, name), value);
    });
  }

  it('has a name in lower case and a value without quotation marks', () => {
    assert.deepEqual(parseHeaderParameter(' Return = "minimal" '), ['return', 'minimal']);
  });
});
