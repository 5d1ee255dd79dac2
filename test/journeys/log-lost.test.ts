/** A server whose log cannot be written: it starts, answers, counts the lost lines, and stops. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, createReadStream, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { importedSample } from '../imported-sample.ts';
import { freePort } from '../loopback.ts';
import { endWith, type Owner } from '../owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { keptEnvironment, program } from './program.ts';

interface Unheard {
  readonly child: ChildProcess;
  readonly get: (path: string) => Promise<number>;
  /** The value of a metric without labels. */
  readonly metric: (name: string) => Promise<number>;
  readonly stop: () => Promise<number | null>;
}

/** A server whose standard output and standard error are `log`, once it answers. */
async function serveTo(owner: Owner, log: number, words: readonly string[]): Promise<Unheard> {
  const port = await freePort();
  let operationPort = await freePort();
  while (operationPort === port) operationPort = await freePort();
  const ports = ['--port', String(port), '--metrics-port', String(operationPort)];
  const data = await importedSample(owner);
  const all = ['serve', '--threads', '2', '--data', data, ...ports, ...words];
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program(), ...all],
    { env: keptEnvironment(), stdio: ['ignore', log, log] },
  );
  const exited = once(child, 'exit');
  endWith(owner, () => void child.kill('SIGKILL'));
  const origin = `http://127.0.0.1:${operationPort}`;
  const isReady = () =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    assert.equal(child.exitCode, null, 'the server ended');
    await pause(50);
  }
  return {
    child,
    get: async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status,
    metric: async (name) => {
      const text = await (await fetch(`${origin}/metrics`)).text();
      return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
    },
    stop: async () => {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
  };
}

const LOST = 'gazetteer_log_lines_lost_total';
const REQUESTS = 20;

describe('a server whose log cannot be written', () => {
  for (const format of ['json', 'text']) {
    it(`because its disk is full serves without it (${format})`, async (context) => {
      const full = openSync('/dev/full', 'w');
      endWith(context, () => closeSync(full));
      const server = await serveTo(context, full, ['--log-format', format]);
      for (let i = 0; i < REQUESTS; i++) {
        assert.equal(await server.get('/STU3/Organization/RTG'), 200);
      }
      while ((await server.metric(LOST)) < REQUESTS) await pause(50);
      assert.equal(await server.metric('gazetteer_replaced_threads_total'), 0);
      assert.equal(await server.stop(), 0);
    });
  }

  it('because no program reads it says how many lines were lost when one reads it again', async (context) => {
    const pipe = join(temporaryFolder(context), 'log');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(pipe, 'w');
    closeSync(reader);
    const server = await serveTo(context, writer, []);
    closeSync(writer);
    for (let i = 0; i < REQUESTS; i++) {
      assert.equal(await server.get('/STU3/Organization/RTG'), 200);
    }
    while ((await server.metric(LOST)) < REQUESTS) await pause(50);
    const lost = await server.metric(LOST);
    const lines = createInterface({ input: createReadStream(pipe) })[Symbol.asyncIterator]();
    const first = JSON.parse((await lines.next()).value ?? '');
    assert.equal(first.code, 'GZ108');
    assert.equal(first.problem, 'No program read the log.');
    assert.ok(first.lines >= lost, JSON.stringify(first));
    assert.equal(first.lines, await server.metric(LOST));
    assert.equal(await server.get('/STU3/metadata'), 200);
    let line = '';
    while (!line.includes('"path":"/STU3/metadata"'))
      line = (await lines.next()).value ?? assert.fail('the log ended');
    assert.equal(await server.stop(), 0);
    assert.match((await lines.next()).value ?? '', /"msg":"stopping: /);
  });
});
