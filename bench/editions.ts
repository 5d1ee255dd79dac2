/**
 * What memory does over many editions: rolls a served directory back and forth and prints the
 * server's resident memory after each switch. `node bench/editions.ts [--records 35000] [--times 20]`
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '35000' },
    times: { type: 'string', default: '20' },
  },
});
const { records } = values;
const results = join(root, 'bench', 'results');
const data = join(results, `editions-${records}`);

/** Long enough for the threads to let the replaced edition go and collect. */
const SETTLE_MS = 700;

if (!existsSync(join(data, 'editions', '000002'))) {
  mkdirSync(results, { recursive: true });
  for (const revision of ['0', '1']) {
    const file = join(results, `release-${records}-${revision}.zip`);
    run([
      'scripts/generate-release.ts',
      '--records',
      records,
      '--revision',
      revision,
      '--out',
      file,
    ]);
    run(['src/main.ts', 'import', file, '--data', data, '--quiet']);
  }
}

const server: ChildProcess = spawn(
  process.execPath,
  [
    'src/main.ts',
    'serve',
    '--data',
    data,
    '--port',
    '0',
    '--metrics-port',
    '0',
    '--threads',
    '2',
  ].concat(['--directory-grace-minutes', '0', '--log-requests=false']),
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
);
const lines = createInterface({ input: server.stdout! });
await logged('listening');
console.log(`start: ${residentMb()} MB`);
for (let time = 1; time <= Number(values.times); time++) {
  const served = logged('serving edition');
  run(['src/main.ts', 'rollback', '--data', data, '--to', time % 2 === 1 ? '1' : '2']);
  await served;
  await delay(SETTLE_MS);
  console.log(`switch ${time}: ${residentMb()} MB`);
}
server.kill('SIGTERM');
await once(server, 'exit');

function logged(message: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (line: string) => {
      if (JSON.parse(line).msg !== message) return;
      lines.off('line', look);
      resolve();
    };
    lines.on('line', look);
  });
}

/** Linux only. */
function residentMb(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

function run(words: readonly string[]): void {
  const { status } = spawnSync(process.execPath, words, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`${words.join(' ')} failed`);
}
