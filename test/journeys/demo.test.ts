/** The demo: it serves its own data, and gives tokens for nothing else. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { endWith } from '../owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { start } from './program.ts';

it('serves its own data at a free port, whatever database and keys variables name', async (context) => {
  const { demo, port, written } = await startDemo(context, {
    GAZETTEER_DATABASE_URL: 'postgres://gazetteer@127.0.0.1:1/gazetteer',
    GAZETTEER_ORDERS_AUDIT_KEY_FILE: 'audit.key',
    GAZETTEER_AUTH_OWN_KEY_FILE: 'token-key.json',
  });
  const steps = [...written.matchAll(/^Step (\d) of 4: \w+/gm)].map(([, step]) => step);
  assert.deepEqual(steps, ['1', '2', '3', '4']);
  assert.match(written, /The answer was 201/);
  const shown = [...written.matchAll(/^ {4}(?:curl ')?(http:\/\/localhost:[^\s']+)'?$/gm)];
  const statuses = shown.map(async ([, address = '']) => (await fetch(address)).status);
  assert.deepEqual(await Promise.all(statuses), Array(7).fill(200));
  const given = `http://127.0.0.1:${port}/try-order-response/token`;
  assert.equal((await fetch(given, { method: 'POST' })).status, 201);
  await assertServerEndsWith({ demo, port }, 'SIGINT');
});

it('its server ends with it after SIGKILL to it alone', async (context) => {
  await assertServerEndsWith(await startDemo(context), 'SIGKILL');
});

it('a second one in the same folder fails before it imports', async (context) => {
  const folder = temporaryFolder(context);
  await startDemo(context, {}, folder);
  const editions = () => readdirSync(join(folder, 'data/demo/editions'));
  const before = editions();
  const { demo, written } = await startDemo(context, {}, folder);
  assert.notEqual(demo.exitCode, 0);
  assert.match(written, /data\/demo: in use by process \d+/);
  assert.doesNotMatch(written, /Importing/);
  assert.deepEqual(editions(), before);
});

it('uses the folder that --data names, again too, and no folder with other data', async (context) => {
  const folder = temporaryFolder(context);
  const named = ['--data', 'mine'];
  const first = await startDemo(context, {}, folder, named);
  assert.match(first.written, /into mine$/m);
  await assertServerEndsWith(first, 'SIGTERM');
  assert.deepEqual(readdirSync(folder), ['mine']);
  const again = await startDemo(context, {}, folder, named);
  assert.match(again.written, /The answer was 201/);
  mkdirSync(join(folder, 'real'));
  writeFileSync(join(folder, 'real/orders.db'), '');
  const { written } = await startDemo(context, {}, folder, ['--data', 'real']);
  assert.equal(
    written,
    'gazetteer: real has data that are not those of a demo. Name a new folder with --data.\n',
  );
  assert.deepEqual(readdirSync(join(folder, 'real')), ['orders.db']);
});

interface Demo {
  readonly demo: ChildProcess;
  readonly port: string;
}

/** Sends a signal to the program that the user started, and not to the server that it started. */
async function assertServerEndsWith({ demo, port }: Demo, signal: NodeJS.Signals): Promise<void> {
  demo.kill(signal);
  const [code] = await once(demo, 'exit');
  assert.equal(code, signal === 'SIGKILL' ? null : 0);
  const isServing = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  while (await isServing());
}

/** A demo that has printed everything or ended, and the port of its server. */
async function startDemo(
  context: TestContext,
  environment: Readonly<Record<string, string>> = {},
  folder = temporaryFolder(context),
  words: readonly string[] = [],
): Promise<Demo & { readonly written: string }> {
  const demo = start(['demo', '--port', '0', ...words], { cwd: folder, environment });
  const exited = once(demo, 'exit');
  endWith(context, async () => {
    demo.kill('SIGTERM');
    await exited;
  });
  let written = '';
  for (const stream of [demo.stdout, demo.stderr]) {
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      written += piece;
    });
  }
  const shown = new Promise<void>((resolve) => {
    demo.stdout?.on('data', () => /Ctrl\+C/.test(written) && resolve());
  });
  await Promise.race([shown, exited]);
  const [, port = ''] = /http:\/\/localhost:(\d+)\/$/m.exec(written) ?? [];
  return { demo, port, written };
}
