/** The examples of programs that wait for changes or receive notifications work as they are. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { it, type TestContext } from 'node:test';
import { freePort } from '../loopback.ts';
import { startOrders } from '../order-response/order-server.ts';
import { ROOT } from '../tidy/source-files.ts';
import {
  createResponses,
  createTestStore,
  startDeliverer,
  subscribe,
  until,
} from './delivery-place.ts';
import { SECRET } from './example.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Runs a program until the end of the test; answers the lines that it has printed. */
function run(
  context: TestContext,
  command: string,
  name: string,
  env: Record<string, string>,
): string[] {
  const child = spawn(command, [join(ROOT, 'examples', name)], {
    env: { PATH: process.env.PATH, ...env },
  });
  context.after(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return lines;
}

const RECEIVERS = [
  ['JavaScript', process.execPath, 'receiver.mjs', false],
  ['Python', 'python3', 'receiver.py', !hasPython && 'no python3'],
] as const;

for (const [language, command, name, skip] of RECEIVERS) {
  it(`the receiver in ${language} takes signed notifications`, { skip }, async (context) => {
    const port = await freePort();
    const lines = run(context, command, name, { PORT: String(port), SECRET });
    const headers = { 'Gazetteer-Signature': `t=1,v1=${'0'.repeat(64)}` };
    const send = () =>
      fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: '{}' }).catch(() => null);
    await until(async () => (await send()) !== null);
    const place = createTestStore();
    await subscribe(place, `http://127.0.0.1:${port}/`);
    startDeliverer(context, place);
    const [id] = await createResponses(place);
    await until(() => lines.length === 1);
    assert.match(lines[0] ?? '', new RegExp(`^[0-9a-f]{32} OrderResponse/${id}/_history/1$`));
    const forged = await send();
    assert.equal(forged?.status, 401);
  });
}

it('the program that waits prints what is written', async (context) => {
  const server = await startOrders();
  context.after(() => server.close());
  const env = { BASE: server.url, TOKEN: 'all', SEARCH: 'code=completed' };
  const lines = run(context, process.execPath, 'wait.mjs', env);
  const id = await server.create();
  await until(() => lines.length === 1);
  assert.equal(lines[0], `POST ${id} completed`);
});
