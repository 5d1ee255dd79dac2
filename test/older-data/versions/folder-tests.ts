/** The data folder of an earlier version: opened, verified, served, written and rolled back. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { headOf, unpackFiles } from '../unpack.ts';
import type { VersionContent } from './content.ts';
import { fixtureOf, type PastVersion } from './past-versions.ts';
import { requireUsable, requireVerified, run, type Upgraded } from './upgraded.ts';

function unpacked(context: TestContext, version: PastVersion): Upgraded {
  const { path, data, expected } = unpackFiles<VersionContent>(
    context,
    fixtureOf(version, 'folder'),
  );
  return { path, data, words: ['--data', data], content: expected };
}

/** The tests of a version. */
export function describeFolder(version: PastVersion): void {
  describe(`a data folder of version ${version.version}`, () => {
    it('is verified as it is', async (context) => {
      const { words, content } = unpacked(context, version);
      const head = headOf(content.verified);
      const verified = await run('verify', ...words, '--head', head);
      assert.equal(withoutHead(verified), withoutHead(content.verified));
    });

    it('is served as before, written and rolled back, and is verified then', async (context) => {
      await requireUsable(context, unpacked(context, version));
    });

    it('has a backup that can be restored', async (context) => {
      const upgraded = unpacked(context, version);
      const data = join(upgraded.path, 'restored');
      await run('restore', join(upgraded.path, 'backup'), '--data', data);
      await requireVerified({ ...upgraded, data, words: ['--data', data] });
    });
  });
}

/** The backup of the fixture, which came later, has an entry in the audit log. */
function withoutHead(verified: string): string {
  return verified.replace(/^audit head .*$/m, '');
}
