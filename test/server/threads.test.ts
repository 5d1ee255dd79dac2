/** Server threads: real ones, one of which is made to die. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { it, type TestContext } from 'node:test';
import type { Log } from '../../src/server/monitoring/log.ts';
import { LOG_PROBLEMS } from '../../src/server/monitoring/log-problems.ts';
import { canSharePort, reservePort } from '../../src/server/sockets/port.ts';
import { startThreads } from '../../src/server/threads.ts';
import { listenOnLoopback } from '../loopback.ts';
import type { TestUpdate } from './frail-thread.ts';

it('a thread that dies is replaced and told what it missed, while the others go on', {
  skip: !canSharePort() && 'this platform cannot share a port between threads',
}, async (context) => {
  const { log, logged } = recordingLog();
  const death = Promise.withResolvers<number>();
  const { ask, threads } = await start(context, 2, log, death.resolve);
  threads.update({ kind: 'order', text: 'first' });
  threads.update({ kind: 'other', text: 'kept' });
  const victim = Number((await ask('/die')).split(' ')[0]);
  const died = await logged('a server thread died');
  assert.partialDeepStrictEqual(died, { thread: victim, err: { type: 'Error' } });
  assert.equal(await death.promise, victim);
  assert.equal(await ask('/'), `${1 - victim} first kept`);
  threads.update({ kind: 'order', text: 'second' });
  assert.deepEqual(await logged('a server thread is replaced'), { thread: victim });
  // The replacement has its share of connections once it listens.
  while ((await ask('/')) !== `${victim} second kept`);
  await threads.stop();
  await assert.rejects(ask('/'));
});

it('a thread that died is equipped when it is replaced, and not before', async (context) => {
  const { log, logged } = recordingLog();
  const equipped: string[] = [];
  const onDeath = () => {
    threads.equip(() => equipped.push('equipped'));
    equipped.push('died');
  };
  const { ask, threads } = await start(context, 1, log, onDeath);
  await ask('/die');
  await logged('a server thread is replaced');
  assert.deepEqual(equipped, ['died', 'equipped']);
});

it('threads that stop are not replaced', async (context) => {
  const { log, messages } = recordingLog();
  const deaths: number[] = [];
  const { threads } = await start(context, 1, log, (thread) => deaths.push(thread));
  await threads.stop();
  assert.deepEqual([deaths, messages()], [[], []]);
});

it('threads that cannot even start end the start, and then nothing is left running', async (context) => {
  const { log, logged } = recordingLog();
  const cases = [
    { script: 'broken-thread.ts', reason: 'broken' },
    { script: 'exiting-thread.ts', reason: 'exit code 3' },
  ];
  const startScript = (script: string) => {
    const url = new URL(script, import.meta.url);
    const listen = { host: '127.0.0.1', port: 0, reusePort: true };
    const threads = startThreads<TestUpdate>({
      script: url,
      workerData: {},
      count: 2,
      listen,
      log,
    });
    context.after(() => threads.stop());
    return threads;
  };
  for (const { script, reason } of cases) {
    const threads = startScript(script);
    await assert.rejects(threads.listen(), {
      name: 'ServerError',
      message: `A server thread ended before it could listen: ${reason}`,
    });
    await threads.stop();
  }
  const early = startScript('broken-thread.ts');
  await logged('a server thread died');
  await assert.rejects(early.listen(), { name: 'ServerError' });
});

it('a port that another program took during the start is named, with the flag to change', async (context) => {
  const other = createServer();
  context.after(() => other.close());
  const port = await listenOnLoopback(other);
  const threads = startThreads<TestUpdate>({
    script: new URL('./frail-thread.ts', import.meta.url),
    workerData: {},
    count: 1,
    listen: { host: '127.0.0.1', port, reusePort: canSharePort() },
    log: recordingLog().log,
  });
  context.after(() => threads.stop());
  await assert.rejects(threads.listen(), {
    name: 'ServerError',
    message:
      `Port ${port} on 127.0.0.1 is taken by another program. ` +
      'Stop it, or choose another port with --port.',
  });
});

async function start(
  context: TestContext,
  count: number,
  log: Log,
  onDeath: (thread: number) => void,
) {
  const { port, release } = await reservePort('127.0.0.1', 0);
  context.after(release);
  const threads = startThreads<TestUpdate>({
    script: new URL('./frail-thread.ts', import.meta.url),
    workerData: {},
    count,
    listen: { host: '127.0.0.1', port, reusePort: canSharePort() },
    log,
    onDeath,
  });
  context.after(() => threads.stop());
  await threads.listen();
  release();
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  return { threads, ask };
}

/** A log that can be waited for. */
function recordingLog() {
  const lines: { details: object; message: string }[] = [];
  let wake = () => {};
  const write = (details: object, message: string) => {
    lines.push({ details, message });
    wake();
  };
  const report: Log['report'] = (code, details) => write(details, LOG_PROBLEMS[code].message);
  const log: Log = { report, info: write, print: () => {}, flush: () => {} };
  const logged = async (message: string): Promise<object> => {
    for (;;) {
      const line = lines.find((one) => one.message === message);
      if (line !== undefined) return line.details;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { log, logged, messages: () => lines.map(({ message }) => message) };
}
