/**
 * Runs `npm run demo` as a reader of the README does, and the search that the README shows. The demo
 * itself creates an order response.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MINUTES_MAX = 5;

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const search = /^curl 'http:\/\/localhost:8080(\/[^']+)'$/m.exec(readme)?.[1] ?? '';
const total = Number(/"total": (\d+)/.exec(readme)?.[1]);

const demo = spawn('npm', ['run', 'demo'], {
  cwd: ROOT,
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
});
const ended = once(demo, 'close');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, pressCtrlC);
process.on('exit', pressCtrlC);
const late = setTimeout(pressCtrlC, MINUTES_MAX * 60_000);
let output = '';
let outcome = 'the demo ended before it had said everything';
for await (const piece of demo.stdout.setEncoding('utf8')) {
  process.stdout.write(piece);
  output += piece;
  if (!output.includes('To stop the server') || outcome === 'passed') continue;
  const origin = /http:\/\/localhost:\d+/.exec(output)?.[0] ?? '';
  const found = ((await (await fetch(origin + search)).json()) as { total?: number }).total;
  const problems = [
    ...(found === total ? [] : [`README.md has total ${total}, the demo ${found}`]),
    ...(output.includes('The answer was 201,') ? [] : ['the demo created no order response']),
  ];
  outcome = problems.join('; ') || 'passed';
  pressCtrlC();
}
clearTimeout(late);
await ended;
console.log(outcome === 'passed' ? '1 passed, 0 failed' : `${outcome}\n0 passed, 1 failed`);
if (outcome !== 'passed') process.exitCode = 1;

/** A terminal sends this signal to the whole group: npm passes on none to the server. */
function pressCtrlC(): void {
  try {
    process.kill(-demo.pid!, 'SIGINT');
  } catch {
    // It has ended.
  }
}
