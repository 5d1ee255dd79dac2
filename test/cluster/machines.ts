/**
 * Machines of a test: network namespaces on a bridge of their own, which nothing outside of this
 * machine can reach. A machine can be cut off, frozen and killed.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Owner } from '../owner.ts';

export interface Machine {
  readonly name: string;
  /** The address on the bridge. */
  readonly address: string;
  /** Starts a program; its output goes to a file. */
  start(program: Program): ChildProcess;
  /** Removes the machine from the network, and brings it back. */
  cutOff(): void;
  reconnect(): void;
  /** Stops every process of the machine where it is, and lets them go on. */
  freeze(): void;
  thaw(): void;
  /** Ends every process of the machine at once, like a power loss. */
  kill(): void;
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** Absent: root. */
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly logFile: string;
}

export interface Network {
  /** `number`: from 1 to 250, unique in the network. */
  addMachine(number: number): Machine;
}

/** `subnet`: the first three parts of the addresses. */
export function createNetwork(owner: Owner, prefix: string, subnet: string): Network {
  const bridge = `${prefix}0`;
  ip('link', 'add', bridge, 'type', 'bridge');
  owner.after(() => ip('link', 'delete', bridge));
  ip('address', 'add', `${subnet}.254/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
  return {
    addMachine: (number) => addMachine(owner, { prefix, bridge, subnet, number }),
  };
}

interface Place {
  readonly prefix: string;
  readonly bridge: string;
  readonly subnet: string;
  readonly number: number;
}

function addMachine(owner: Owner, { prefix, bridge, subnet, number }: Place): Machine {
  const name = `${prefix}${number}`;
  const outside = `${name}v`;
  const address = `${subnet}.${number}`;
  ip('netns', 'add', name);
  owner.after(() => ip('netns', 'delete', name));
  ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  // Otherwise it stays for a moment, and a later test cannot make one with the same name.
  owner.after(() => ip('link', 'delete', outside));
  ip('link', 'set', outside, 'master', bridge, 'up');
  ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0');
  ip('-n', name, 'link', 'set', 'eth0', 'up');
  ip('-n', name, 'link', 'set', 'lo', 'up');
  const children = new Set<ChildProcess>();
  const signal = (kind: NodeJS.Signals) => {
    // A process may start others meanwhile.
    for (let round = 0; round < 3; round++) for (const pid of pidsOf(name)) send(pid, kind);
  };
  const machine: Machine = {
    name,
    address,
    start: ({ command, args, user, logFile }) => {
      const log = openSync(logFile, 'a');
      const asUser =
        user === undefined
          ? []
          : ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
      const words = ['netns', 'exec', name, ...asUser, command, ...args];
      const child = spawn('ip', words, { stdio: ['ignore', log, log] });
      closeSync(log);
      children.add(child);
      child.once('exit', () => children.delete(child));
      return child;
    },
    cutOff: () => ip('link', 'set', outside, 'down'),
    reconnect: () => ip('link', 'set', outside, 'up'),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    kill: () => signal('SIGKILL'),
  };
  owner.after(async () => {
    machine.kill();
    await Promise.all([...children].map((child) => once(child, 'exit')));
  });
  return machine;
}

function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** The processes whose network is that of the namespace. */
function pidsOf(namespace: string): number[] {
  const text = execFileSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' });
  return text.split('\n').filter(Boolean).map(Number);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}
