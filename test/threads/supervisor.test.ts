/** The supervisor of threads: real threads that do not start, do not stop, or die. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import {
  runThread,
  SupervisedThread,
  type SupervisedThreadOptions,
  type ThreadDeath,
} from '../../src/threads/supervisor.ts';

type Options = SupervisedThreadOptions<string, unknown>;

const SCRIPT = new URL('./odd-thread.ts', import.meta.url);

/** Longer than any test takes. */
const NEVER_MS = 600_000;

function worker(behaviour: string): () => Worker {
  return () => new Worker(SCRIPT, { workerData: behaviour });
}

/** A thread, and what it reported so far. `until` resolves when a report is there. */
function supervise(context: TestContext, options: Partial<Options>) {
  const reports: string[] = [];
  const deaths: ThreadDeath[] = [];
  let wake = () => {};
  const report = (text: string) => {
    reports.push(text);
    wake();
  };
  const thread = new SupervisedThread<string, unknown>({
    name: 'the thread',
    start: worker('well'),
    onReady: () => report('ready'),
    onDeath: (death) => {
      deaths.push(death);
      report(`died: ${death.error.message}`);
    },
    stopMessage: 'stop',
    ...options,
    onMessage: (message) => {
      if (message === 'ready') return 'ready';
      if (typeof message === 'object' && message !== null && 'error' in message) {
        return new Error(String(message.error));
      }
      report(String(message));
      return undefined;
    },
    limits: { readyMs: NEVER_MS, stopMs: NEVER_MS, ...options.limits },
  });
  context.after(() => thread.stop());
  const until = async (isThere: () => boolean) => {
    while (!isThere()) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { thread, reports, deaths, until };
}

it('a thread is ready, gets messages, and stops when it is asked to', async (context) => {
  const { thread, reports, until } = supervise(context, {});
  await thread.firstReady;
  assert.equal(thread.post('hello'), true);
  await until(() => reports.includes('got hello'));
  await thread.stop();
  assert.equal(thread.isRunning, false);
  assert.equal(thread.post('late'), false);
  assert.deepEqual(reports, ['ready', 'got hello']);
});

it('messages that are posted before the thread is ready wait for it', async (context) => {
  const { thread, reports, until } = supervise(context, {});
  thread.post('early');
  await until(() => reports.includes('got early'));
});

for (const [behaviour, reason] of [
  ['throws', 'broken'],
  ['exits', 'exit code 3'],
  ['reasons', 'no space left'],
] as const) {
  it(`a thread that ${behaviour} at its start is not started again`, async (context) => {
    const { thread, deaths } = supervise(context, { start: worker(behaviour) });
    await assert.rejects(thread.firstReady, { message: reason });
    assert.equal(thread.isRunning, false);
    assert.deepEqual(
      deaths.map(({ wasReady, pauseMs }) => [wasReady, pauseMs]),
      [[false, undefined]],
    );
  });
}

it('a thread that cannot be started counts as one that died', async (context) => {
  const { thread, deaths } = supervise(context, {
    start: () => {
      throw new Error('locked');
    },
  });
  await assert.rejects(thread.firstReady, { message: 'locked' });
  assert.equal(deaths.length, 1);
});

it('a thread that is not ready in time is terminated', async (context) => {
  const { thread } = supervise(context, { start: worker('silent'), limits: { readyMs: 20 } });
  await assert.rejects(thread.firstReady, { message: 'the thread was not ready after 0.02 s' });
  assert.equal(thread.isRunning, false);
});

it('a thread that dies after a long life is started again at once', async (context) => {
  const { thread, reports, deaths, until } = supervise(context, {
    mayRestart: () => true,
    limits: { longLifeMs: 0, pauseMs: NEVER_MS },
  });
  for (let life = 1; life <= 3; life++) {
    await until(() => reports.filter((report) => report === 'ready').length === life);
    thread.post('die');
    await until(() => deaths.length === life);
  }
  assert.deepEqual(
    deaths.map(({ error, wasReady, pauseMs }) => [error.message, wasReady, pauseMs]),
    [1, 2, 3].map(() => ['asked to die', true, 0]),
  );
});

for (const [behaviour, wasReady] of [
  ['throws', false],
  ['quits', true],
] as const) {
  it(`a thread that ${behaviour} again and again is started ever more rarely`, async (context) => {
    const { deaths, until, thread } = supervise(context, {
      start: worker(behaviour),
      mayRestart: () => true,
      limits: { pauseMs: 1, pauseMsMax: 6, longLifeMs: NEVER_MS },
    });
    await until(() => deaths.length === 6);
    await thread.stop();
    assert.deepEqual(
      deaths.slice(0, 6).map((death) => [death.wasReady, death.pauseMs]),
      [0, 1, 2, 4, 6, 6].map((pauseMs) => [wasReady, pauseMs]),
    );
  });
}

it('the owner decides by the reason whether a thread is started again', async (context) => {
  const behaviours = ['reasons', 'throws', 'well'];
  const { thread, reports } = supervise(context, {
    start: () => worker(behaviours.shift() ?? '')(),
    mayRestart: ({ error }) => error.message === 'no space left',
  });
  await assert.rejects(thread.firstReady, { message: 'broken' });
  assert.deepEqual(reports, ['died: no space left', 'died: broken']);
});

it('a thread that is stopped in a pause is not started again', async (context) => {
  let starts = 0;
  const { thread, deaths, until } = supervise(context, {
    start: () => {
      starts++;
      return worker('throws')();
    },
    mayRestart: () => true,
    limits: { pauseMs: NEVER_MS },
  });
  await until(() => deaths.length === 2);
  await thread.stop();
  assert.equal(starts, 2);
  await assert.rejects(thread.firstReady, /stopped before it was ready/);
});

for (const behaviour of ['stubborn', 'busy']) {
  it(`a ${behaviour} thread that does not stop in time is terminated`, async (context) => {
    const started = worker(behaviour)();
    const exited = once(started, 'exit');
    const { thread, deaths } = supervise(context, {
      start: () => started,
      mayRestart: () => true,
      limits: { stopMs: 20 },
    });
    await thread.firstReady;
    await thread.stop();
    // A slow machine takes longer to end a thread than the supervisor waits.
    started.ref();
    await exited;
    assert.equal(thread.isRunning, false);
    assert.deepEqual(deaths, []);
  });
}

it('a thread that runs once gives its result', async () => {
  const run = { name: 'the loader', limitMs: NEVER_MS };
  assert.equal(await runThread<string>({ ...run, start: worker('quits') }), 'ready');
  assert.equal(await runThread<string>({ ...run, start: worker('stubborn') }), 'ready');
  await assert.rejects(runThread({ ...run, start: worker('throws') }), { message: 'broken' });
  await assert.rejects(runThread({ ...run, start: worker('silent'), limitMs: 20 }), {
    message: 'the loader was not ready after 0.02 s',
  });
});
