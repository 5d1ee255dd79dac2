/**
 * Small Debian systems, which debootstrap makes of Debian's packages: the base of an image, or a
 * machine to boot.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, realpathSync, renameSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Owner } from './owner.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { ROOT } from './tidy/source-files.ts';

/** The version of Debian that the image uses. */
const SUITE = 'trixie';
const MIRROR = 'http://deb.debian.org/debian';
/** Node needs `libatomic1`. */
const PACKAGES = 'ca-certificates,libatomic1';

const CACHE = join(ROOT, 'node_modules/.cache/debian');
/** The system. It stays here, because it takes minutes to make it. */
export const DEBIAN_ARCHIVE = join(CACHE, `${SUITE}.tar`);

/** The `slim` images of Debian do not have these files either. */
const LEFT_OUT = [
  'usr/share/doc',
  'usr/share/man',
  'usr/share/locale',
  'var/cache/apt',
  'var/lib/apt',
];

/** Makes the system. Returns why it cannot be made or used, such as a program that is missing. */
export function whyNoDebian(programs: readonly string[]): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs root on Linux';
  for (const program of ['debootstrap', ...programs]) {
    if (run('which', [program]).status !== 0) return `the program ${program} is missing`;
  }
  const namespaces = run('unshare', ['--mount', '--net', 'true']);
  if (namespaces.status !== 0) return `namespaces cannot be made: ${namespaces.output.trim()}`;
  if (existsSync(DEBIAN_ARCHIVE)) return undefined;
  const ends: (() => void | Promise<void>)[] = [];
  try {
    return makeArchive({ after: (end) => void ends.push(end) });
  } finally {
    for (const end of ends) end();
  }
}

function makeArchive(owner: Owner): string | undefined {
  const root = join(temporaryFolder(owner), 'debian');
  const words = ['--variant=minbase', `--include=${PACKAGES}`, SUITE, root, MIRROR];
  const { status, output } = run('debootstrap', words, { PATH: process.env.PATH, ...QUICK });
  if (status !== 0) return reasonOf(output);
  mkdirSync(CACHE, { recursive: true });
  const unfinished = `${DEBIAN_ARCHIVE}.${process.pid}`;
  const without = LEFT_OUT.map((path) => `--exclude=./${path}/*`);
  mustRun('tar', ['--create', '--file', unfinished, '--directory', root, ...without, '.']);
  renameSync(unfinished, DEBIAN_ARCHIVE);
  return undefined;
}

/** Throws if the network is not the reason. */
function reasonOf(output: string): string {
  if (UNREACHABLE.test(output)) return 'the packages of Debian cannot be downloaded';
  throw new Error(output);
}

const UNREACHABLE =
  /Failed getting release file|Couldn't download|Failed to fetch|Temporary failure/;

/** Unpacks the system into the folder `root`. */
export function unpackDebian(root: string): void {
  mkdirSync(root, { recursive: true });
  mustRun('tar', ['--extract', '--file', DEBIAN_ARCHIVE, '--directory', root]);
}

/** Downloads and adds packages of Debian, or returns why it cannot. */
export function addPackages(root: string, packages: readonly string[]): string | undefined {
  cpSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
  const install = 'apt-get install --yes --quiet --no-install-recommends';
  const command = `apt-get update && ${install} ${packages.join(' ')}`;
  const { status, output } = runInRoot(root, command);
  return status === 0 ? undefined : reasonOf(output);
}

/** Adds the Node of the checkout, and the npm of this machine. */
export function addNode(root: string): void {
  const npm = dirname(dirname(realpathSync(mustRun('which', ['npm']).trim())));
  const local = join(root, 'usr/local');
  mkdirSync(join(local, 'bin'), { recursive: true });
  cpSync(process.execPath, join(local, 'bin/node'));
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
}

/** Runs a command of the system, with the network and the npm cache of this machine. */
export function runInRoot(root: string, command: string) {
  const mount = 'mkdir -p "$1/root/.npm"; mount --bind "$0" "$1/root/.npm"';
  const script = `${mount}; exec chroot "$1" sh -euc "$2"`;
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  const words = ['--mount', 'sh', '-euc', script, npmCache(), root, command];
  return run('unshare', words, { PATH: path, HOME: '/root', ...QUICK });
}

export function npmCache(): string {
  return mustRun('npm', ['config', 'get', 'cache']).trim();
}

/** Nobody needs the system after a power loss. */
const QUICK = { DEBIAN_FRONTEND: 'noninteractive', DPKG_FORCE: 'unsafe-io' };

/** Returns what the program prints. Throws if it fails. */
export function mustRun(program: string, words: readonly string[]): string {
  const { status, stdout, output } = run(program, words);
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${output}`);
  return stdout;
}

function run(program: string, words: readonly string[], env = process.env) {
  const options = { encoding: 'utf8', env, cwd: tmpdir(), maxBuffer: Infinity } as const;
  const { status, stdout, stderr } = spawnSync(program, words, options);
  return { status, stdout, output: stdout + stderr };
}
