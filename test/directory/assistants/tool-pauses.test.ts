/** The pauses of a call wait only where those of its work do, so that they count its slices. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PageTime } from '../../../src/directory/ask/events/event-filter.ts';
import {
  callTool,
  createTool,
  type ToolCall,
} from '../../../src/interfaces/assistants/tools/tool.ts';
import type { Pause } from '../../../src/threads/pauses.ts';

async function callWith(
  answer: (call: ToolCall) => Promise<object>,
  pause: Pause,
  signal = new AbortController().signal,
): Promise<unknown> {
  const tool = createTool({
    name: 'test',
    title: 'Test',
    description: 'Test',
    inputs: {},
    output: {},
    answer: (_, call) => answer(call),
  });
  const onFault = (fault: unknown) => {
    throw fault;
  };
  const { structuredContent } = await callTool(tool, {}, { signal, pause, onFault });
  return structuredContent;
}

describe('the pause of a call', () => {
  it('gives a promise only at the end of a slice, so that a page of events is not cut short', async () => {
    let pauses = 0;
    const everyHundredth = () => {
      pauses += 1;
      return pauses % 100 === 0 ? Promise.resolve() : undefined;
    };
    const counted = await callWith(async ({ pause }) => {
      const time = new PageTime(pause);
      let places = 0;
      for (; !time.isOver; places++) await time.pause();
      return { places };
    }, everyHundredth);
    assert.deepEqual(counted, { places: 6000 });
  });

  it('rejects when the client has left, with and without a promise', async () => {
    for (const waits of [true, false]) {
      const left = new AbortController();
      const called = callWith(
        async ({ pause }) => {
          await pause();
          return {};
        },
        () => {
          if (!waits) return undefined;
          left.abort(new Error('left'));
          return Promise.resolve();
        },
        waits ? left.signal : AbortSignal.abort(new Error('left')),
      );
      await assert.rejects(called, /left/);
    }
  });
});
