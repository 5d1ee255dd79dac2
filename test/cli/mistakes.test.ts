/** Mistakes on the command line: one line says what is wrong, and nothing is made or started. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

const ISSUER = ['--auth-issuer', 'https://issuer.example'];

const CASES: readonly (readonly [words: string[], message: RegExp])[] = [
  [['import', 'none.zip'], /^gazetteer: There is no file "none\.zip": check the path\.\n$/],
  [['import', ''], /^gazetteer: There is no file "": check the path\.\n$/],
  [['import', '.'], /^gazetteer: "\." is a folder: give the release file itself\.\n$/],
  [['restore', 'none.db'], /^gazetteer: \S+none\.db: there is no such file\n$/],
  [
    ['serve', '--auth-jwks-file', 'none.json', ...ISSUER],
    /^gazetteer: Cannot read none\.json: [^\n]+\n$/,
  ],
  [
    [
      'serve',
      ...['--auth-introspection-url', 'https://issuer.example/introspect'],
      ...['--auth-introspection-client', 'gazetteer'],
      ...['--auth-introspection-secret-file', 'none.txt'],
    ],
    /^gazetteer: Cannot read none\.txt: [^\n]+\n$/,
  ],
];
for (const [words, message] of CASES) {
  it(`"${words.join(' ')}" makes no data folder`, async (context) => {
    const data = join(temporaryFolder(context), 'data');
    const { code, stdout, stderr } = await runInProcess([...words, '--data', data]);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(stderr, message);
    assert.equal(existsSync(data), false);
  });
}
