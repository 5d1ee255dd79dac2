/**
 * Machines that have files of their own: each sees the files of this system, and keeps its changes
 * to itself. Programs that such a machine cannot run are replaced by scripts that do the same.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Owner } from '../owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';
import { createNetwork, type Machine } from './machines.ts';

export interface Host {
  readonly machine: Machine;
  /** Its `/`. */
  readonly root: string;
  /** Runs a script to its end. The output has that of both streams. */
  run(script: string): Promise<{ readonly code: number | null; readonly output: string }>;
  /** What its programs wrote that run in the background. */
  logs(): string;
}

/** `names`: with the last part of the address of each. */
export function createHosts(
  owner: Owner,
  subnet: string,
  names: ReadonlyMap<string, number>,
): ReadonlyMap<string, Host> {
  const folder = temporaryFolder(owner);
  // Files of an overlay cannot be on an overlay, as the disk of a container is.
  mount(owner, folder, '-t', 'tmpfs', 'none');
  const network = createNetwork(owner, 'gzm', subnet);
  const roots = new Map<string, string>();
  for (const name of names.keys()) roots.set(name, createRoot(owner, folder, name));
  for (const [name, root] of roots) {
    for (const [other, otherRoot] of roots) {
      if (other !== name) mount(owner, join(root, 'machines', other), '--bind', otherRoot);
    }
  }
  const hosts = new Map<string, Host>();
  for (const [name, number] of names) {
    const machine = network.addMachine(number);
    const root = roots.get(name) ?? '';
    const logFile = join(folder, `${name}.log`);
    hosts.set(name, {
      machine,
      root,
      run: async (script) => {
        writeFileSync(logFile, '');
        const started = machine.start({
          command: 'unshare',
          args: ['--uts', '--ipc', 'bash', '-c', ENTER, name, root, script],
          logFile,
        });
        const [code] = await once(started, 'exit');
        return { code, output: readFileSync(logFile, 'utf8') };
      },
      logs: () =>
        execFileSync('bash', ['-c', 'tail -n 20 "$0"/var/log/started/* 2>&1 || true', root], {
          encoding: 'utf8',
        }),
    });
  }
  return hosts;
}

/** `$0`: the name of the machine; `$1`: its root; `$2`: the script. */
const ENTER = `hostname "$0"
exec chroot "$1" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin \\
  bash -euo pipefail -c "$2"`;

function createRoot(owner: Owner, folder: string, name: string): string {
  const place = join(folder, name);
  const [upper, work, root] = ['upper', 'work', 'root'].map((part) => join(place, part));
  if (upper === undefined || work === undefined || root === undefined) throw new Error(place);
  for (const part of [upper, work, root]) mkdirSync(part, { recursive: true });
  const layers = `lowerdir=/,upperdir=${upper},workdir=${work}`;
  mount(owner, root, '-t', 'overlay', '-o', layers, 'overlay');
  for (const part of ['/proc', '/dev', '/dev/shm']) {
    mount(owner, join(root, part), '--bind', part);
  }
  mount(owner, join(root, 'opt/gazetteer'), '--bind', ROOT);
  // The packages make these when they are installed, and at each start of the machine.
  const made = [
    'install -d -o postgres -g postgres -m 2775 /run/postgresql',
    'install -d -o etcd -g etcd -m 0755 /var/lib/etcd',
    'install -d -m 0755 /var/log/started /run/haproxy',
    'rm -rf /etc/gazetteer /var/lib/gazetteer /root/cluster /root/authority /etc/default/etcd',
  ];
  execFileSync('chroot', [root, 'bash', '-euc', made.join('\n')]);
  for (const [program, { script }] of Object.entries(REPLACED)) {
    const file = join(root, 'usr/local/sbin', program);
    writeFileSync(file, `#!/bin/bash\nset -eu\n${script}`);
    chmodSync(file, 0o755);
  }
  return root;
}

function mount(owner: Owner, place: string, ...words: readonly string[]): void {
  mkdirSync(place, { recursive: true });
  execFileSync('mount', [...words, place], { stdio: ['ignore', 'ignore', 'inherit'] });
  owner.after(() => {
    execFileSync('umount', ['--lazy', place]);
  });
}

/** The programs that are replaced, and why. */
export const REPLACED: Readonly<Record<string, { readonly why: string; readonly script: string }>> =
  {
    'apt-get': { why: 'the packages are there already', script: 'exit 0\n' },
    pg_dropcluster: {
      why: 'the package has made no database on these machines',
      script: 'exit 0\n',
    },
    scp: {
      why: 'the machines run no SSH server, but they can see the files of each other',
      script: `words=("$@"); to=\${words[-1]}
exec cp "\${words[@]:0:$# - 1}" "/machines/\${to%%:*}\${to#*:}"
`,
    },
    systemctl: {
      why: 'the machines run no systemd; the command line, user and variables are those of the unit',
      script: `action=$1; shift
[[ $action == start || $action == restart ]] || exit 0
for unit in "$@"; do
  [[ $unit == --* ]] && continue
  file=/etc/systemd/system/$unit.service
  [ -e "$file" ] || file=/lib/systemd/system/$unit.service
  of() { sed -n "s/^$1=//p" "$file" | sed "s/%H/$(hostname)/g; s/%p/$unit/g"; }
  set -a
  while read -r line; do eval "export $line"; done < <(of Environment)
  while read -r name; do
    [ ! -e "\${name#-}" ] || source "\${name#-}"
  done < <(of EnvironmentFile)
  set +a
  user=$(of User); user=\${user:-root}
  export HOME=$(getent passwd "$user" | cut -d: -f6)
  state=$(of StateDirectory)
  [ -z "$state" ] || install -d -o "$user" -g "$user" -m 0700 "/var/lib/$state"
  pid=/run/$unit.started
  if [ -e "$pid" ]; then
    kill "$(cat "$pid")" || true
    while kill -0 "$(cat "$pid")" 2> /dev/null; do sleep 0.1; done
  fi
  command=$(of ExecStart | tail -n 1)
  cd /
  eval "setsid setpriv --reuid=$user --regid=$user --init-groups $command" \\
    > "/var/log/started/$unit" 2>&1 < /dev/null &
  echo $! > "$pid"
done
`,
    },
  };
