/** What makes the artefacts of a release the same everywhere, and what refuses to make them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { list } from 'tar';
import { writeArchive } from '../../scripts/artifacts/archive.ts';
import { writeChecksums } from '../../scripts/artifacts/checksums.ts';
import { whyNoImage } from '../../scripts/artifacts/image.ts';
import { whyNoRelease } from '../../scripts/artifacts/release-commit.ts';
import { requireIntegrity } from '../../scripts/artifacts/runtimes.ts';
import type { Component } from '../../scripts/shipped/bill-of-materials.ts';
import { licencesSection } from '../../scripts/shipped/licences.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const TIME = new Date('2026-11-28T12:00:00Z');

interface Made {
  readonly names: readonly string[];
  readonly mode: number;
  readonly time: Date;
  readonly content?: string;
}

/** A folder whose files are made in an order. */
function folderOf(context: TestContext, { names, mode, time, content = 'same' }: Made): string {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, 'bin'), { mode: mode | 0o100 });
  for (const name of names) {
    const path = join(folder, name);
    writeFileSync(path, `${name} ${content}`, { mode });
    utimesSync(path, time, time);
  }
  chmodSync(join(folder, 'bin/run'), mode | 0o100);
  symlinkSync('run', join(folder, 'bin/link'));
  return folder;
}

describe('an archive', () => {
  const early: Made = { names: ['bin/run', 'b', 'a'], mode: 0o600, time: new Date(0) };
  const late: Made = { names: ['a', 'b', 'bin/run'], mode: 0o664, time: new Date() };
  const bytesOf = async (context: TestContext, made: Made, name = 'x.tar.gz') => {
    const path = join(temporaryFolder(context), name);
    await writeArchive(path, { folder: folderOf(context, made), prefix: 'top', time: TIME });
    return readFileSync(path);
  };

  it('depends on no time, order or umask', async (context) => {
    for (const name of ['x.tar', 'x.tar.gz']) {
      assert.deepEqual(await bytesOf(context, early, name), await bytesOf(context, late, name));
    }
  });

  it('depends on the content', async (context) => {
    const other = { ...late, content: 'other' };
    assert.notDeepEqual(await bytesOf(context, late), await bytesOf(context, other));
  });

  it('has all files in the order of their names, for all users', async (context) => {
    const path = join(temporaryFolder(context), 'x.tar.gz');
    await writeArchive(path, { folder: folderOf(context, early), prefix: 'top', time: TIME });
    const entries: string[] = [];
    await list({
      file: path,
      onReadEntry: ({ path, mode, mtime, type }) => {
        const time = type === 'File' ? mtime?.toISOString() : '';
        entries.push(`${path} ${type} ${mode?.toString(8)} ${time}`.trim());
      },
    });
    assert.deepEqual(entries, [
      'top/a File 644 2026-11-28T12:00:00.000Z',
      'top/b File 644 2026-11-28T12:00:00.000Z',
      'top/bin/ Directory 755',
      'top/bin/link SymbolicLink 755',
      'top/bin/run File 755 2026-11-28T12:00:00.000Z',
    ]);
  });
});

it('the checksums are what sha256sum expects', async (context) => {
  const folder = temporaryFolder(context);
  for (const name of ['b', 'a']) writeFileSync(join(folder, name), '');
  await writeChecksums(folder);
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
  assert.equal(sums, `${empty}  a\n${empty}  b\n`);
});

it('a Node with another hash than in the lockfile is refused', async (context) => {
  const path = join(temporaryFolder(context), 'node.tgz');
  writeFileSync(path, '');
  const hash =
    'z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==';
  await requireIntegrity(path, 'node@1', new Map([['node@1', `sha512-${hash}`]]));
  for (const locked of [new Map(), new Map([['node@1', 'sha512-other']])]) {
    await assert.rejects(requireIntegrity(path, 'node@1', locked), /node@1 is not the package/);
  }
});

it('only a tag of the version is released, or any commit that is asked for', (context) => {
  const root = temporaryFolder(context);
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root });
  git('init', '--quiet');
  writeFileSync(join(root, 'package.json'), '{"version": "7.0.0"}');
  assert.match(whyNoRelease(root, true) ?? '', /^There are changes \(\?\? package\.json\)/);
  git('add', '.');
  const identity = ['-c', 'user.name=Nobody', '-c', 'user.email=nobody@example.org'];
  git(...identity, 'commit', '--quiet', '--message', 'One');
  assert.equal(whyNoRelease(root, true), undefined);
  assert.match(whyNoRelease(root, false) ?? '', /no tag v7\.0\.0/);
  git('tag', 'v6.0.0');
  assert.match(whyNoRelease(root, false) ?? '', /no tag v7\.0\.0/);
  git('tag', 'v7.0.0');
  assert.equal(whyNoRelease(root, false), undefined);
});

it('an image is built only from bases with digests', () => {
  const digest = `@sha256:${'ab'.repeat(32)}`;
  const reason = /without digests, which "npm run pin-images" writes/;
  assert.match(whyNoImage(`FROM node:24${digest} AS build\nFROM debian:trixie\n`) ?? '', reason);
  const pinned = whyNoImage(`FROM node:24${digest} AS build\nFROM debian:trixie${digest}\n`);
  assert.doesNotMatch(pinned ?? '', reason);
});

describe('the licences', () => {
  const component: Component = {
    type: 'library',
    name: 'one',
    version: '1.0.0',
    'bom-ref': 'one@1.0.0',
    purl: 'pkg:npm/one@1.0.0',
    licenses: [{ license: { id: 'MIT' } }],
  };

  it('have the section of the README where a package has no other text', (context) => {
    const folder = temporaryFolder(context);
    writeFileSync(join(folder, 'Readme.md'), '# One\n\nText.\n\n## License\n\nThe terms.\n');
    const section = licencesSection(component, folder);
    assert.match(
      section,
      /^one 1\.0\.0\nMIT\n=+\n\n--- README\.md\n\n## License\n\nThe terms\.\n$/m,
    );
  });

  it('lack no text', (context) => {
    const folder = temporaryFolder(context);
    assert.throws(() => licencesSection(component, folder), /one@1\.0\.0 has no text/);
  });
});
