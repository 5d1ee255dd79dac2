/** The log when it cannot be written: nothing throws, and the log says how many lines are lost. */
import assert from 'node:assert/strict';
import { closeSync, openSync, write, writeSync } from 'node:fs';
import { describe, it } from 'node:test';
import { LogOutput } from '../../src/server/monitoring/log-output.ts';
import {
  countLostLines,
  createLossMemory,
  LossCounter,
} from '../../src/server/monitoring/lost-lines.ts';

type Failure = 'ENOSPC' | 'EIO' | 'EPIPE' | 'EAGAIN';
const NUMBERS = { ENOSPC: -28, EIO: -5, EPIPE: -32, EAGAIN: -11 };

/** A file in memory, for the outputs of several threads. `room` is what it still takes. */
class TestFile {
  text = '';
  failure: Failure | undefined;
  room = Number.POSITIVE_INFINITY;
  /** Writes that have begun, and end when the test says so. */
  readonly #pending: (() => void)[] = [];

  writeSync(bytes: Uint8Array): number {
    if (this.failure !== undefined && this.room === 0) {
      throw Object.assign(new Error(), { code: this.failure, errno: NUMBERS[this.failure] });
    }
    const written = bytes.subarray(0, this.room);
    this.room -= written.length;
    this.text += Buffer.from(written).toString();
    return written.length;
  }

  write(bytes: Uint8Array, done: (error: Error | null, written: number) => void): void {
    this.#pending.push(() => {
      let written = 0;
      let problem: Error | null = null;
      try {
        written = this.writeSync(bytes);
      } catch (error) {
        problem = error as Error;
      }
      done(problem, written);
    });
  }

  /** Ends all writes, and those that follow them. */
  settle(): void {
    for (let end = this.#pending.shift(); end !== undefined; end = this.#pending.shift()) end();
  }

  fail(failure: Failure, room = 0): void {
    this.failure = failure;
    this.room = room;
  }

  recover(): void {
    this.failure = undefined;
    this.room = Number.POSITIVE_INFINITY;
  }
}

function outputsOn(file: TestFile, kinds: readonly boolean[]) {
  const memory = createLossMemory();
  const outputs = kinds.map(
    (isBuffered) =>
      new LogOutput({
        isBuffered,
        losses: new LossCounter(memory),
        reportOf: ({ count, errno }) => `lost ${count} ${errno}\n`,
        file,
      }),
  );
  const tick = () => {
    for (const output of outputs) output.tick();
    file.settle();
  };
  return { outputs, tick, lost: () => countLostLines(memory) };
}

const KINDS = [
  { how: 'each at once', isBuffered: false },
  { how: 'collected', isBuffered: true },
];

for (const { how, isBuffered } of KINDS) {
  describe(`lines that are written ${how}`, () => {
    for (const failure of ['ENOSPC', 'EIO', 'EPIPE'] as const) {
      it(`are counted while writing fails with ${failure}, and reported afterwards`, () => {
        const file = new TestFile();
        const { outputs, tick, lost } = outputsOn(file, [isBuffered]);
        outputs[0]?.write('a\n');
        tick();
        file.fail(failure);
        outputs[0]?.write('b\n');
        tick();
        outputs[0]?.write('c\n');
        tick();
        assert.equal(lost(), 2);
        file.recover();
        outputs[0]?.write('d\n');
        tick();
        outputs[0]?.write('e\n');
        tick();
        assert.equal(file.text, `a\nlost 2 ${NUMBERS[failure]}\nd\ne\n`);
        assert.equal(lost(), 2);
      });
    }

    it('are reported without a further line', () => {
      const file = new TestFile();
      const { outputs, tick } = outputsOn(file, [isBuffered]);
      file.fail('ENOSPC');
      outputs[0]?.write('a\n');
      tick();
      file.recover();
      tick();
      tick();
      assert.equal(file.text, 'lost 1 -28\n');
    });

    it('are whole after a line that was cut off, even those of another thread', () => {
      for (const next of [0, 1]) {
        const file = new TestFile();
        const { outputs, tick, lost } = outputsOn(file, [isBuffered, isBuffered]);
        file.fail('ENOSPC', 3);
        outputs[0]?.write('a\nbcd\n');
        tick();
        assert.equal(file.text, 'a\nb');
        assert.equal(lost(), 1);
        file.recover();
        outputs[next]?.write('e\n');
        tick();
        outputs[next]?.write('f\n');
        tick();
        assert.equal(file.text, 'a\nb\nlost 1 -28\ne\nf\n');
      }
    });

    it('are counted once if the report of them is cut off too', () => {
      const file = new TestFile();
      const { outputs, tick, lost } = outputsOn(file, [isBuffered]);
      file.fail('ENOSPC');
      outputs[0]?.write('a\nb\n');
      tick();
      file.room = 4;
      outputs[0]?.write('c\n');
      tick();
      assert.equal(lost(), 3);
      file.recover();
      tick();
      assert.equal(file.text, 'lost\nlost 3 -28\n');
    });

    it('wait while a pipe is full, and are written in their order', () => {
      const file = new TestFile();
      const { outputs, tick, lost } = outputsOn(file, [isBuffered]);
      file.fail('EAGAIN', 3);
      outputs[0]?.write('a\nbcd\n');
      tick();
      outputs[0]?.write('e\n');
      tick();
      assert.equal(file.text, 'a\nb');
      file.recover();
      tick();
      tick();
      assert.equal(file.text, 'a\nbcd\ne\n');
      assert.equal(lost(), 0);
    });

    it('take a limited memory while a pipe is full', () => {
      const file = new TestFile();
      const { outputs, tick, lost } = outputsOn(file, [isBuffered]);
      file.fail('EAGAIN');
      const line = `${'x'.repeat(1023)}\n`;
      const count = 3 * 4096;
      for (let i = 0; i < count; i++) outputs[0]?.write(line);
      assert.ok(lost() > count / 2, String(lost()));
      file.recover();
      tick();
      tick();
      tick();
      const lines = file.text.split('\n').slice(0, -1);
      assert.equal(lines.length, count - lost() + 1);
      assert.deepEqual(
        lines.filter((each) => !each.startsWith('x')),
        [`lost ${lost()} 0`],
      );
    });
  });
}

it('the losses of all threads have one report', () => {
  const file = new TestFile();
  const { outputs, tick, lost } = outputsOn(file, [false, true, true]);
  file.fail('ENOSPC');
  for (const output of outputs) output.write('a\n');
  tick();
  assert.equal(lost(), 3);
  file.recover();
  tick();
  assert.equal(file.text, 'lost 3 -28\n');
});

it('before the end of a thread, the lines that wait are written', () => {
  const file = new TestFile();
  const { outputs } = outputsOn(file, [true]);
  outputs[0]?.write('a\n');
  outputs[0]?.flush();
  assert.equal(file.text, 'a\n');
});

it('a full disk throws nothing, in either kind of writing', async () => {
  const fd = openSync('/dev/full', 'w');
  const memory = createLossMemory();
  for (const { isBuffered } of KINDS) {
    const ended = Promise.withResolvers<void>();
    const output = new LogOutput({
      isBuffered,
      losses: new LossCounter(memory),
      reportOf: () => '',
      file: {
        writeSync: (bytes) => writeSync(fd, bytes),
        write: (bytes, done) =>
          write(fd, bytes, (error, written) => {
            done(error, written);
            ended.resolve();
          }),
      },
    });
    output.write('a\n');
    output.tick();
    if (isBuffered) await ended.promise;
  }
  closeSync(fd);
  assert.equal(countLostLines(memory), 2);
});
