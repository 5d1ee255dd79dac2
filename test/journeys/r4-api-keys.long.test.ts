/** The R4 interface with API keys: who is refused, and how the program ends if it has no keys. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { importedSample } from '../imported-sample.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { gazetteer, serve } from './program.ts';

it('with directory.r4.apiKeys, only the R4 interface needs a key', async (context) => {
  const data = await importedSample(context);
  const keys = join(temporaryFolder(context), 'api-keys');
  writeFileSync(keys, `${createHash('sha256').update('open sesame').digest('hex')}  Ward 7\n`);
  const words = ['--data', data, '--directory-r4-api-keys', keys, '--threads', '1'];
  const { origin } = await serve(context, words);
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(origin + path, { headers });

  for (const headers of [{}, { apikey: 'open barley' }]) {
    const refused = await ask('/R4/Organization/RTG', headers);
    assert.equal(refused.status, 401);
    assert.equal(refused.headers.get('www-authenticate'), 'ApiKey realm="gazetteer"');
    const outcome = JSON.parse(await refused.text());
    assert.match(outcome.issue[0].diagnostics, /API key.* header apikey/);
    assert.doesNotMatch(JSON.stringify(outcome), /barley/);
  }
  assert.equal((await ask('/R4/Organization?name=x', {})).status, 401);
  assert.equal((await ask('/R4/Organization/RTG', { apikey: 'open sesame' })).status, 200);
  assert.equal((await ask('/R4/metadata')).status, 200);
  assert.equal((await ask('/STU3/Organization/RTG')).status, 200);

  const { rest } = JSON.parse(await (await ask('/R4/metadata')).text());
  assert.match(rest[0].security.description, /^An API key in the header apikey/);
  const openApi = JSON.parse(await (await ask('/openapi.json')).text());
  const security = (path: string) => openApi.paths[path].get.security;
  assert.deepEqual(security('/R4/Organization/{id}'), [{ apikey: [] }]);
  assert.deepEqual(security('/R4/metadata'), []);
  assert.deepEqual(security('/STU3/Organization/{id}'), []);
});

it('without the setting, an API key is ignored', async (context) => {
  const data = await importedSample(context);
  const { origin } = await serve(context, ['--data', data, '--threads', '1']);
  const answer = await fetch(`${origin}/R4/Organization/RTG`, { headers: { apikey: 'any' } });
  assert.equal(answer.status, 200);
});

it('with a file of API keys that cannot be used, the server does not start', async (context) => {
  const folder = temporaryFolder(context);
  const keys = join(folder, 'api-keys');
  writeFileSync(keys, 'a key, not its hash\n');
  const words = ['serve', '--data', join(folder, 'data'), '--directory-r4-api-keys', keys];
  const { code, stderr } = await gazetteer(words);
  assert.equal(code, 1);
  assert.match(stderr, /api-keys, line 1: begin the line with the SHA-256 hash of an API key/);
  assert.doesNotMatch(stderr, /not its hash/);
});
