/** Fetches of the latest release as operators run them: the key, the report, mistakes. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runInProcess } from '../cli/run-in-process.ts';
import { startNational } from '../sources/top-up/national-server.ts';
import { KEY, publishedRelease, startTrud } from '../sources/trud/trud-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { gazetteer } from './program.ts';

describe('gazetteer fetch', () => {
  it('imports the latest release once, with a key from a file', async (context) => {
    const trud = await startTrud(context, await publishedRelease());
    const folder = temporaryFolder(context);
    const keyFile = join(folder, 'trud.key');
    const report = join(folder, 'report.json');
    writeFileSync(keyFile, `${KEY}\n`);
    const words = [
      '--trud-url',
      trud.url,
      '--trud-key-file',
      keyFile,
      '--data',
      join(folder, 'data'),
    ];
    const first = await gazetteer(['fetch', ...words, '--report', report]);
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /^Edition 1, published 2026-09-25, is now current: \d+ added,/m);
    assert.match(
      first.stderr,
      /^Downloading hscorgrefdataxml_data_9\.0\.0_20260925000001\.zip …$/m,
    );
    const [{ source, outcome, edition }] = JSON.parse(readFileSync(report, 'utf8')).sources;
    assert.deepEqual([source, outcome, edition.number], ['trud', 'published', 1]);
    assert.equal(edition.source, trud.release.name);
    const second = await gazetteer(['fetch', ...words]);
    assert.equal(second.code, 0, second.stderr);
    assert.equal(second.stdout, 'Nothing new from trud. Edition 1 stays current.\n');
    assert.deepEqual(trud.requests, ['list', 'download', 'list']);
    for (const { stdout, stderr } of [first, second]) {
      assert.ok(!(stdout + stderr).includes(KEY));
      assert.ok(!(stdout + stderr).includes('/download/'));
    }
  });

  it('does not fetch a release that was imported by hand', async (context) => {
    const trud = await startTrud(context, await publishedRelease());
    const folder = temporaryFolder(context);
    const file = join(folder, trud.release.name);
    const data = ['--data', join(folder, 'data')];
    writeFileSync(file, trud.release.bytes);
    assert.equal((await runInProcess(['import', file, ...data])).code, 0);
    const environment = { GAZETTEER_TRUD_KEY: KEY, GAZETTEER_TRUD_URL: trud.url };
    const fetched = await runInProcess(['fetch', ...data], environment);
    assert.equal(fetched.stdout, 'Nothing new from trud. Edition 1 stays current.\n');
    const again = await runInProcess(['fetch', '--again', ...data], environment);
    assert.equal(again.code, 0, again.stderr);
    assert.deepEqual(trud.requests, ['list', 'list', 'download']);
  });

  it('names the changes that were left out, also if nothing is new', async (context) => {
    const folder = temporaryFolder(context);
    const { release } = await startTrud(context, await publishedRelease());
    const file = join(folder, release.name);
    const data = ['--data', join(folder, 'data')];
    writeFileSync(file, release.bytes);
    assert.equal((await runInProcess(['import', file, ...data])).code, 0);
    const national = await startNational(context);
    national.answer = ({ url = '' }, response) => {
      const OrgLink = `${national.ord}/organisations/NEW1`;
      const withoutRole = { Name: 'NEW', OrgId: { extension: 'NEW1' } };
      const isList = url.includes('/sync');
      response.end(
        JSON.stringify(isList ? { Organisations: [{ OrgLink }] } : { Organisation: withoutRole }),
      );
      return true;
    };
    const words = ['fetch', '--from', 'ord', '--ord-url', national.ord, ...data];
    const { code, stdout, stderr } = await runInProcess(words);
    assert.equal(code, 0, stderr);
    assert.equal(
      stdout,
      'Left out:\n  no role: 1 (NEW1)\nNothing new from ord. Edition 1 stays current.\n',
    );
  });

  it('fails in one line, and the directory stays', async (context) => {
    const trud = await startTrud(context, await publishedRelease());
    const data = ['--data', join(temporaryFolder(context), 'data')];
    const environment = { GAZETTEER_TRUD_KEY: 'not-the-right-key', GAZETTEER_TRUD_URL: trud.url };
    const { code, stdout, stderr } = await runInProcess(['fetch', '--quiet', ...data], environment);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      /^gazetteer: TRUD .* answers 400 .*\. Check the key of --trud-key-file.*\.$/m,
    );
    assert.ok(!stderr.includes('not-the-right-key'));
  });

  for (const [name, words, environment, code, message] of [
    [
      'there is no key',
      [],
      {},
      1,
      /^gazetteer: TRUD needs the key of an account\. .*TRUD_KEY\.\n$/,
    ],
    [
      'the file has no key',
      ['--trud-key-file', 'README.md'],
      {},
      1,
      /^gazetteer: README\.md does not contain a TRUD key\. Put the key alone on its first line\.\n$/,
    ],
    [
      'the key is not valid',
      [],
      { GAZETTEER_TRUD_KEY: 'no key' },
      2,
      /^gazetteer: GAZETTEER_TRUD_KEY must be the key of a TRUD account: [^"]*\n$/,
    ],
    [
      'the key would not be encrypted',
      ['--trud-url', 'http://trud.example/trud'],
      { GAZETTEER_TRUD_KEY: KEY },
      1,
      /^gazetteer: trud\.url must be an https address, because the key would not be encrypted\./,
    ],
    [
      'the source is unknown',
      ['--from', 'truth'],
      {},
      2,
      /^gazetteer: Unknown value "truth" of --from\. .* are trud, r4, ord\. It can also be the FHIR base/,
    ],
    [
      'the key is a flag, which other users could see',
      ['--trud-key', KEY],
      {},
      2,
      /Unknown option "--trud-key"/,
    ],
  ] as const) {
    it(`says so if ${name}`, async (context) => {
      const data = ['--data', join(temporaryFolder(context), 'data')];
      const ended = await runInProcess(['fetch', ...words, ...data], environment);
      assert.equal(ended.code, code, ended.stderr);
      assert.match(ended.stderr, message);
    });
  }

  it('never shows the key among the settings', async () => {
    const { stdout } = await runInProcess(['serve', '--print-config'], { GAZETTEER_TRUD_KEY: KEY });
    assert.match(stdout, /^trud\.key +GAZETTEER_TRUD_KEY +\(not shown\)$/m);
    assert.ok(!stdout.includes(KEY));
  });
});
