/**
 * A machine with `docker` for the commands of the manual. Here `docker` is Podman, which has the
 * same commands and needs no daemon. Its containers have a network of their own.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addNode, DEBIAN_ARCHIVE, mustRun, npmCache, whyNoDebian } from '../debian.ts';
import { copyProject } from '../documents/terminal.ts';
import { SAMPLE } from '../journeys/program.ts';
import { type Machine, machineAt } from '../machine.ts';
import type { Owner } from '../owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Why there can be none here. */
export function whyNoDocker(): string | undefined {
  return whyNoDebian(['podman', 'crun', 'conmon', 'iptables', 'ip', 'nsenter', 'curl', 'npm']);
}

/** Its commands run in a checkout with a release file. Returns why no container runs here. */
export async function openDockerMachine(owner: Owner): Promise<Machine | string> {
  const unusable = whyNoDocker();
  if (unusable !== undefined) return unusable;
  const folder = temporaryFolder(owner);
  const checkout = join(folder, 'gazetteer');
  copyProject(checkout);
  cpSync(SAMPLE, join(checkout, 'RELEASE.zip'));
  const holder = await startNamespaces(owner);
  const machine = machineAt({
    process: holder.pid ?? 0,
    // The containers cannot reach other machines, but a build downloads packages.
    namespaces: (command) => (command.startsWith('docker build') ? ['mount'] : ['mount', 'net']),
    folder: checkout,
    path: `${writeDocker(folder)}:${process.env.PATH}`,
  });
  owner.after(async () => {
    await machine.run('docker rm --all --force --time 0 --volumes');
    await machine.run('docker rmi --all --force');
    holder.kill('SIGKILL');
  });
  const base = await importBaseImages(machine, folder, checkout);
  const probe = await machine.run(`docker run --rm --network none ${base} true`);
  return probe.code === 0 ? machine : `no container can run: ${probe.stderr.trim()}`;
}

/** Namespaces live as long as the process that this returns. */
async function startNamespaces(owner: Owner): Promise<ChildProcess> {
  const holder = spawn('unshare', ['--mount', '--net', 'sh', '-euc', NAMESPACES], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  owner.after(() => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  return holder;
}

/** crun can use control groups of one version only. Version 1 has the limits of memory. */
const NAMESPACES = `ip link set lo up
if [ -d /sys/fs/cgroup/unified ]; then umount /sys/fs/cgroup/unified; fi
echo ready
exec sleep infinity`;

/** Writes the program `docker`, and returns its folder. */
function writeDocker(folder: string): string {
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  const places = ['root', 'runroot', 'tmpdir'].map((name) => `--${name}=${folder}/podman/${name}`);
  const settings = join(folder, 'containers.conf');
  writeFileSync(settings, CONTAINERS_CONF);
  // In a container, the kernel may refuse overlays. Copies of whole folders are slow, but work.
  const overlay = [...places, '--storage-driver=overlay'];
  const env = { ...process.env, CONTAINERS_CONF: settings };
  const hasOverlay = spawnSync('podman', [...overlay, 'info'], { env }).status === 0;
  const storage = hasOverlay ? overlay : [...places, '--storage-driver=vfs'];
  const script = `#!/bin/sh
export CONTAINERS_CONF=${settings}
if [ "$1" = build ]; then
  shift
  set -- build --isolation=chroot --format=docker --layers=false --network=host --pull=never \\
    --volume=${npmCache()}:/root/.npm "$@"
fi
exec podman ${storage.join(' ')} "$@"
`;
  writeFileSync(join(programs, 'docker'), script, { mode: 0o755 });
  return programs;
}

/** Without systemd, and with limits that this process may set. */
const CONTAINERS_CONF = `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
log_driver = "k8s-file"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
`;

/**
 * Gives Debian, with and without Node, the names that the Dockerfile uses. Returns the name of the
 * one without. Their digests are other ones.
 */
async function importBaseImages(
  machine: Machine,
  folder: string,
  checkout: string,
): Promise<string> {
  const path = join(checkout, 'deploy/Dockerfile');
  const dockerfile = readFileSync(path, 'utf8').replace(/^(FROM \S+)@sha256:\w+/gm, '$1');
  writeFileSync(path, dockerfile);
  const withNode = join(folder, 'with-node.tar');
  cpSync(DEBIAN_ARCHIVE, withNode);
  const node = join(folder, 'node');
  addNode(node);
  // Not their folders: Podman refuses an archive that has a path twice.
  const paths = ['bin/node', 'bin/npm', 'lib/node_modules'].map((path) => `./usr/local/${path}`);
  mustRun('tar', ['--append', '--file', withNode, '--directory', node, ...paths]);
  let base = '';
  for (const [, name = ''] of dockerfile.matchAll(/^FROM (\S+)/gm)) {
    const hasNode = /\bnode:/.test(name);
    if (!hasNode) base = name;
    await machine.mustRun(`docker import ${hasNode ? withNode : DEBIAN_ARCHIVE} ${name}`);
  }
  return base;
}
