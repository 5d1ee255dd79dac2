/** The other yardstick, if it is installed: nginx, which sends the same bytes from files. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../test/loopback.ts';
import type { Target } from '../load.ts';
import { pinned, SERVER_CORE } from '../machine.ts';
import { endTogether, type Running } from '../server.ts';
import type { Recorded } from './record.ts';

export interface RunningNginx extends Running {
  readonly targets: readonly Target[];
}

/** One process, as one of our threads is one; files stay open, nothing is logged. */
export async function startNginx(recorded: readonly Recorded[]): Promise<RunningNginx | undefined> {
  if (PROGRAM === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-bench-nginx-'));
  const files = join(folder, 'files');
  mkdirSync(files);
  for (const [i, { body }] of recorded.entries()) {
    writeFileSync(join(files, String(i)), Buffer.from(body, 'base64'));
  }
  const port = await freePort();
  const path = join(folder, 'nginx.conf');
  writeFileSync(path, configuration(folder, port, recorded[0]?.headers ?? []));
  const [command = PROGRAM, ...words] = [...pinned(SERVER_CORE), PROGRAM, '-c', path];
  const child = spawn(command, [...words, '-e', join(folder, 'errors')], { stdio: 'inherit' });
  endTogether(child);
  const exited = once(child, 'exit');
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error('nginx ended before it listened');
    await delay(10);
  }
  return {
    process: child,
    port,
    targets: recorded.map((_, i) => ({ path: `/${i}`, headers: {} })),
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Debian keeps it where only administrators look. */
const PROGRAM = ['nginx', '/usr/sbin/nginx'].find(
  (name) => spawnSync(name, ['-v'], { stdio: 'ignore' }).status === 0,
);

/** Headers that nginx makes itself, for each file. */
const OWN_HEADERS = new Set(['content-type', 'content-length', 'etag', 'last-modified']);

function configuration(folder: string, port: number, headers: readonly string[]): string {
  const pairs = headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1] ?? '']] : []));
  const quoted = (value = '') => `"${value.replaceAll('"', '\\"').replaceAll('$', '')}"`;
  const added = pairs
    .filter(([name = '']) => !OWN_HEADERS.has(name.toLowerCase()))
    .map(([name, value]) => `add_header ${name} ${quoted(value)};`);
  const type = pairs.find(([name]) => name?.toLowerCase() === 'content-type')?.[1];
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n');
  return `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/errors crit;
events { worker_connections 1024; }
http {
  ${places}
  access_log off; sendfile on; tcp_nodelay on; etag on; server_tokens off;
  keepalive_requests 1000000000; open_file_cache max=4096;
  server {
    listen 127.0.0.1:${port}; root ${folder}/files; default_type ${quoted(type)};
    ${added.join('\n    ')}
  }
}
`;
}

async function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const answer = (is: boolean) => () => {
      socket.destroy();
      resolve(is);
    };
    socket.on('connect', answer(true)).on('error', answer(false));
  });
}
