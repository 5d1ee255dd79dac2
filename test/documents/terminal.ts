/** Runs the commands of a document as its reader does, in a checkout with sample data. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { MARK } from '../../scripts/test-processes.ts';
import { type Ended, SAMPLE } from '../journeys/program.ts';
import { freePort } from '../loopback.ts';
import { endWith, type Owner } from '../owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { projectFiles, ROOT } from '../tidy/source-files.ts';

/** Texts that a reader replaces or has elsewhere, and what replaces them here. */
export const STAND_INS: readonly (readonly [
  documented: string,
  here: string | ((terminal: Terminal) => string),
])[] = [
  ['sudo -u gazetteer /opt/gazetteer/bin/gazetteer', 'bin/gazetteer'],
  ['install -d -o gazetteer -m 700', 'mkdir -p -m 700'],
  ['/run/backup-identity.txt', '~/backup-identity.txt'],
  [' --config /etc/gazetteer/config.json', ({ databaseUrl }) => ` --database-url ${databaseUrl}`],
  ['npm run demo', ({ port }) => `npm run demo -- --port ${port}`],
  ['http://localhost:8080', ({ port }) => `http://localhost:${port}`],
  ['https://directory.example.org/STU3', ({ port }) => `http://localhost:${port}/STU3`],
  [' /opt/gazetteer/', ({ checkout }) => ` ${checkout}/`],
  [' /srv/', ({ root }) => ` ${root}/srv/`],
  [' /var/', ({ root }) => ` ${root}/var/`],
  [' /etc/', ({ root }) => ` ${root}/etc/`],
  ['sudo -u gazetteer', 'exec'],
  ['journalctl --unit gazetteer --output cat', 'cat server.log'],
  ['http://127.0.0.1:9464', ({ metricsPort }) => `http://127.0.0.1:${metricsPort}`],
  ['NUMBER:CODE', ({ auditHead }) => auditHead],
  ['PID', ({ serverId }) => String(serverId)],
  ['postgres://gazetteer_owner@db1/gazetteer', ({ databaseUrl }) => databaseUrl],
  ['postgres://gazetteer_serve@db1/gazetteer', ({ databaseUrl }) => databaseUrl],
  ['KIND --minutes N', 'xml --minutes 0.01'],
];

/** A pipe fails if any of its commands fails. */
const SHELL = ['-o', 'pipefail', '-c'];

export class Terminal {
  readonly checkout: string;
  /** Stands for `/`. */
  readonly root: string;
  port = 0;
  metricsPort = 0;
  auditHead = '';
  /** The database of a page that uses one. */
  databaseUrl = '';
  #lastServer = '';
  #environment: Readonly<Record<string, string>>;
  #server: { process: ChildProcess; closed: Promise<unknown> } | undefined;

  /** `folder` has a checkout in `gazetteer`. */
  constructor(folder: string) {
    this.checkout = join(folder, 'gazetteer');
    this.root = join(folder, 'root');
    // curl also prints the status of the response, to standard error.
    writeFileSync(join(folder, '.curlrc'), 'write-out = "%{stderr}status %{http_code}"\n');
    this.#environment = {
      PATH: systemPath().join(delimiter),
      HOME: folder,
      npm_config_cache: join(folder, 'npm'),
      // An installation only checks that package.json and the lockfile agree.
      npm_config_dry_run: 'true',
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
      // Halves the time of a start. The cache stays valid when it is copied with the checkout.
      NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
      NODE_COMPILE_CACHE_PORTABLE: '1',
      [MARK]: process.env[MARK] ?? '',
      GAZETTEER_METRICS_PORT: '0',
      GAZETTEER_THREADS: '1',
      GAZETTEER_LIMITS_DELAY_MS: '0',
    };
  }

  /** Sets a variable for the commands that follow. */
  set(variable: string, value: string): void {
    this.#environment = { ...this.#environment, [variable]: value };
  }

  get serverId(): number | undefined {
    return this.#server?.process.pid;
  }

  /** Runs a command to its end. A server keeps running beside the commands after it. */
  async run(command: string): Promise<Ended> {
    for (const [name] of command.matchAll(/(?<= )[\w.]+\.zip\b/g)) {
      cpSync(SAMPLE, join(this.checkout, name));
    }
    if (command === 'systemctl stop gazetteer') {
      await this.stopServer('SIGTERM');
      return { code: 0, stdout: '', stderr: '' };
    }
    if (/^systemctl (re)?start gazetteer$/.test(command)) return this.run(this.#lastServer);
    if (/gazetteer serve\b(?!.*--(help|print-config))|npm run demo/.test(command)) {
      await this.#serve(command);
      return { code: 0, stdout: '', stderr: '' };
    }
    const child = spawn('bash', [...SHELL, this.#here(command)], {
      ...this.#options(),
      // A command that waits for input ends.
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'exit'),
    ]);
    return { code, stdout, stderr };
  }

  /** Stops the server as Ctrl+C does: the signal reaches every process of the command. */
  async stopServer(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server?.process.pid === undefined) return;
    try {
      process.kill(-server.process.pid, signal);
    } catch {
      // All processes have ended.
    }
    await server.closed;
  }

  async #serve(command: string): Promise<void> {
    this.#lastServer = command;
    for (;;) {
      await this.stopServer();
      this.port = await freePort();
      try {
        return await this.#listen(command);
      } catch (error) {
        // Another process may have taken the port meanwhile.
        if (!String(error).includes(`Port ${this.port} on`)) throw error;
      }
    }
  }

  /** Starts a server. Resolves when it listens. */
  async #listen(command: string): Promise<void> {
    const child = spawn('bash', [...SHELL, `exec ${this.#here(command)}`], {
      ...this.#options(),
      detached: true,
    });
    // npm does not wait for the processes that it starts. Its output ends with the last one.
    this.#server = { process: child, closed: once(child, 'close') };
    const errors = text(child.stderr!);
    let written = '';
    await new Promise<void>((resolve, reject) => {
      child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
        written += piece;
        appendFileSync(join(this.checkout, 'server.log'), piece);
        this.auditHead = [...written.matchAll(/"head":"([^"]+)"/g)].at(-1)?.[1] ?? this.auditHead;
        this.metricsPort = Number(/"port":(\d+),"msg":"health and metrics"/.exec(written)?.[1]);
        if (/"msg":"listening"|Ctrl\+C/.test(written)) resolve();
      });
      child.on('exit', async () => reject(new Error(`${command} ended: ${await errors}`)));
    });
  }

  #here(command: string): string {
    return STAND_INS.reduce(
      (sofar, [documented, here]) =>
        sofar.replaceAll(documented, typeof here === 'string' ? here : here(this)),
      command,
    );
  }

  #options() {
    const env = { ...this.#environment, GAZETTEER_PORT: String(this.port) };
    return { cwd: this.checkout, env };
  }
}

/** A reader who imports the sample once more gets no new edition. */
const EDITIONS = 3;

/**
 * Makes `folder` with a checkout that has editions in its data folder, as a reader has who imported
 * before. A server starts once, to fill the compile cache.
 */
export async function prepareFolder(folder: string): Promise<void> {
  mkdirSync(folder);
  const checkout = join(folder, 'gazetteer');
  copyProject(checkout);
  const terminal = new Terminal(folder);
  for (let edition = 1; edition <= EDITIONS; edition++) {
    await terminal.run('bin/gazetteer import sample/organisations.zip --again --quiet');
  }
  await terminal.run('bin/gazetteer import-postcodes sample/postcodes.zip --quiet');
  await terminal.run('bin/gazetteer serve --data first-start');
  await terminal.stopServer();
  for (const name of ['first-start', 'server.log']) {
    rmSync(join(checkout, name), { recursive: true });
  }
}

/** Opens a terminal in a copy of the prepared folder. */
export function openTerminal(owner: Owner, prepared: string): Terminal {
  const folder = temporaryFolder(owner);
  cpSync(prepared, folder, { recursive: true, verbatimSymlinks: true });
  const terminal = new Terminal(folder);
  // The server stops before its folder is removed.
  endWith(owner, () => terminal.stopServer('SIGKILL'));
  return terminal;
}

export function isInstalled(program: string): boolean {
  return systemPath().some((folder) => existsSync(resolve(folder, program)));
}

/** The path without the runtime that npm adds: readers start with a Node of their own. */
function systemPath(): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const ofSystem = folders.filter((folder) => !folder.includes('node_modules'));
  const hasNpm = ofSystem.some((folder) => existsSync(join(folder, 'npm')));
  return hasNpm ? ofSystem : [dirname(process.execPath), ...folders];
}

/** The packages are links, so that an installation cannot remove the packages themselves. */
export function copyProject(checkout: string): void {
  for (const path of projectFiles()) {
    cpSync(join(ROOT, path), join(checkout, path), { recursive: true });
  }
  const packages = join(checkout, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== '.installed') symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
  }
}
