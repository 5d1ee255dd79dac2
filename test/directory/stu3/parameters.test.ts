/** Values of search parameters are refused for their length before anything else looks at them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  parseAddressCity,
  parseAddressPostalcode,
  parseName,
} from '../../../src/directory/stu3/parameters/text.ts';

const MARKS = '\u0316\u0301'.repeat(64_000);

for (const [name, parse] of Object.entries({
  name: parseName,
  'address-postalcode': parseAddressPostalcode,
  'address-city': parseAddressCity,
})) {
  test(`${name} is not folded where it is too long`, (context) => {
    const normalize = context.mock.method(String.prototype, 'normalize');
    const parsed = parse([[`a${MARKS}`]], '');
    assert.match('issues' in parsed ? (parsed.issues[0]?.diagnostics ?? '') : '', /too long/);
    assert.equal(normalize.mock.callCount(), 0);
  });
}
