/** The programs of earlier versions, installed from their commits. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { madeOnce } from '../../made-once.ts';
import { ROOT } from '../../tidy/source-files.ts';
import { type OlderProgram, olderProgram } from '../older-program.ts';
import { PAST_VERSIONS, type PastVersion } from './past-versions.ts';

/** Checks the version out into the folder and installs its packages, unless they are there. */
export function install({ commit }: PastVersion, checkout: string): void {
  if (!existsSync(join(checkout, 'package.json'))) {
    mkdirSync(checkout, { recursive: true });
    const options = { cwd: ROOT, maxBuffer: ARCHIVE_BYTES_MAX } as const;
    const archive = execFileSync('git', ['archive', commit], options);
    execFileSync('tar', ['-x', '-C', checkout], { input: archive });
  }
  if (!existsSync(join(checkout, 'node_modules'))) {
    const words = ['ci', '--omit=dev', '--no-audit', '--no-fund'];
    execFileSync('npm', words, { cwd: checkout, stdio: 'pipe' });
  }
}

const ARCHIVE_BYTES_MAX = 1 << 28;

/**
 * The program of a version. Skips the test with the reason where it cannot be installed. The variable
 * TEST_EARLIER names a folder that has it already, such as `../earlier` with `../earlier/0.2.2`.
 */
export async function installedProgram(
  context: TestContext,
  version: string,
): Promise<OlderProgram | undefined> {
  const found = PAST_VERSIONS.find((each) => each.version === version);
  if (found === undefined) throw new RangeError(`${version} is not in PAST_VERSIONS`);
  const earlier = process.env.TEST_EARLIER;
  try {
    const checkout =
      earlier === undefined
        ? await madeOnce(`version-${version}`, (path) => install(found, path))
        : join(earlier, version);
    install(found, checkout);
    return olderProgram(checkout);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    context.skip(`version ${version} cannot be installed: ${reason}`);
    return undefined;
  }
}
