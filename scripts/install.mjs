/**
 * Installs exactly the locked packages, the runtime among them. Runs on whatever Node there is
 * (20 or newer), before anything is installed, hence plain JavaScript without packages.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'node_modules', '.installed');
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .update(`${process.platform} ${process.arch}`)
  .digest('hex');

function install() {
  console.log('Installing the locked packages (once; about 30 seconds) …');
  const npm = process.env.npm_execpath;
  const words = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const result = npm
    ? spawnSync(process.execPath, [npm, ...words], { cwd: root, encoding: 'utf8' })
    : spawnSync('npm', words, { cwd: root, encoding: 'utf8' });
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`;
  if (result.status !== 0) fail(output);
  writeFileSync(stamp, wanted);
}

function fail(output) {
  const reason = REASONS.find(([pattern]) => pattern.test(output))?.[1];
  if (reason === undefined) console.error(output.trim());
  console.error(`The packages could not be installed: ${reason ?? 'npm says why above.'}`);
  process.exit(1);
}

const REASONS = [
  [/ENOSPC/, 'the disk is full. Make room (about 500 MB) and run the command again.'],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i,
    'the npm registry cannot be reached. Check the network or the proxy and run the command again.',
  ],
  [/EACCES|EPERM/, 'npm may not write here. Check who owns the folder and run the command again.'],
  [/EINTEGRITY/, 'a package is not the one that is locked. Empty the npm cache and try again.'],
];

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) install();
