/** Optional packages: of one version everywhere, and each loaded in one place. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { OPEN_TELEMETRY_PACKAGES } from '../../src/telemetry/span-export.ts';
import { readPage } from './markdown.ts';
import { ROOT, sourceFiles } from './source-files.ts';

const AT_ONCE = /^import (?!type )[^;]*'@opentelemetry/m;
const OPTIONAL = new RegExp(`${AT_ONCE.source}|import\\('@opentel`, 'm');

it('the packages that the program names are those of package.json and of the manual', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  assert.deepEqual(manifest.peerDependencies, OPEN_TELEMETRY_PACKAGES);
  for (const [name, version] of Object.entries(OPEN_TELEMETRY_PACKAGES)) {
    assert.equal(manifest.devDependencies[name], version);
    assert.equal(manifest.peerDependenciesMeta[name].optional, true);
  }
  const words = Object.entries(OPEN_TELEMETRY_PACKAGES).map((each) => each.join('@'));
  const { codeBlocks } = readPage('docs/how-to/send-telemetry.md');
  assert.equal(codeBlocks[0]?.text, `npm install ${words.join(' ')}\n`);
  assert.ok(codeBlocks[1]?.text.includes(`--prefix /telemetry ${words.join(' ')}\n`));
});

it('only one file loads each, when it is called', () => {
  const loading = sourceFiles()
    .filter(({ path }) => path.startsWith('src/'))
    .filter(({ text }) => OPTIONAL.test(text))
    .map(({ path, text }) => [path, AT_ONCE.test(text)]);
  assert.deepEqual(loading, [['src/telemetry/span-export.ts', false]]);
});
