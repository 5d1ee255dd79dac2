/** Signed tokens against the keys of an issuer: those that count, and the classic attacks. */
import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type JWK, SignJWT } from 'jose';
import { type Authenticator, createAuthenticator } from '../../src/auth/authenticator.ts';
import { fc } from '../property.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createClock, NO_SETTINGS } from './clock.ts';
import { reasonOf, refusalOf } from './refused.ts';

const ISSUER = 'https://issuer.example/realms/a';
const AUDIENCE = 'https://gazetteer.example/base';

const NO_AUDIENCE = 'It has no audience (aud).';
const NOT_TRUSTED = 'Its issuer (iss) is not the one that this server trusts.';
const NOBODY = 'It names neither a subject nor a client.';
const BAD_ALGORITHM = 'Its algorithm is not accepted.';
const UNKNOWN_KEY = 'It is signed with an unknown key.';
const WRONG_SIGNATURE =
  'Its signature is not valid. Check that the issuer that this server trusts signed it.';
const MALFORMED = 'It is malformed.';
const NOT_ACCESS_TOKEN = 'Its type (typ) is not that of an access token.';
const notTime = (claim: string) => `Its ${claim} is not a time in seconds since 1970.`;

const pairs = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  PS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: generateKeyPairSync('ed25519'),
  weak: generateKeyPairSync('rsa', { modulusLength: 1024 }),
  foreign: generateKeyPairSync('ed25519'),
};

describe('a signed token', () => {
  const clock = createClock();
  const nowSeconds = Math.floor(clock.now() / 1000);
  const claims = {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 'clinic',
    client_id: 'ordering',
    scope: 'system/OrderResponse.read',
    exp: nowSeconds + 600,
  };
  const folder = temporaryFolder({ after });
  const file = join(folder, 'keys.json');
  let authenticator: Authenticator;

  before(() => {
    const keys = [
      ...(['RS256', 'PS256', 'ES256', 'EdDSA'] as const).map((alg) => publicJwk(alg, { alg })),
      publicJwk('weak', { alg: 'RS256' }),
      { kty: 'oct', kid: 'shared', k: randomBytes(32).toString('base64url') },
      { kty: 'EC', kid: 'broken', crv: 'P-256', x: 'AA', y: 'AA' },
      'nonsense',
    ];
    writeFileSync(file, JSON.stringify({ keys }));
    authenticator = createAuthenticator(
      { ...NO_SETTINGS, issuer: ISSUER, jwksFile: file },
      {
        audienceDefault: AUDIENCE,
        now: clock.now,
        fetch: async () => assert.fail('nothing is to be fetched'),
        onProblem: (problem) => assert.fail(problem),
      },
    );
  });

  for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA'] as const) {
    it(`counts when signed with ${alg}, whether it names its key or not`, async () => {
      const expected = {
        identity: { subject: 'clinic', client: 'ordering' },
        scopes: [{ type: 'OrderResponse', action: 'read' }],
      };
      for (const kid of [alg, undefined]) {
        const token = await signed(claims, { alg, ...(kid !== undefined && { kid }) });
        assert.deepEqual(
          await authenticator.authenticate(`BEARER ${token}`, '127.0.0.1'),
          expected,
        );
      }
    });
  }

  const accepted: readonly (readonly [what: string, changes: object])[] = [
    ['for several services', { aud: ['https://other.example', AUDIENCE] }],
    ['expired within the skew', { exp: nowSeconds - 29 }],
    ['valid within the skew', { nbf: nowSeconds + 29 }],
    ['without a client', { client_id: undefined }],
    ['with azp for client_id', { client_id: undefined, azp: 'ordering' }],
    ['of a client alone', { sub: undefined }],
  ];
  for (const [what, changes] of accepted) {
    it(`counts ${what}`, async () => {
      const token = await signed({ ...claims, ...changes });
      assert.equal(await reasonOf(authenticator, token), undefined);
    });
  }

  for (const typ of ['JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt']) {
    it(`of the type ${typ} counts`, async () => {
      const token = raw({ alg: 'EdDSA', typ }, JSON.stringify(claims), 'EdDSA');
      assert.equal(await reasonOf(authenticator, token), undefined);
    });
  }

  const refused: readonly (readonly [what: string, changes: object, reason: string])[] = [
    ['without an issuer', { iss: undefined }, NOT_TRUSTED],
    ['of another issuer', { iss: 'https://issuer.example/realms/b' }, NOT_TRUSTED],
    ['of an issuer with a slash more', { iss: `${ISSUER}/` }, NOT_TRUSTED],
    ['of a list of issuers', { iss: [ISSUER] }, NOT_TRUSTED],
    ['without an audience', { aud: undefined }, NO_AUDIENCE],
    ['for an empty list of services', { aud: [] }, NO_AUDIENCE],
    [
      'for another service',
      { aud: 'https://other.example' },
      'Its audience (aud) is another service.',
    ],
    ['for a longer address', { aud: `${AUDIENCE}/STU3` }, 'Its audience (aud) is another service.'],
    ['that never ends', { exp: undefined }, 'It has no expiry time (exp).'],
    ['that ends in words', { exp: 'never' }, 'It has no expiry time (exp).'],
    ['whose end is in milliseconds', { exp: nowSeconds * 1000 }, notTime('exp')],
    ['of a negative beginning', { nbf: -1 }, notTime('nbf')],
    ['issued in words', { iat: 'today' }, MALFORMED],
    ['whose time of issue is in milliseconds', { iat: nowSeconds * 1000 }, notTime('iat')],
    ['expired', { exp: nowSeconds - 31 }, 'It has expired.'],
    ['that begins later', { nbf: nowSeconds + 31 }, 'It is not valid yet.'],
    ['of nobody', { sub: undefined, client_id: undefined }, NOBODY],
    ['of somebody empty', { sub: '', client_id: 7 }, NOBODY],
    [
      'of a very long name',
      { sub: 'x'.repeat(1025) },
      'Its subject or client is longer than 1024 characters.',
    ],
    [
      'bound to a key of its sender',
      { cnf: { jkt: 'x' } },
      'It is bound to a key of its sender, which this server cannot check.',
    ],
  ];
  for (const [what, changes, reason] of refused) {
    it(`${what} is refused`, async () => {
      assert.equal(await reasonOf(authenticator, await signed({ ...claims, ...changes })), reason);
    });
  }

  const text = () => JSON.stringify(claims);
  const attacks: readonly (readonly [what: string, token: () => string, reason: string])[] = [
    ['alg none without signature', () => `${encoded({ alg: 'none' }, text())}.`, BAD_ALGORITHM],
    ['alg NONE with a signature', () => raw({ alg: 'NONE' }, text(), 'EdDSA'), BAD_ALGORITHM],
    [
      'HMAC with the public key as its secret',
      () => {
        const input = encoded({ alg: 'HS256', kid: 'RS256' }, text());
        const secret = pairs.RS256.publicKey.export({ type: 'spki', format: 'pem' });
        return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
      },
      BAD_ALGORITHM,
    ],
    ['RS512', () => raw({ alg: 'RS512', kid: 'RS256' }, text(), 'RS256'), BAD_ALGORITHM],
    ['RS1', () => raw({ alg: 'RS1', kid: 'RS256' }, text(), 'RS256'), BAD_ALGORITHM],
    [
      'a key of 1024 bits that its issuer publishes',
      () => raw({ alg: 'RS256', kid: 'weak' }, text(), 'weak'),
      UNKNOWN_KEY,
    ],
    [
      'another algorithm than the key is for',
      () => raw({ alg: 'RS256', kid: 'PS256' }, text(), 'PS256'),
      UNKNOWN_KEY,
    ],
    ['an unknown key', () => raw({ alg: 'EdDSA', kid: 'foreign' }, text(), 'foreign'), UNKNOWN_KEY],
    [
      'the name of a known key',
      () => raw({ alg: 'EdDSA', kid: 'EdDSA' }, text(), 'foreign'),
      WRONG_SIGNATURE,
    ],
    [
      'a key that it brings (jwk)',
      () => raw({ alg: 'EdDSA', jwk: publicJwk('foreign') }, text(), 'foreign'),
      WRONG_SIGNATURE,
    ],
    [
      'a key at an address of its choice (jku)',
      () => raw({ alg: 'EdDSA', jku: 'http://127.0.0.1:1/keys' }, text(), 'foreign'),
      WRONG_SIGNATURE,
    ],
    [
      'a certificate at an address of its choice (x5u)',
      () => raw({ alg: 'EdDSA', x5u: 'http://127.0.0.1:1/cert' }, text(), 'foreign'),
      WRONG_SIGNATURE,
    ],
    [
      'a certificate that it brings (x5c)',
      () => raw({ alg: 'EdDSA', x5c: ['AAAA'] }, text(), 'foreign'),
      WRONG_SIGNATURE,
    ],
    [
      'extensions that must be understood (crit)',
      () => raw({ alg: 'EdDSA', crit: ['x'], x: 1 }, text(), 'EdDSA'),
      'It needs a feature that this server does not support.',
    ],
    [
      'the one extension that libraries understand (b64)',
      () => raw({ alg: 'EdDSA', crit: ['b64'], b64: true }, text(), 'EdDSA'),
      'It needs a feature that this server does not support.',
    ],
    [
      'the type of a logout token',
      () => raw({ alg: 'EdDSA', typ: 'logout+jwt' }, text(), 'EdDSA'),
      NOT_ACCESS_TOKEN,
    ],
    ['a type that is no text', () => raw({ alg: 'EdDSA', typ: 1 }, text(), 'EdDSA'), '*'],
    ['an empty type', () => raw({ alg: 'EdDSA', typ: '' }, text(), 'EdDSA'), NOT_ACCESS_TOKEN],
    [
      'an end that is infinite',
      () => raw({ alg: 'EdDSA' }, text().replace(/"exp":\d+/, '"exp":1e400'), 'EdDSA'),
      notTime('exp'),
    ],
    ['claims that are no object', () => raw({ alg: 'EdDSA' }, '[]', 'EdDSA'), MALFORMED],
    ['claims that are no JSON', () => raw({ alg: 'EdDSA' }, '{', 'EdDSA'), MALFORMED],
    ['no header', () => 'a.b.c', MALFORMED],
    ['one part', () => 'opaque', MALFORMED],
    ['five parts', () => 'a.b.c.d.e', MALFORMED],
    [
      'changed claims',
      () => {
        const [head, , signature] = raw({ alg: 'EdDSA' }, text(), 'EdDSA').split('.');
        const changed = JSON.stringify({ ...claims, scope: 'system/*.*' });
        return `${head}.${base64url(changed)}.${signature}`;
      },
      WRONG_SIGNATURE,
    ],
    [
      'an ES256 signature of zeros',
      () => `${encoded({ alg: 'ES256', kid: 'ES256' }, text())}.${base64url('\0'.repeat(64))}`,
      WRONG_SIGNATURE,
    ],
    ['a signature of other characters', () => `${raw({ alg: 'EdDSA' }, text(), 'EdDSA')}=`, '*'],
  ];
  for (const [what, token, reason] of attacks) {
    it(`with ${what} is refused`, async () => {
      const found = await reasonOf(authenticator, token());
      if (reason === '*') assert.ok(found !== undefined);
      else assert.equal(found, reason);
    });
  }

  it('of a known key is valid, and other keys that it names are ignored', async () => {
    const header = { jwk: publicJwk('foreign'), jku: 'http://127.0.0.1:1/', x5u: 'http://x/' };
    const token = raw({ alg: 'EdDSA', kid: 'EdDSA', ...header }, text(), 'EdDSA');
    assert.equal(await reasonOf(authenticator, token), undefined);
  });

  it('never ends in a fault, for any input', async () => {
    const part = fc.oneof(
      fc.base64String({ maxLength: 40 }).map((value) => value.replaceAll('=', '')),
      fc.json({ maxDepth: 2 }).map(base64url),
      fc
        .record(
          {
            alg: fc.constantFrom('none', 'HS256', 'RS256', 'ES256', 'EdDSA', 'PS256', 7, null),
            kid: fc.constantFrom('RS256', 'ES256', 'EdDSA', 'weak', 7, null),
            crit: fc.constantFrom([], ['b64'], 'x', null),
            iss: fc.constantFrom(ISSUER, 7),
          },
          { requiredKeys: [] },
        )
        .map((header) => base64url(JSON.stringify(header))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), async (parts) => {
        const refusal = await refusalOf(authenticator, `Bearer ${parts.join('.')}`);
        assert.equal(refusal?.kind, 'unauthorized');
      }),
      { numRuns: 300 },
    );
  });

  async function signed(payload: object, header: { alg?: keyof typeof pairs; kid?: string } = {}) {
    const { alg = 'EdDSA', ...rest } = header;
    const known = Object.entries(payload).filter(([, value]) => value !== undefined);
    return new SignJWT(Object.fromEntries(known))
      .setProtectedHeader({ alg, ...rest })
      .sign(pairs[alg].privateKey);
  }
});

function publicJwk(name: keyof typeof pairs, more: object = {}): JWK {
  const key: KeyObject = pairs[name].publicKey;
  return { ...(key.export({ format: 'jwk' }) as JWK), kid: name, ...more };
}

/** A token that no library would make. */
function raw(header: object, payload: string, by: keyof typeof pairs): string {
  const input = encoded(header, payload);
  const key = pairs[by].privateKey;
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return `${input}.${sign(digest, Buffer.from(input), key).toString('base64url')}`;
}

function encoded(header: object, payload: string): string {
  return `${base64url(JSON.stringify(header))}.${base64url(payload)}`;
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
