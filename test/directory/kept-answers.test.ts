/** Answers that are dear to make are kept: made once, whole for each reader, within a number of bytes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AnswerKey, createKeptAnswers } from '../../src/interfaces/answer/kept-answers.ts';
import { repetitions } from '../campaign.ts';
import { fc } from '../property.ts';

const owner = {};
const key = (name: string): AnswerKey => ({ owner, name });
const PIECE = 100;

/** An answer of so many pieces, with a count of how often it was made and ended. */
function scripted(pieces: number, character = 'x') {
  const made = { times: 0, ended: 0 };
  return {
    made,
    text: character.repeat(pieces * PIECE),
    *make() {
      made.times += 1;
      try {
        for (let at = 0; at < pieces; at++) yield Buffer.from(character.repeat(PIECE));
      } finally {
        made.ended += 1;
      }
    },
  };
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(pieces)).toString();
}

describe('an answer', () => {
  it('is made once, also for readers at the same time', async () => {
    const kept = createKeptAnswers(1_000_000);
    const { make, made, text } = scripted(20);
    const both = await Promise.all([1, 2].map(() => textOf(kept.open(key('a'), make))));
    assert.deepEqual(both, [text, text]);
    assert.equal(await textOf(kept.open(key('a'), make)), text);
    assert.deepEqual(made, { times: 1, ended: 1 });
  });

  it('is made anew for another owner, and dropped with its own', async () => {
    const kept = createKeptAnswers(1_000_000);
    const { make, made } = scripted(3);
    const other = { owner: {}, name: 'a' };
    await textOf(kept.open(key('a'), make));
    await textOf(kept.open(other, make));
    assert.equal(made.times, 2);
    kept.retain(new Set([other.owner]));
    await textOf(kept.open(other, make));
    assert.equal(made.times, 2);
    await textOf(kept.open(key('a'), make));
    assert.equal(made.times, 3);
  });

  it('is not kept if it is longer than half of all, but readers share it', async () => {
    const kept = createKeptAnswers(20_000);
    const { make, made, text } = scripted(100);
    const both = [1, 2].map(() => textOf(kept.open(key('a'), make)));
    assert.deepEqual(await Promise.all(both), [text, text]);
    assert.equal(made.times, 1);
    assert.equal(kept.bytes, 0);
    assert.equal(await textOf(kept.open(key('a'), make)), text);
    assert.equal(made.times, 2);
  });

  it('that nobody reads to its end stops being made, and is whole for the next reader', async () => {
    const kept = createKeptAnswers(1_000_000);
    const { make, made, text } = scripted(20);
    const late = kept.open(key('a'), make);
    const leaving = kept.open(key('a'), make)[Symbol.asyncIterator]();
    await leaving.next();
    await leaving.return?.();
    assert.deepEqual(made, { times: 1, ended: 1 });
    assert.equal(kept.bytes, 0);
    assert.equal(await textOf(late), text);
    assert.equal(await textOf(kept.open(key('a'), make)), text);
  });

  it('is unwanted as soon as its last reader leaves, also within a piece', async () => {
    const kept = createKeptAnswers(1_000_000);
    const within = Promise.withResolvers<AbortSignal>();
    const { text } = scripted(3);
    let times = 0;
    const make = async function* (unwanted: AbortSignal) {
      times += 1;
      if (times === 1) {
        within.resolve(unwanted);
        await new Promise<void>((resolve) => {
          unwanted.addEventListener('abort', () => resolve());
        });
        return;
      }
      yield Buffer.from(text);
    };
    const left = new AbortController();
    const leaving = textOf(kept.open(key('a'), make, left.signal));
    const late = kept.open(key('a'), make);
    const unwanted = await within.promise;
    left.abort();
    assert.equal(unwanted.aborted, true);
    assert.equal(kept.bytes, 0);
    assert.equal(await leaving, '');
    assert.equal(await textOf(late), text);
    assert.equal(await textOf(kept.open(key('a'), make)), text);
  });

  it('is still wanted when one of its readers leaves', async () => {
    const kept = createKeptAnswers(1_000_000);
    const { make, made, text } = scripted(20);
    const left = new AbortController();
    const leaving = kept.open(key('a'), make, left.signal)[Symbol.asyncIterator]();
    await leaving.next();
    const other = textOf(kept.open(key('a'), make));
    left.abort();
    assert.equal((await leaving.next()).done, true);
    assert.equal(await other, text);
    assert.equal(made.times, 1);
  });

  it('whose making fails rejects for all its readers, and is made anew', async () => {
    const kept = createKeptAnswers(1_000_000);
    let times = 0;
    const make = function* () {
      yield Buffer.from('begin');
      times += 1;
      if (times === 1) throw new Error('fault');
      yield Buffer.from('end');
    };
    const readers = [1, 2].map(() => textOf(kept.open(key('a'), make)));
    for (const reader of readers) await assert.rejects(reader, { message: 'fault' });
    assert.equal(await textOf(kept.open(key('a'), make)), 'beginend');
  });
});

it('readers in any order get whole answers, and no more bytes are kept than allowed', async () => {
  const bytesMax = 12_000;
  const steps = fc.array(
    fc.record({
      which: fc.nat({ max: 5 }),
      reads: fc.nat({ max: 40 }),
      isAbandoned: fc.boolean(),
    }),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const kept = createKeptAnswers(bytesMax);
      const answers = [1, 5, 12, 20, 29, 80].map((pieces, at) => scripted(pieces, `${at}`));
      const unfinished: Promise<void>[] = [];
      for (const { which, reads, isAbandoned } of taken) {
        const answer = answers[which]!;
        const left = new AbortController();
        const pieces = kept.open(key(`${which}`), answer.make, left.signal);
        const reader = pieces[Symbol.asyncIterator]();
        const parts: Uint8Array[] = [];
        const read = async (most: number): Promise<boolean> => {
          for (let at = 0; at < most; at++) {
            const { done, value } = await reader.next();
            if (done === true) return true;
            parts.push(value);
            assert.ok(kept.bytes <= bytesMax);
          }
          return false;
        };
        const isDone = await read(reads);
        if (isAbandoned) left.abort();
        if (isAbandoned && reads % 2 === 0) await reader.return?.();
        if (isAbandoned) continue;
        const finish = async () => {
          if (!isDone) assert.equal(await read(1000), true);
          assert.equal(Buffer.concat(parts).toString(), answer.text);
        };
        unfinished.push(finish());
      }
      await Promise.all(unfinished);
    }),
    { numRuns: repetitions(40, 400) },
  );
});
