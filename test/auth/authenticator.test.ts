/** Which check a token goes to, and what is remembered of checks that go on during a reload. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createLocalJWKSet, SignJWT } from 'jose';
import { createAuthenticator, requireAuthFiles } from '../../src/auth/authenticator.ts';
import { claimedIssuer, ISSUER_ALGORITHMS, verifyJwt } from '../../src/auth/jwt.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createClock, NO_SETTINGS } from './clock.ts';
import { describeRefusal, reasonOf } from './refused.ts';

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'https://gazetteer.example';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const jwk = publicKey.export({ format: 'jwk' });
const folder = temporaryFolder({ after });
const [keyFile, secretFile] = [join(folder, 'keys.json'), join(folder, 'secret')];
writeFileSync(keyFile, JSON.stringify({ keys: [jwk] }));
writeFileSync(secretFile, 'secret');

/** An authenticator whose issuer answers when the test lets it. */
function authenticatorOf(changes: object = {}) {
  const answers: (() => void)[] = [];
  const authenticator = createAuthenticator(
    {
      ...NO_SETTINGS,
      issuer: ISSUER,
      introspectionUrl: `${ISSUER}/introspect`,
      introspectionClient: 'gazetteer',
      introspectionSecretFile: secretFile,
      ...changes,
    },
    {
      audienceDefault: AUDIENCE,
      now: createClock().now,
      onProblem: (problem) => assert.fail(problem),
      fetch: () => {
        const { promise, resolve } = Promise.withResolvers<Response>();
        const headers = { 'Content-Type': 'application/json' };
        answers.push(() => resolve(new Response('{"active":true,"sub":"clinic"}', { headers })));
        return promise;
      },
    },
  );
  return { authenticator, answers, ask: () => authenticator.authenticate('Bearer a', '127.0.0.1') };
}

describe('an opaque token', () => {
  it('goes to its issuer also where JWTs are checked with keys', async () => {
    const { answers, ask } = authenticatorOf({ jwksFile: keyFile });
    const asked = ask();
    await setImmediate();
    assert.equal(answers.length, 1);
    answers[0]?.();
    assert.deepEqual((await asked).identity, { subject: 'clinic' });
  });

  it('is malformed where no issuer can be asked', async () => {
    const settings = { jwksFile: keyFile, introspectionUrl: undefined };
    assert.equal(await reasonOf(authenticatorOf(settings).authenticator, 'a'), 'It is malformed.');
  });

  it('is checked once after a reload, independent of earlier checks', async () => {
    const { authenticator, answers, ask } = authenticatorOf();
    const before = ask();
    await setImmediate();
    await authenticator.reload();
    const since = ask();
    await setImmediate();
    assert.equal(answers.length, 2);
    answers[0]?.();
    await before;
    const more = ask();
    await setImmediate();
    assert.equal(answers.length, 2);
    answers[1]?.();
    assert.deepEqual(await since, await more);
  });
});

it('the files of the settings must be there, where the settings name them', () => {
  const missing = join(folder, 'missing');
  const check = (changes: object) => () => requireAuthFiles({ ...NO_SETTINGS, ...changes });
  for (const name of ['jwksFile', 'introspectionSecretFile']) {
    assert.throws(
      check({ [name]: missing }),
      /^AuthError: Cannot read .*missing: it does not exist\. Check/,
    );
  }
  check({ jwksFile: keyFile, introspectionSecretFile: secretFile })();
  check({})();
});

describe('a signed token', () => {
  it('asks for new keys where a new key may help, and only there', async () => {
    const { now } = createClock();
    let refreshes = 0;
    const source = {
      keyOf: createLocalJWKSet({ keys: [jwk] }),
      refresh: async () => {
        refreshes += 1;
      },
      reload: async () => undefined,
    };
    const requirements = {
      issuer: ISSUER,
      audience: AUDIENCE,
      algorithms: ISSUER_ALGORITHMS,
      skewSeconds: 30,
      now,
    };
    const refusal = async (exp: number, key = privateKey) => {
      const token = await new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: 'clinic', exp })
        .setProtectedHeader({ alg: 'EdDSA' })
        .sign(key);
      return verifyJwt(token, source, requirements).then(
        () => undefined,
        (error: unknown) => describeRefusal(error).diagnostics,
      );
    };
    const nowSeconds = Math.floor(now() / 1000);
    assert.equal(await refusal(nowSeconds + 60), undefined);
    assert.match((await refusal(nowSeconds - 60)) ?? '', /It has expired/);
    assert.equal(refreshes, 0);
    const foreign = generateKeyPairSync('ed25519').privateKey;
    assert.match((await refusal(nowSeconds + 60, foreign)) ?? '', /Its signature is not valid/);
    assert.equal(refreshes, 1);
  });

  it('claims an issuer where its header names an algorithm', () => {
    const tokenOf = (header: object) =>
      [header, { iss: ISSUER }]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .concat('')
        .join('.');
    assert.deepEqual(claimedIssuer(tokenOf({ alg: 'none' })), { issuer: ISSUER });
    assert.equal(claimedIssuer(tokenOf({})), undefined);
    assert.equal(claimedIssuer('opaque'), undefined);
  });
});
