/** The programs of the how-to page work as they are. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { it, type TestContext } from 'node:test';
import { freePort } from '../loopback.ts';
import { startOrders } from '../order-response/order-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { readPage } from '../tidy/markdown.ts';
import {
  createResponses,
  createTestStore,
  startDeliverer,
  subscribe,
  until,
} from './delivery-place.ts';
import { SECRET } from './example.ts';

const page = readPage('docs/how-to/get-notifications.md');
const [feed, receiver] = page.codeBlocks.filter(({ language }) => language === 'js');
const python = page.codeBlocks.find(({ language }) => language === 'python');
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Runs a program until the end of the test; answers the lines that it has printed. */
function run(
  context: TestContext,
  command: string,
  { text = '', name }: { readonly text: string | undefined; readonly name: string },
  env: Record<string, string>,
): string[] {
  const path = join(temporaryFolder(context), name);
  writeFileSync(path, text);
  const child = spawn(command, [path], { env: { PATH: process.env.PATH, ...env } });
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
  ['JavaScript', process.execPath, { text: receiver?.text, name: 'receiver.mjs' }, false],
  ['Python', 'python3', { text: python?.text, name: 'receiver.py' }, !hasPython && 'no python3'],
] as const;

for (const [language, command, program, skip] of RECEIVERS) {
  it(`the receiver in ${language} takes signed notifications`, { skip }, async (context) => {
    const port = await freePort();
    const lines = run(context, command, program, { PORT: String(port), SECRET });
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
  const program = { text: feed?.text, name: 'feed.mjs' };
  const env = { BASE: server.url, TOKEN: 'all', SEARCH: 'code=completed' };
  const lines = run(context, process.execPath, program, env);
  const id = await server.create();
  await until(() => lines.length === 1);
  assert.equal(lines[0], `POST ${id} completed`);
});
