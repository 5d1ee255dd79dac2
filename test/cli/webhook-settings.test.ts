/** The settings of webhooks are checked before a server starts. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

const URL_OF_RECEIVER = 'https://hooks.example/a-secret-path';

it('a server refuses webhooks that it could not send, and names the remedy', async (context) => {
  const data = temporaryFolder(context);
  const secretFile = join(data, 'secret.txt');
  writeFileSync(secretFile, 'short\n');
  const caFile = ['--subscriptions-ca-file', secretFile];
  const webhooks = ['--subscriptions-webhooks', URL_OF_RECEIVER];
  const allowed = [...webhooks, '--subscriptions-allowed-hosts', 'hooks.example'];
  const cases: readonly [words: readonly string[], problem: RegExp][] = [
    [
      webhooks,
      /https:\/\/hooks\.example is refused\..* add hooks\.example to subscriptions\.allow/,
    ],
    [
      ['--subscriptions-webhooks', 'http://hooks.example/', ...allowed.slice(2)],
      /must be an https URL, or an http URL of localhost or of a private address/,
    ],
    [
      ['--subscriptions-webhooks', 'https://u:p@hooks.example/', ...allowed.slice(2)],
      /must not have a user or password\. Remove them\..* set subscriptions\.webhookSecretFile/,
    ],
    [['--subscriptions-allowed-hosts', 'localhost:99999'], /must be hosts, such as/],
    [caFile, /secret\.txt has no valid certificate in PEM\. .* or remove subscriptions\.caFile/],
    [
      ['--subscriptions-webhooks', 'hooks.example'],
      /must be https URLs, or http URLs of localhost or of private addresses, separated/,
    ],
    [[...allowed, '--directory-enabled', 'false'], /Serve the directory, or remove/],
    [
      [...allowed, '--subscriptions-webhook-secret-file', secretFile],
      /secret\.txt: the secret of webhooks must have 16 to 256 characters/,
    ],
    [
      ['--subscriptions-webhook-secret-file', secretFile],
      /webhookSecretFile is set, but subscriptions\.webhooks is not/,
    ],
  ];
  for (const [words, problem] of cases) {
    const { code, stderr } = await runInProcess(['serve', '--data', data, ...words]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, problem);
    assert.ok(!stderr.includes('a-secret-path'), stderr);
  }
});
