/** The commit that artefacts are made from. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Why the checkout in a folder is no release: it has changes, or its commit has no tag of its version.
 * `isAnyCommit` allows a commit without a tag.
 */
export function whyNoRelease(root: string, isAnyCommit: boolean): string | undefined {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' });
  const [changed] = git('status', '--porcelain')
    .split('\n')
    .filter((line) => line !== '');
  if (changed !== undefined) return `There are changes (${changed.trim()}). Commit them first.`;
  if (isAnyCommit) return undefined;
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const tags = git('tag', '--points-at', 'HEAD').split('\n');
  if (tags.includes(`v${version}`)) return undefined;
  return `The commit has no tag v${version}. Check that tag out, or add --commit to use this commit.`;
}
