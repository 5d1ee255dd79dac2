/** What the tests of a cluster need of the system. They run as root, on Linux. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Tools {
  /** The folder of the programs of PostgreSQL. */
  readonly postgresBin: string;
  /** The user that PostgreSQL and Patroni run as: PostgreSQL refuses to run as root. */
  readonly uid: number;
  readonly gid: number;
}

const POSTGRES_VERSIONS = '/usr/lib/postgresql';
const MIN_POSTGRES = 15;

/** The tools, or why they cannot be used here. */
export function clusterTools(): Tools | string {
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  for (const command of ['patroni', 'etcd', 'ip', 'setpriv', 'unshare']) {
    if (spawnSync('which', [command]).status !== 0) {
      return `${command} is missing: apt-get install patroni etcd-server postgresql iproute2`;
    }
  }
  const versions = existsSync(POSTGRES_VERSIONS) ? readdirSync(POSTGRES_VERSIONS).map(Number) : [];
  const newest = Math.max(0, ...versions);
  if (newest < MIN_POSTGRES) {
    return `PostgreSQL ${MIN_POSTGRES} or newer is missing: apt-get install postgresql`;
  }
  const [, uid, gid] =
    /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  if (uid === undefined) return 'the user postgres is missing';
  const reason = whyNoNamespaces();
  if (reason !== undefined) return reason;
  return {
    postgresBin: join(POSTGRES_VERSIONS, String(newest), 'bin'),
    uid: Number(uid),
    gid: Number(gid),
  };
}

/**
 * The words of a command, so that it runs in a network of its own, with its own names of networks.
 * They end with its last process. Without this, a run that is killed leaves a bridge, and the next
 * one fails because it is there.
 */
export function inOwnNetwork(words: readonly string[]): [string, ...string[]] {
  return ['unshare', '--net', '--mount', 'sh', '-c', `${OWN_NAMES} && exec "$@"`, 'sh', ...words];
}

const OWN_NAMES = 'mkdir -p /run/netns && mount -t tmpfs none /run/netns && ip link set lo up';

/** Makes one, with a bridge, because a container may forbid either. */
function whyNoNamespaces(): string | undefined {
  const probe = 'ip netns add probe && ip link add probe type bridge';
  const [command, ...args] = inOwnNetwork(['sh', '-c', probe]);
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? undefined : `network namespaces cannot be made: ${stderr.trim()}`;
}
