/** Headers of HTTP: dates with two digits of the year, and entity tags. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNotModified, parseEntityTags, parseHttpDate } from '../../src/fhir/http/headers.ts';

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

test('an entity tag is the same with the suffix of a proxy that compresses', () => {
  for (const suffix of ['-gzip', '-br', '-zstd', '-deflate', ';gzip', '--gzip']) {
    assert.deepEqual(parseEntityTags(`W/"1${suffix}", "a-json${suffix}"`), ['1', 'a-json'], suffix);
    const headers = { 'if-none-match': `W/"a-xml-pretty${suffix}"` };
    const request = { method: 'GET', path: '/', query: '', headers, id: '1' };
    assert.ok(isNotModified(request, 'W/"a-xml-pretty"', undefined), suffix);
    assert.ok(!isNotModified(request, 'W/"a-xml"', undefined), suffix);
  }
});
