/** PostgreSQL servers to measure: a primary, its replica, and the CPU time of both. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../test/loopback.ts';
import { type PostgresServer, startPostgres } from '../../test/storage/postgres/server.ts';
import { pin } from '../machine.ts';
import { endTogether } from '../server.ts';

/** As a server is run: commits reach the disk, and the tables are vacuumed. */
const SETTINGS = ['fsync=on', 'autovacuum=on', 'shared_buffers=256MB', 'max_wal_size=2GB'];

const VERSIONS = '/usr/lib/postgresql';

/** The folder of the programs of PostgreSQL, pgbench among them; undefined if there is none. */
export function postgresBin(): string | undefined {
  const installed = existsSync(VERSIONS)
    ? readdirSync(VERSIONS).map((version) => join(VERSIONS, version, 'bin'))
    : [];
  const folders = [process.env.TEST_POSTGRES_BIN ?? [], installed.toSorted().reverse()].flat();
  return folders.find((folder) => existsSync(join(folder, 'pgbench')));
}

/** `core`: the core of the server, on machines where it can be chosen. `more`: further settings. */
export async function startPrimary(
  bin: string,
  core: string | undefined,
  more: readonly string[] = [],
): Promise<PostgresServer> {
  process.env.TEST_POSTGRES_BIN = bin;
  const server = await startPostgres([...SETTINGS, ...more]);
  process.once('exit', () => {
    if (existsSync(join(server.folder, 'postmaster.pid'))) {
      process.kill(processOf(server.folder), 'SIGQUIT');
    }
  });
  if (core !== undefined) pin(processOf(server.folder), core);
  return server;
}

export interface Replica {
  readonly folder: string;
  stop(): Promise<void>;
}

/** Starts a replica; each commit of the primary waits for it. */
export async function addReplica(primary: PostgresServer, bin: string): Promise<Replica> {
  const place = mkdtempSync(join(tmpdir(), 'gazetteer-bench-replica-'));
  const folder = join(place, 'data');
  const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if ('uid' in owner) spawnSync('chown', [String(NOBODY), place]);
  const url = primary.url('postgres').replace('/postgres?', '/');
  const words = ['--pgdata', folder, '--write-recovery-conf', '--checkpoint', 'fast', '-d', url];
  const copied = spawnSync(join(bin, 'pg_basebackup'), words, { ...owner, encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(copied.stderr);
  const port = await freePort();
  const settings = ['fsync=on', 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
  const options = [`port=${port}`, 'max_connections=60', ...settings].flatMap((one) => ['-c', one]);
  const child: ChildProcess = spawn(join(bin, 'postgres'), ['-D', folder, ...options], {
    ...owner,
    cwd: folder,
    stdio: 'ignore',
  });
  endTogether(child);
  await primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await primary.run('SELECT pg_reload_conf()');
  await untilSynchronous(primary);
  return {
    folder,
    stop: async () => {
      await primary.run('ALTER SYSTEM RESET synchronous_standby_names');
      await primary.run('SELECT pg_reload_conf()');
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
      rmSync(place, { recursive: true });
    },
  };
}

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

const LOOK_EVERY_MS = 100;

async function untilSynchronous(primary: PostgresServer): Promise<void> {
  for (;;) {
    const [row] = await primary.run("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
    if (row !== undefined) return;
    await delay(LOOK_EVERY_MS);
  }
}

/** User and system time of a server with all its processes, ended ones too. Linux only. */
export function serverCpuSeconds({ folder }: { readonly folder: string }): number {
  const [main = '', ...children] = processesOf(folder);
  const own = ticksOf(main, [11, 12, 13, 14]);
  return children.reduce((sum, id) => sum + ticksOf(id, [11, 12]), own) / TICKS_A_SECOND;
}

/** The memory of all processes of a server in megabytes. Shared memory counts once. Linux only. */
export function serverMemoryMb({ folder }: { readonly folder: string }): number {
  const kilobytes = processesOf(folder)
    .map((id) => `/proc/${id}/smaps_rollup`)
    .filter((file) => existsSync(file))
    .map((file) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1]));
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}

/** The main process comes first. */
function processesOf(folder: string): string[] {
  const main = processOf(folder);
  const children = readFileSync(`/proc/${main}/task/${main}/children`, 'utf8');
  return [String(main), ...children.split(' ').filter(Boolean)];
}

const TICKS_A_SECOND = 100;

/** The fields are those after the name, in `/proc/ID/stat`. */
function ticksOf(id: string, fields: readonly number[]): number {
  const file = `/proc/${id}/stat`;
  if (!existsSync(file)) return 0;
  const stat = readFileSync(file, 'utf8');
  const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.reduce((sum, field) => sum + Number(values[field]), 0);
}

function processOf(folder: string): number {
  return Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
}
