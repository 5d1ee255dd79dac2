/**
 * How long a server takes from its start to its first answer, and the memory it then has resident
 * and after some load: `node bench/start.ts --data FOLDER [--threads 2] [--rounds 5]`. Linux only.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runLoad } from './load.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: 'data' },
    threads: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
  },
});

for (let round = 1; round <= Number(values.rounds); round++) {
  const startMs = performance.now();
  const server = spawn(
    process.execPath,
    ['src/main.ts', 'serve', '--data', values.data, '--threads', values.threads].concat([
      '--port',
      '0',
      '--metrics-port',
      '0',
      '--log-requests=false',
    ]),
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let records = 0;
  for await (const line of createInterface({ input: server.stdout })) {
    const parsed = JSON.parse(line);
    if (parsed.msg === 'serving edition') records = parsed.records;
    if (parsed.msg !== 'listening') continue;
    const origin = `http://127.0.0.1:${parsed.port}`;
    const answer = await fetch(`${origin}/STU3/Organization?_count=1`);
    await answer.text();
    const readyMs = Math.round(performance.now() - startMs);
    const first = residentKb(server.pid);
    const targets = Array.from({ length: 500 }, (_, page) => ({
      path: `/STU3/Organization?_page=${1 + page * 20}`,
      headers: {},
    }));
    await runLoad({ port: parsed.port, targets, connections: 8, durationMs: 3000 });
    const loaded = residentKb(server.pid);
    console.log(
      `${records} records: first answer after ${readyMs} ms; resident ${mb(first)} MB, ` +
        `after load ${mb(loaded)} MB, ${Math.round((loaded * 1024) / records)} bytes a record`,
    );
    server.kill('SIGTERM');
  }
  if (server.exitCode === null) await once(server, 'exit');
}

function residentKb(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

function mb(kilobytes: number): number {
  return Math.round(kilobytes / 1024);
}
