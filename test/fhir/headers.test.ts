/** Dates of HTTP with two digits of the year. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHttpDate } from '../../src/fhir/http/headers.ts';

test('a year of two digits is up to 50 years in the future, or in the past', () => {
  const now = () => Date.UTC(2026, 5, 15);
  for (const [digits, year] of [
    ['94', 1994],
    ['77', 1977],
    ['76', 2076],
    ['26', 2026],
    ['00', 2000],
  ] as const) {
    const ms = parseHttpDate(`Sunday, 06-Nov-${digits} 08:49:37 GMT`, now);
    assert.equal(ms, Date.UTC(year, 10, 6, 8, 49, 37), digits);
  }
});
