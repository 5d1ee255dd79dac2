/**
 * Installs exactly the locked packages, the runtime among them, and runs a script on it:
 * `node scripts/with-runtime.mjs SCRIPT …`. Runs on whatever Node there is (20 or newer), before
 * anything is installed. So this is plain JavaScript without packages.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { helpIn, mistakeIn } from './first-options.mjs';
import { installStateOf } from './install-state.mjs';
import { withLock } from './process-lock.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const lock = join(root, '.installing');
const REPORT_MS = 10_000;

/** Another command may have installed the packages while this one waited. */
async function requirePackages(words) {
  const state = installStateOf(root);
  if (state.isInstalled()) return;
  const mistake = mistakeIn(words);
  if (mistake !== undefined) throw new UsageError(mistake);
  const onWait = (id) =>
    console.error(
      `Waiting for process ${id}, which installs the packages. If it does something else, remove ${lock}.`,
    );
  await withLock(lock, onWait, async (addProcess) => {
    if (state.isInstalled()) return;
    console.log('Installing the locked packages (once; about 30 seconds) …');
    state.begin();
    await install(addProcess);
    state.end();
  });
}

/** On a terminal, npm shows its progress and its errors there. Otherwise a line says how long it takes. */
async function install(addProcess) {
  const npm = process.env.npm_execpath;
  const isTerminal = process.stderr.isTTY === true;
  const words = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  if (isTerminal) words.push('--progress=true');
  const options = { cwd: root, stdio: ['ignore', 'pipe', isTerminal ? 'inherit' : 'pipe'] };
  const child = npm
    ? spawn(process.execPath, [npm, ...words], options)
    : spawn('npm', words, options);
  if (child.pid !== undefined) addProcess(child.pid);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const started = Date.now();
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000);
    if (!isTerminal) console.log(`Still installing, for ${seconds} seconds …`);
  }, REPORT_MS);
  try {
    const [code] = await once(child, 'close');
    if (code === 0) return;
  } catch (error) {
    output += error.message;
  } finally {
    clearInterval(timer);
  }
  throw new InstallError(output);
}

class InstallError extends Error {}

class UsageError extends Error {}

const FAILED = 1;
const MISUSED = 2;

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

function report(output) {
  const reason = REASONS.find(([pattern]) => pattern.test(output))?.[1];
  if (reason === undefined && output.trim() !== '') console.error(output.trim());
  console.error(`The packages could not be installed: ${reason ?? 'npm says why above.'}`);
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

try {
  const words = process.argv.slice(2);
  const help = existsSync(words[0]) ? helpIn(words, readFileSync(words[0], 'utf8')) : undefined;
  if (help !== undefined) console.log(help);
  else {
    await requirePackages(words);
    run(words);
  }
} catch (error) {
  if (error instanceof UsageError) console.error(error.message);
  else if (error instanceof InstallError) report(error.message);
  else throw error;
  process.exitCode = error instanceof UsageError ? MISUSED : FAILED;
}
