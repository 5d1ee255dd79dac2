/** Reads the Authorization header, before any token is checked. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bearerTokenOf } from '../../src/auth/authenticator.ts';
import { describeRefusal } from './refused.ts';

describe('an Authorization header', () => {
  for (const scheme of ['Bearer', 'BEARER', 'bearer', 'bEaReR']) {
    it(`with the scheme ${scheme} contains a token`, () => {
      assert.equal(bearerTokenOf(`${scheme} abc.d-e_f~+/==`), 'abc.d-e_f~+/==');
    });
  }

  for (const header of [undefined, '', ' ', 'Basic dXNlcjpwYXNz', 'DPoP abc', 'Bearerabc', 'abc']) {
    it(`of ${JSON.stringify(header)} brings no token, and the challenge no error`, () => {
      const { kind, headers } = refused(header);
      assert.equal(kind, 'unauthorized');
      assert.deepEqual(headers, { 'www-authenticate': 'Bearer realm="gazetteer"' });
    });
  }

  for (const header of [
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'Bearer a, Bearer b',
    'Bearer a,b',
    'Bearer =',
    'Bearer a=b',
    'Bearer "a"',
    'Bearer \u00e9',
    'Bearer a\r\nb',
    `Bearer ${'a'.repeat(8193)}`,
  ]) {
    it(`of ${JSON.stringify(header.slice(0, 30))} holds no token that can be one`, () => {
      const { kind, headers } = refused(header);
      assert.equal(kind, 'unauthorized');
      assert.match(
        headers['www-authenticate'] ?? '',
        /^Bearer realm="gazetteer", error="invalid_token", error_description="[\w ,.-]+"$/,
      );
    });
  }

  it('may hold a token of 8 KiB', () => {
    const token = 'a'.repeat(8192);
    assert.equal(bearerTokenOf(`Bearer ${token}`), token);
  });
});

function refused(header: string | undefined) {
  try {
    bearerTokenOf(header);
  } catch (error) {
    return describeRefusal(error);
  }
  throw new Error('it is a token');
}
