/** Pairs of a query string or form: how many are read, and what is done for each. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstValues, formatPair, parseQueryString } from '../../src/fhir/http/query-string.ts';
import { FhirError } from '../../src/fhir/request/fhir-error.ts';

const pairs = (count: number, pair = 'a=b') => Array(count).fill(pair).join('&');
const tooMany = (error: unknown) =>
  error instanceof FhirError &&
  error.message === 'More than 50 parameters were supplied; at most 50 are allowed.';

describe('a query string', () => {
  test('is read pair by pair, empty ones left out', () => {
    assert.deepEqual(
      parseQueryString('&a=b&&c&d=%C3%A9+=&%zz=1&=e&').map(({ name, value, isMalformed }) => [
        name,
        value,
        isMalformed,
      ]),
      [
        ['a', 'b', false],
        ['c', '', false],
        ['d', 'é =', false],
        ['%zz', '1', true],
        ['', 'e', false],
      ],
    );
    assert.deepEqual(parseQueryString(''), []);
  });

  test('may have 50 pairs, and not 51', () => {
    assert.equal(parseQueryString(pairs(50)).length, 50);
    assert.throws(() => parseQueryString(pairs(51)), tooMany);
  });

  test('has its preferences read behind the pairs that do not count', () => {
    const query = `_count=1&_page=1&_edition=1&${pairs(49)}&_format=xml`;
    const free = ['_count', '_page', '_edition'];
    assert.equal(parseQueryString(query, free).length, 53);
    assert.equal(firstValues(query).get('_format'), 'xml');
  });

  test('has the first value of each name understood', () => {
    assert.equal(firstValues('_format=xml&_format=json').get('_format'), 'xml');
  });

  test('is written with escapes, except for the colon before a modifier', () => {
    const written = formatPair({ name: 'name:contains', value: 'a:b' });
    assert.equal(written, 'name:contains=a%3Ab');
    assert.equal(formatPair({ name: 'a b&', value: 'c&d' }), 'a%20b%26=c%26d');
  });

  test('is read no further than its 51st pair', (context) => {
    const decode = context.mock.method(globalThis, 'decodeURIComponent');
    assert.throws(() => parseQueryString(pairs(160_000, '%zz=1')), tooMany);
    assert.equal(decode.mock.callCount(), 51);
    decode.mock.resetCalls();
    assert.equal(firstValues(pairs(160_000, '%zz=1')).get('%zz'), '1');
    assert.equal(decode.mock.callCount(), 100);
  });
});
