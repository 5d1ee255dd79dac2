/** The body of an answer as a text: as much as is shown, and nothing is made beyond it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAnswer } from '../../../src/web/fhir/read-answer.ts';

const ANSWER = { status: 200, headers: [] };

describe('the text of an answer', () => {
  it('is the whole body, if the body is short enough', async () => {
    for (const body of ['ab', Buffer.from('ab')]) {
      assert.deepEqual(await readAnswer({ ...ANSWER, body }, 2), { text: 'ab', isWhole: true });
      assert.deepEqual(await readAnswer({ ...ANSWER, body }, 1), { text: 'a', isWhole: false });
    }
    assert.deepEqual(await readAnswer(ANSWER, 1), { text: '', isWhole: true });
  });

  it('has no part of a character', async () => {
    assert.deepEqual(await readAnswer({ ...ANSWER, body: 'aé€' }, 5), {
      text: 'aé',
      isWhole: false,
    });
    const pieces = [
      Buffer.from('a'),
      Buffer.from('é').subarray(0, 1),
      Buffer.from('é').subarray(1),
    ];
    assert.deepEqual(await readAnswer({ ...ANSWER, pieces }, 9), { text: 'aé', isWhole: true });
  });

  it('ends pieces that go on, and says that the answer is closed', async () => {
    const events: string[] = [];
    const pieces = (function* () {
      try {
        for (let i = 0; ; i++) {
          events.push(`piece ${i}`);
          yield Buffer.from('abcd');
        }
      } finally {
        events.push('ended');
      }
    })();
    const onClosed = () => void events.push('closed');
    const text = await readAnswer({ ...ANSWER, pieces, onClosed }, 6);
    assert.deepEqual(text, { text: 'abcdab', isWhole: false });
    assert.deepEqual(events, ['piece 0', 'piece 1', 'ended', 'closed']);
  });

  it('gives the bytes of a body back, after their last use', async () => {
    const body = Buffer.from('abc');
    const given: Uint8Array[] = [];
    const release = (bytes: Uint8Array) => {
      given.push(bytes);
      bytes.fill(0);
    };
    assert.deepEqual(await readAnswer({ ...ANSWER, body, release }, 9), {
      text: 'abc',
      isWhole: true,
    });
    assert.deepEqual(given, [body]);
  });

  it('closes the answer, and rejects, if making the body fails', async () => {
    let isClosed = false;
    const pieces = (function* () {
      yield Buffer.from('a');
      throw new Error('it fails');
    })();
    const onClosed = () => {
      isClosed = true;
    };
    await assert.rejects(readAnswer({ ...ANSWER, pieces, onClosed }, 9), /it fails/);
    assert.ok(isClosed);
  });
});
