/** The claims of a valid token: the limits of its times and names. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { authenticatedOf, type Claims } from '../../src/auth/claims.ts';
import { describeRefusal } from './refused.ts';

function refusal(claims: Claims): string | undefined {
  try {
    authenticatedOf({ sub: 'clinic', ...claims });
    return undefined;
  } catch (error) {
    return describeRefusal(error).diagnostics;
  }
}

for (const name of ['exp', 'nbf', 'iat']) {
  it(`${name} is a number of seconds from 1970 to the year 9999`, () => {
    assert.equal(refusal({ [name]: 0 }), undefined);
    assert.equal(refusal({ [name]: 253_402_300_799 }), undefined);
    for (const time of [-1, 253_402_300_800, Number.POSITIVE_INFINITY, '1', null]) {
      assert.match(refusal({ [name]: time }) ?? '', new RegExp(`Its ${name} is not a time`));
    }
  });
}

it('a name has at most 1,024 characters', () => {
  assert.equal(refusal({ sub: 'a'.repeat(1024) }), undefined);
  assert.match(refusal({ sub: 'a'.repeat(1025) }) ?? '', /longer than 1024 characters/);
});

for (const name of ['sub', 'client_id', 'azp']) {
  it(`${name} has no control characters, which the audit log would repeat`, () => {
    assert.equal(refusal({ [name]: 'Zoë O’Neill, 1. Etage' }), undefined);
    for (const character of ['\n', '\0', '\u001b', '\u007f', '\u009b', '\u202e', '\ud800']) {
      assert.equal(
        refusal({ [name]: `clinic${character}` }),
        'The bearer token is not accepted. Its subject or client has control characters.',
        JSON.stringify(character),
      );
    }
  });
}
