/** Which keys of a JWK set count, and what is kept of them. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import type { JWK } from 'jose';
import { readKeySet } from '../../src/auth/key-set.ts';
import { AuthError } from '../../src/auth/settings.ts';

const ed25519 = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' });
const ed448 = generateKeyPairSync('ed448').publicKey.export({ format: 'jwk' });
const rsa = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' });

const read = (...keys: readonly unknown[]): JWK[] =>
  readKeySet(JSON.stringify({ keys }), 'keys.json').keys;

describe('a key set', () => {
  it('has the keys of types that are strong enough, and leaves the others out', () => {
    assert.deepEqual(
      read(ed25519, p256, p384, ed448, rsa(2048), rsa(2047), 'nonsense', null, 7).map(
        ({ kty, crv }) => crv ?? kty,
      ),
      ['Ed25519', 'P-256', 'RSA'],
    );
  });

  it('leaves out keys that are for something else than signatures', () => {
    const keys = read({ ...ed25519, kid: 'a', use: 'sig' }, { ...ed25519, kid: 'b', use: 'enc' });
    assert.deepEqual(
      keys.map(({ kid }) => kid),
      ['a'],
    );
  });

  it('keeps the name, the algorithm and the operations of a key, and nothing private', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const key = {
      ...privateKey.export({ format: 'jwk' }),
      kid: 'a',
      alg: 'EdDSA',
      x5u: 'https://x',
    };
    const [kept] = read({ ...key, key_ops: ['verify'] });
    assert.deepEqual(Object.keys(kept ?? {}).toSorted(), [
      'alg',
      'crv',
      'key_ops',
      'kid',
      'kty',
      'x',
    ]);
    assert.deepEqual(kept?.key_ops, ['verify']);
    const [plain] = read({ ...ed25519, kid: 7, alg: 7, key_ops: 'verify' });
    assert.deepEqual(Object.keys(plain ?? {}).toSorted(), ['crv', 'kty', 'x']);
  });

  it('has at most 50 keys that count', () => {
    const keys = (count: number) => Array.from({ length: count }, () => ed25519);
    assert.equal(read(...keys(50), 'nonsense').length, 50);
    assert.throws(() => read(...keys(51)), /more than 50 keys/);
  });

  for (const text of ['', '[]', '{}', '{"keys":{}}', '{"keys":"x"}', 'null']) {
    it(`is not ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => readKeySet(text, 'keys.json'),
        (error) => {
          return error instanceof AuthError && error.message === 'keys.json is not a JWK set.';
        },
      );
    });
  }

  it('without a key that counts is refused, with what would count', () => {
    assert.throws(() => read(p384), /none of its 1 keys can be used.* RSA of at least 2048 bits/);
  });
});
