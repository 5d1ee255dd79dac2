/** The style sheet is what its sources make, and asks nothing of other machines. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { buildStyles, STYLES } from '../../scripts/build-assets.ts';
import { openAssets } from '../../src/web/parts/assets.ts';
import { logoProblem } from '../../src/web/parts/logo.ts';
import { temporaryFolder } from '../temporary-folder.ts';

describe('the style sheet', () => {
  const styles = readFileSync(STYLES, 'utf8');

  it('is as a fresh build makes it (npm run generate)', () => {
    assert.ok(buildStyles() === styles);
  });

  it('has no font and no image from elsewhere', () => {
    assert.doesNotMatch(styles, /@font-face|frutiger|@import/i);
    for (const [, url = ''] of styles.matchAll(/url\(["']?([^"')]{0,20})/g)) {
      assert.match(url, /^data:image\/svg/);
    }
  });
});

describe('assets', () => {
  const assets = openAssets(undefined);

  it('have names with a hash, by which they are found', () => {
    const path = assets.pathOf('styles');
    assert.match(path, /^\/assets\/styles\.[0-9a-f]{16}\.css$/);
    assert.equal(
      assets.find(path.slice('/assets/'.length))?.contentType,
      'text/css; charset=utf-8',
    );
    assert.equal(assets.find('styles.css'), undefined);
    assert.equal(assets.find('__proto__'), undefined);
  });

  it('are compressed once, without loss', async () => {
    const asset = assets.find(assets.pathOf('pages').slice('/assets/'.length));
    const compressed = await asset?.compressed('br');
    assert.ok(asset !== undefined && compressed !== undefined);
    assert.deepEqual(brotliDecompressSync(compressed), asset.bytes);
    assert.equal(asset.compressed('br'), asset.compressed('br'));
  });

  it('have the logo among them', (context) => {
    const folder = temporaryFolder(context);
    const logo = join(folder, 'Logo.SVG');
    writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg"/>');
    assert.equal(logoProblem(logo), undefined);
    const withLogo = openAssets(logo);
    assert.ok(withLogo.hasLogo);
    assert.equal(
      withLogo.find(withLogo.pathOf('logo').slice('/assets/'.length))?.contentType,
      'image/svg+xml',
    );
    assert.match(logoProblem('package.json') ?? '', /SVG, PNG or WebP/);
    assert.match(logoProblem(join(folder, 'none.png')) ?? '', /cannot be read/);
    const large = join(folder, 'large.png');
    writeFileSync(large, Buffer.alloc(100_000));
    assert.match(logoProblem(large) ?? '', /at most 65536 bytes/);
  });
});
