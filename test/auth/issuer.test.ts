/** Tokens of a real issuer: signed ones against its keys, opaque ones by asking it. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { createAuthenticator } from '../../src/auth/authenticator.ts';
import type { AuthSettings } from '../../src/auth/settings.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { NO_SETTINGS } from './clock.ts';
import { type Issuer, startIssuer } from './issuer.ts';
import { reasonOf, refusalOf } from './refused.ts';

const AUDIENCE = 'https://gazetteer.example/base';
const EXPECTED = {
  identity: { subject: 'ordering', client: 'ordering' },
  scopes: [{ type: 'OrderResponse', action: 'write' }],
};

it('a signed token of a real issuer counts, for as long as its keys are known', async (context) => {
  const issuer = await startIssuer(context);
  const authenticator = authenticatorFor({ issuer: issuer.url, jwksUrl: issuer.jwksUrl });
  const scope = 'system/OrderResponse.write patient/OrderResponse.read';
  const [token, second, foreign] = [
    await issuer.tokenFor(AUDIENCE, 'jwt', scope),
    await issuer.tokenFor(AUDIENCE, 'jwt', scope),
    await issuer.tokenFor('https://other.example', 'jwt', scope),
  ];
  assert.equal(token.split('.').length, 3);
  assert.deepEqual(await authenticator.authenticate(`Bearer ${token}`, '127.0.0.1'), EXPECTED);
  assert.equal(await reasonOf(authenticator, foreign), 'Its audience (aud) is another service.');
  const opaque = await issuer.tokenFor(AUDIENCE, 'opaque', scope);
  assert.equal(await reasonOf(authenticator, opaque), 'It is malformed.');
  await issuer.stop();
  assert.deepEqual(await authenticator.authenticate(`Bearer ${second}`, '127.0.0.1'), EXPECTED);
});

it('an opaque token of a real issuer counts until it is withdrawn', async (context) => {
  const issuer = await startIssuer(context);
  const settings = introspectionSettings(context, issuer);
  const authenticator = authenticatorFor(settings);
  const token = await issuer.tokenFor(AUDIENCE, 'opaque', 'system/OrderResponse.write');
  assert.doesNotMatch(token, /\./);
  assert.deepEqual(await authenticator.authenticate(`Bearer ${token}`, '127.0.0.1'), {
    ...EXPECTED,
    identity: { subject: 'ordering', client: 'ordering' },
  });
  const foreign = await issuer.tokenFor('https://other.example', 'opaque', '');
  assert.equal(await reasonOf(authenticator, foreign), 'Its audience (aud) is another service.');
  const notActive = 'Its issuer reports that it is not active.';
  assert.equal(await reasonOf(authenticator, 'made-up'), notActive);
  await issuer.revoke(token);
  authenticator.reload();
  assert.equal(await reasonOf(authenticator, token), notActive);
  await issuer.stop();
  const refusal = await refusalOf(authenticator, 'Bearer another');
  assert.equal(refusal?.kind, 'unavailable');
});

it('both kinds may be set up at the same time', async (context) => {
  const issuer = await startIssuer(context);
  const authenticator = authenticatorFor({
    ...introspectionSettings(context, issuer),
    jwksUrl: issuer.jwksUrl,
  });
  for (const form of ['jwt', 'opaque'] as const) {
    const token = await issuer.tokenFor(AUDIENCE, form, 'system/OrderResponse.write');
    assert.deepEqual(await authenticator.authenticate(`Bearer ${token}`, '127.0.0.1'), EXPECTED);
  }
});

function authenticatorFor(settings: Partial<AuthSettings>) {
  return createAuthenticator(
    { ...NO_SETTINGS, ...settings },
    { audienceDefault: AUDIENCE, onProblem: () => {} },
  );
}

function introspectionSettings(context: TestContext, issuer: Issuer): Partial<AuthSettings> {
  const folder = temporaryFolder(context);
  const introspectionSecretFile = join(folder, 'secret');
  writeFileSync(introspectionSecretFile, `${issuer.introspectionSecret}\n`);
  const { url, introspectionUrl, introspectionClient } = issuer;
  return { issuer: url, introspectionUrl, introspectionClient, introspectionSecretFile };
}
