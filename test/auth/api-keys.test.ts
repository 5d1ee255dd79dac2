/** The file of API keys: its form, its problems, and which keys it accepts. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createApiKeyCheck, readKeyHashes } from '../../src/auth/api-keys.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');

function fileOf(t: TestContext, text: string): string {
  const file = join(temporaryFolder(t), 'api-keys');
  writeFileSync(file, text);
  return file;
}

describe('the file of API keys', () => {
  it('has a hash in each line, with a name after it or without', (t) => {
    const file = fileOf(
      t,
      `# clients\n\n${hashOf('one')}  -\r\n${hashOf('two').toUpperCase()}\n${hashOf('three')} Ward 7\n`,
    );
    assert.deepEqual(
      readKeyHashes(file).map((hash) => hash.toString('hex')),
      ['one', 'two', 'three'].map(hashOf),
    );
  });

  for (const [problem, text, message] of [
    ['no hash', '# none\n', /api-keys has no hash of an API key\. Add one line for each key\.$/],
    ['a key in place of a hash', 'secret\n', /api-keys, line 1: begin the line with the SHA-256/],
    ['a hash that is too long', `\n${hashOf('a')}0\n`, /api-keys, line 2: /],
  ] as const) {
    it(`with ${problem} is refused, without its content`, (t) => {
      const file = fileOf(t, text);
      assert.throws(
        () => readKeyHashes(file),
        (error) =>
          error instanceof Error &&
          error.name === 'AuthError' &&
          message.test(error.message) &&
          !error.message.includes('secret'),
      );
    });
  }

  it('that is missing is refused', (t) => {
    const file = fileOf(t, '');
    rmSync(file);
    assert.throws(
      () => readKeyHashes(file),
      /^AuthError: Cannot read .*api-keys: it does not exist\./,
    );
  });
});

describe('the check of an API key', () => {
  it('accepts the keys of the file, and refuses other keys and a missing key', (t) => {
    const file = fileOf(t, `${hashOf('one')}\n${hashOf('two')}\n`);
    const check = createApiKeyCheck(file, { now: () => 0, onProblem: assert.fail });
    check('one');
    check('two');
    for (const key of [undefined, '', 'ONE', 'three', hashOf('one')]) {
      assert.throws(() => check(key), { name: 'FhirError', message: /API key/ }, key);
    }
  });

  it('reads the file again when it has changed, and keeps the keys if it cannot', (t) => {
    const file = fileOf(t, hashOf('one'));
    let time = 0;
    const problems: string[] = [];
    const check = createApiKeyCheck(file, {
      now: () => time,
      onProblem: (problem) => problems.push(problem),
    });
    writeFileSync(file, `${hashOf('another')}\n`);
    check('one');
    time = 1000;
    assert.throws(() => check('one'));
    check('another');
    writeFileSync(file, 'broken');
    time = 2000;
    check('another');
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /line 1: .* The server keeps the keys that it has\.$/);
  });
});
