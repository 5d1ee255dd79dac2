/** `gazetteer token`: what it prints, what it makes, and what it refuses. */
import assert from 'node:assert/strict';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { decodeJwt } from 'jose';
import { temporaryFolder } from '../temporary-folder.ts';
import { gazetteer } from './program.ts';
import { tokenFor } from './token.ts';

it('prints a token of an hour for order responses, and makes the key', async (context) => {
  const folder = join(temporaryFolder(context), 'data');
  const before = Math.floor(Date.now() / 1000);
  const { iss, aud, exp = 0, iat = 0, jti, ...rest } = decodeJwt(await tokenFor(folder));
  assert.match(iss ?? '', /^urn:uuid:[0-9a-f-]{36}$/);
  assert.equal(aud, iss);
  assert.ok(iat >= before && exp === iat + 3600);
  assert.equal(typeof jti, 'string');
  assert.deepEqual(rest, { scope: 'system/OrderResponse.*', sub: 'operator' });
  const key = join(folder, 'token-key.json');
  assert.equal(statSync(key).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(decodeJwt(await tokenFor(folder)).iss, iss);
});

it('takes scopes, time and names', async (context) => {
  const folder = temporaryFolder(context);
  const words = [
    '--scope',
    'system/OrderResponse.read system/OrderResponse.read',
    '--scope',
    'user/*.*',
    '--expires',
    '7d',
    '--subject',
    'ward 7',
    '--client',
    'app',
  ];
  const { exp = 0, iat = 0, sub, client_id, scope } = decodeJwt(await tokenFor(folder, ...words));
  assert.equal(exp - iat, 7 * 86_400);
  assert.deepEqual(
    { sub, client_id, scope },
    { sub: 'ward 7', client_id: 'app', scope: 'system/OrderResponse.read user/*.*' },
  );
});

it('says in one line what does not do, and makes nothing then', async (context) => {
  const folder = join(temporaryFolder(context), 'data');
  const issuer = {
    GAZETTEER_AUTH_ISSUER: 'https://issuer.example',
    GAZETTEER_AUTH_JWKS_URL: 'https://issuer.example/keys',
  };
  const cases: readonly (readonly [
    words: readonly string[],
    message: RegExp,
    environment?: Record<string, string>,
  ])[] = [
    ...['', 'patient/*.*', 'system/OrderResponse.rs', 'system/*.read,user/*.read'].map(
      (scope) => [['--scope', scope], /--scope must be system\/TYPE\.read, /] as const,
    ),
    ...['1', '0s', '1.5h', '1w', '-1h', '367d', 'never', ''].map(
      (time) =>
        [
          [`--expires=${time}`],
          /--expires must be a time such as 90s, 30m, 1h or 7d, up to 366d/,
        ] as const,
    ),
    [['--subject', 'a\nb'], /--subject must have 1 to 255 characters/],
    [['--client', ''], /--client must have 1 to 255 characters/],
    [[], /accepts only tokens of the configured issuer\. .* set auth\.ownKey to true\.$/, issuer],
  ];
  for (const [words, message, environment = {}] of cases) {
    const ended = await gazetteer(['token', '--data', folder, ...words], { environment });
    assert.equal(ended.code, environment === issuer ? 1 : 2, words.join(' '));
    assert.match(ended.stderr, /^gazetteer: [^\n]+\n$/);
    assert.match(ended.stderr.trim(), message);
    assert.equal(ended.stdout, '');
    assert.equal(existsSync(folder), false);
  }
  const environment = { ...issuer, GAZETTEER_AUTH_OWN_KEY: 'true' };
  const made = await gazetteer(['token', '--make-folder', '--data', folder], { environment });
  assert.equal(made.code, 0);
  writeFileSync(join(folder, 'token-key.json'), '{}');
  const ended = await gazetteer(['token', '--data', folder]);
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /^gazetteer: \S+token-key\.json does not contain a key\. [^\n]+\n$/);
});

it('says which key it used, and makes no folder unless it is told to', async (context) => {
  const folder = join(temporaryFolder(context), 'data');
  const missing = await gazetteer(['token', '--data', folder]);
  assert.equal(missing.code, 1);
  const remedy =
    /^gazetteer: The data folder \S+\/data does not exist\. .* --data, or add --make-folder\.\n$/;
  assert.match(missing.stderr, remedy);
  assert.equal(existsSync(folder), false);
  const made = await gazetteer(['token', '--data', folder, '--make-folder']);
  const key = join(folder, 'token-key.json');
  assert.equal(
    made.stderr,
    `Created the data folder ${folder}.\nCreated the key ${key} and signed the token with it.\n`,
  );
  const again = await gazetteer(['token', '--data', folder]);
  assert.deepEqual([again.code, again.stderr], [0, `Signed with the key ${key}.\n`]);
});
