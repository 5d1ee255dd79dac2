/**
 * A machine that systemd-nspawn boots: Debian with systemd, Node, npm and a checkout. It has only
 * a loopback interface.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { addNode, addPackages, runInRoot, unpackDebian, whyNoDebian } from '../debian.ts';
import { until } from '../faults/until.ts';
import { type Machine, machineAt } from '../machine.ts';
import type { Owner } from '../owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { projectFiles, ROOT } from '../tidy/source-files.ts';

const CHECKOUT = '/opt/gazetteer';
const PACKAGES = ['curl', 'dbus', 'procps', 'sudo', 'systemd-sysv'];

/** Why no machine can be made here. */
export function whyNoMachine(): string | undefined {
  return whyNoDebian(['systemd-nspawn', 'nsenter', 'npm', 'pgrep']);
}

/** Returns why it cannot boot. `install` downloads packages, so it runs before the start. */
export async function bootMachine(owner: Owner, install: string): Promise<Machine | string> {
  const unusable = whyNoMachine();
  if (unusable !== undefined) return unusable;
  const root = join(temporaryFolder(owner), 'machine');
  unpackDebian(root);
  const unreachable = addPackages(root, PACKAGES);
  if (unreachable !== undefined) return unreachable;
  addNode(root);
  for (const path of projectFiles()) {
    cpSync(join(ROOT, path), join(root, CHECKOUT, path), { recursive: true });
  }
  const installed = runInRoot(root, `cd ${CHECKOUT}; ${install}`);
  if (installed.status !== 0) throw new Error(installed.output);
  return await boot(owner, root);
}

async function boot(owner: Owner, root: string): Promise<Machine | string> {
  const words = ['--boot', '--private-network', '--register=no', '--keep-unit'];
  const nspawn = spawn('systemd-nspawn', [...words, `--directory=${root}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = Promise.all([text(nspawn.stdout), text(nspawn.stderr)]);
  const closed = once(nspawn, 'close');
  owner.after(async () => {
    const init = childOf(nspawn);
    if (init !== undefined) process.kill(init, 'SIGKILL');
    nspawn.kill();
    await closed;
  });
  let machine: Machine | undefined;
  await until('systemd runs', async () => {
    const init = childOf(nspawn);
    if (init === undefined) return hasEnded(nspawn);
    machine = machineOf(init);
    const { stdout } = await machine.run('systemctl is-system-running');
    return /^(running|degraded)/.test(stdout);
  });
  if (machine !== undefined && !hasEnded(nspawn)) return machine;
  return `systemd-nspawn cannot boot a machine: ${(await output).join(' ').trim()}`;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function childOf({ pid }: ChildProcess): number | undefined {
  const words = ['--newest', '--parent', String(pid)];
  const { stdout } = spawnSync('pgrep', words, { encoding: 'utf8' });
  return /^\d/.test(stdout) ? Number(stdout) : undefined;
}

function machineOf(init: number): Machine {
  return machineAt({
    process: init,
    namespaces: () => ['mount', 'uts', 'ipc', 'net', 'pid', 'cgroup'],
    folder: CHECKOUT,
    path: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  });
}
