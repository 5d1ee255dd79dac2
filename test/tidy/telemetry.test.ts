/** Optional packages: of one version everywhere, and each loaded in one place. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { MCP_PACKAGE } from '../../src/cli/mcp/mcp.ts';
import { OPEN_TELEMETRY_PACKAGES } from '../../src/telemetry/span-export.ts';
import { readPage } from './markdown.ts';
import { ROOT, sourceFiles } from './source-files.ts';

const AT_ONCE = /^import (?!type )[^;]*'@(?:opentelemetry|modelcontextprotocol)/m;
const OPTIONAL = new RegExp(`${AT_ONCE.source}|import\\('@(?:opentel|modelcontext)`, 'm');

it('the packages that the program names are those of package.json and of the manual', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const optional = { ...OPEN_TELEMETRY_PACKAGES, [MCP_PACKAGE[0]]: MCP_PACKAGE[1] };
  assert.deepEqual(manifest.peerDependencies, optional);
  for (const [name, version] of Object.entries(optional)) {
    assert.equal(manifest.devDependencies[name], version);
    assert.equal(manifest.peerDependenciesMeta[name].optional, true);
  }
  const words = Object.entries(OPEN_TELEMETRY_PACKAGES).map((each) => each.join('@'));
  const { codeBlocks } = readPage('docs/how-to/send-telemetry.md');
  assert.equal(codeBlocks[0]?.text, `npm install ${words.join(' ')}\n`);
  assert.ok(codeBlocks[1]?.text.includes(`--prefix /telemetry ${words.join(' ')}\n`));
  const [install] = readPage('docs/how-to/connect-an-assistant.md').codeBlocks;
  assert.equal(install?.text, `npm install ${MCP_PACKAGE.join('@')}\n`);
});

it('only one file loads each, when it is called', () => {
  const loading = sourceFiles()
    .filter(({ path }) => path.startsWith('src/'))
    .filter(({ text }) => OPTIONAL.test(text))
    .map(({ path, text }) => [path, AT_ONCE.test(text)]);
  assert.deepEqual(loading, [
    ['src/cli/mcp/mcp.ts', false],
    ['src/telemetry/span-export.ts', false],
  ]);
});
