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
  readonly bytesMax = Number.POSITIVE_INFINITY;
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

/** A pipe as Linux has it: it takes up to 4096 bytes whole or not at all, and of more a part. */
class TestPipe extends TestFile {
  override readonly bytesMax = 4096;
  override room = 16 * 1024;

  override writeSync(bytes: Uint8Array): number {
    const isTaken = bytes.length <= this.room || (bytes.length > this.bytesMax && this.room > 0);
    if (!isTaken) throw Object.assign(new Error(), { code: 'EAGAIN', errno: NUMBERS.EAGAIN });
    return super.writeSync(bytes);
  }

  read(length: number): void {
    this.room += length;
  }
}

function outputsOn(file: TestFile | TestPipe, kinds: readonly boolean[]) {
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

describe('a pipe with a slow reader', () => {
  for (const kinds of [
    [true, true],
    [true, false],
    [false, false],
  ]) {
    it(`has whole lines of two threads (buffered: ${kinds.join(', ')})`, () => {
      const pipe = new TestPipe();
      const { outputs, tick, lost } = outputsOn(pipe, kinds);
      const lines: string[] = [];
      for (let i = 0; i < 2000; i++) {
        const thread = i % 2;
        const line = JSON.stringify({ thread, i, path: 'x'.repeat((i * 37) % 400) });
        lines.push(line);
        outputs[thread]?.write(`${line}\n`);
        if (i % 20 === 0) tick();
        if (i % 7 === 0) pipe.read(1000);
      }
      while (pipe.text.split('\n').length <= lines.length) {
        pipe.read(5000);
        tick();
      }
      assert.deepEqual(pipe.text.split('\n').slice(0, -1).toSorted(), lines.toSorted());
      assert.equal(lost(), 0);
    });
  }

  it('takes a line alone that is longer than it takes at once', () => {
    const pipe = new TestPipe();
    const calls: number[] = [];
    const outputs = outputsOn(pipe, [true]);
    const { writeSync } = pipe;
    pipe.writeSync = (bytes) => {
      calls.push(bytes.length);
      return writeSync.call(pipe, bytes);
    };
    for (const length of [10, 5000, 20, 4096, 4097])
      outputs.outputs[0]?.write(`${'x'.repeat(length - 1)}\n`);
    outputs.tick();
    outputs.tick();
    assert.deepEqual(calls, [10, 5000, 20, 4096, 4097]);
  });
});

describe('before the end of a thread, while a write is in flight,', () => {
  it('later lines wait until it has ended', () => {
    const file = new TestFile();
    const { outputs } = outputsOn(file, [true]);
    outputs[0]?.write('a\n');
    outputs[0]?.tick();
    outputs[0]?.write('b\n');
    outputs[0]?.flush();
    outputs[0]?.write('c\n');
    assert.equal(file.text, '');
    file.settle();
    assert.equal(file.text, 'a\nb\nc\n');
    outputs[0]?.write('d\n');
    assert.equal(file.text, 'a\nb\nc\nd\n');
  });

  it('lines that a full pipe does not take are counted', () => {
    const pipe = new TestPipe();
    const { outputs, lost } = outputsOn(pipe, [true]);
    pipe.room = 0;
    outputs[0]?.write('a\nb\n');
    outputs[0]?.tick();
    outputs[0]?.write('c\n');
    outputs[0]?.flush();
    pipe.settle();
    assert.equal(lost(), 3);
    pipe.read(100);
    outputs[0]?.tick();
    assert.equal(pipe.text, 'lost 3 0\n');
  });
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
        bytesMax: Number.POSITIVE_INFINITY,
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
