/**
 * Installs exactly the locked packages, the runtime among them, and runs a script on it:
 * `node scripts/with-runtime.mjs SCRIPT …`. Runs on whatever Node there is (20 or newer), before
 * anything is installed. So this is plain JavaScript without packages.
 */
import { spawn, spawnSync } from 'node:child_process';
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

/** Uses the installed runtime, or this one if npm has no runtime for the platform. */
function run(words) {
  const runtime = join(root, 'node_modules', '.bin', 'node');
  const node = existsSync(runtime) ? runtime : process.execPath;
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isOld = major < 24 || (major === 24 && minor < 21);
  if (node === process.execPath && isOld) {
    console.error(
      `There is no packaged Node for ${process.platform} ${process.arch}, and this one is ` +
        `${process.version}. Install Node 24.21 or newer and run the command again.`,
    );
    process.exit(1);
  }
  const child = spawn(node, words, { cwd: root, stdio: 'inherit' });
  // Ctrl+C in a terminal reaches the script by itself.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
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
run(process.argv.slice(2));
