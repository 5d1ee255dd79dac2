/** The settings of webhooks are checked before a server starts. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { webhooksOf } from '../../src/cli/serve/deliveries/serve-webhooks.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

const URL_OF_RECEIVER = 'https://hooks.example/a-secret-path';

it('a server refuses webhooks that it could not send, and names the remedy', async (context) => {
  const data = temporaryFolder(context);
  const secretFile = join(data, 'secret.txt');
  writeFileSync(secretFile, 'short\n');
  const caFile = ['--subscriptions-ca-file', secretFile];
  const urlsFile = join(data, 'urls.txt');
  const insecureFile = join(data, 'insecure.txt');
  writeFileSync(urlsFile, `# Ours\n${URL_OF_RECEIVER}\n\n`);
  writeFileSync(insecureFile, `# Ours\n${URL_OF_RECEIVER}\nhooks.example/a-secret-path\n`);
  const webhooks = ['--subscriptions-webhooks', URL_OF_RECEIVER];
  const allowed = [...webhooks, '--subscriptions-allowed-hosts', 'hooks.example'];
  const cases: readonly [words: readonly string[], problem: RegExp][] = [
    [
      webhooks,
      /https:\/\/hooks\.example is refused\..* add hooks\.example:443 to subscriptions\.allow/,
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
      /webhookSecretFile is set, but neither subscriptions\.webhooks nor .*webhooksFile is\./,
    ],
    [['--subscriptions-webhooks-file', urlsFile], /https:\/\/hooks\.example is refused\./],
    [
      [
        '--subscriptions-webhooks-file',
        urlsFile,
        '--subscriptions-webhook-secret-file',
        secretFile,
      ],
      /https:\/\/hooks\.example is refused\./,
    ],
    [
      ['--subscriptions-webhooks-file', insecureFile],
      /line 3 of \S+insecure\.txt must be an https URL/,
    ],
    [
      ['--subscriptions-webhooks', 'ftp://u:a-secret-path@hooks.example'],
      /must be https URLs, or http URLs of localhost .*, separated by commas\.$/m,
    ],
    [['--base-url', 'https://u:a-secret-path@a.example'], /Got "https:\/\/\*\*\*@a\.example"/],
  ];
  for (const [words, problem] of cases) {
    const { code, stderr } = await runInProcess(['serve', '--data', data, ...words]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, problem);
    assert.ok(!stderr.includes('a-secret-path'), stderr);
  }
});

it('the effective settings show only the origins of webhooks', async (context) => {
  const words = ['serve', '--data', temporaryFolder(context), '--print-config'];
  const { stdout } = await runInProcess([...words, '--subscriptions-webhooks', URL_OF_RECEIVER]);
  assert.match(stdout, /subscriptions\.webhooks .*"https:\/\/hooks\.example"/);
  assert.ok(!stdout.includes('a-secret-path'));
});

it('webhooks of the setting and of the file get the same notifications', (context) => {
  const file = join(temporaryFolder(context), 'urls.txt');
  const other = 'https://hooks.example/another';
  writeFileSync(file, `\n ${URL_OF_RECEIVER} \r\n${other}\n`);
  const flags = {
    'subscriptions.webhooks': other,
    'subscriptions.webhooksFile': file,
    'subscriptions.allowedHosts': 'hooks.example:443',
  };
  const { urls } = webhooksOf(loadConfig({ flags, environment: {} }));
  assert.deepEqual(urls, [other, URL_OF_RECEIVER]);
});

it('a message about an address shows no user and no password', async () => {
  for (const address of ['http://u:a-secret@', 'ftp://u:a-secret@a.example/STU3']) {
    for (const words of [
      ['sync', address],
      ['fetch', '--from', address],
    ]) {
      const { code, stderr } = await runInProcess(words);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /is not an address|Unknown value "(?:http|ftp):/);
      assert.ok(!stderr.includes('a-secret'), stderr);
    }
  }
});
