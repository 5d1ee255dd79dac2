/** A machine of a test: namespaces in which the commands of the manual run as root. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Ended } from './journeys/program.ts';

export interface Machine {
  run(command: string): Promise<Ended>;
  /** Likewise, and returns what it printed. Throws if it failed. */
  mustRun(command: string): Promise<string>;
}

export interface Place {
  /** A process in the namespaces. */
  readonly process: number;
  readonly namespaces: (command: string) => readonly string[];
  readonly folder: string;
  /** The folders of programs. */
  readonly path: string;
}

export function machineAt(place: Place): Machine {
  const run = async (command: string): Promise<Ended> => {
    const namespaces = place.namespaces(command).map((name) => `--${name}`);
    const shell = ['bash', '-euo', 'pipefail', '-c', `cd ${place.folder}; ${command}`];
    const child = spawn('nsenter', [`--target=${place.process}`, ...namespaces, ...shell], {
      env: { PATH: place.path },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const closed = once(child, 'close');
    const written = [text(child.stdout), text(child.stderr)] as const;
    const [stdout, stderr, [code]] = await Promise.all([...written, closed]);
    return { code, stdout, stderr };
  };
  const mustRun = async (command: string): Promise<string> => {
    const { code, stdout, stderr } = await run(command);
    if (code !== 0) throw new Error(`${command}\n${stdout}${stderr}`);
    return stdout;
  };
  return { run, mustRun };
}
