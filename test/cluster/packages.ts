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
  for (const command of ['patroni', 'etcd', 'ip', 'setpriv']) {
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

/** Makes one, with a bridge, because a container may forbid either. */
function whyNoNamespaces(): string | undefined {
  const run = (...args: readonly string[]) => spawnSync('ip', args, { encoding: 'utf8' });
  const made = [run('netns', 'add', PROBE), run('link', 'add', PROBE, 'type', 'bridge')];
  run('link', 'delete', PROBE);
  run('netns', 'delete', PROBE);
  const failed = made.find(({ status }) => status !== 0);
  return failed && `network namespaces cannot be made: ${failed.stderr.trim()}`;
}

const PROBE = 'gztprobe';
