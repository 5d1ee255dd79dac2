/**
 * The Model Context Protocol over streams: each message is a line.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */

import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { isObject } from '../../fhir/format/resource.ts';
import {
  idOf,
  type MessageId,
  parseMessage,
  RpcError,
} from '../../interfaces/assistants/messages.ts';
import {
  type AnswerMessage,
  type Reply,
  refusedReply,
} from '../../interfaces/assistants/protocol.ts';
import { limitedLines } from './lines.ts';

/** As long as a body over HTTP can be with the largest setting. */
const LINE_BYTES_MAX = 1024 ** 2;
/** Further messages are read when one of the calls has its answer. */
const CALLS_AT_ONCE = 16;

/**
 * Answers each message until the input ends, and then those calls that are still running. Ends at once
 * when `stopped` aborts.
 */
export async function serveLines(
  answerMessage: AnswerMessage,
  { input, output }: { readonly input: Readable; readonly output: Writable },
  { stopped, onFault }: { readonly stopped: AbortSignal; onFault(fault: unknown): void },
): Promise<void> {
  const running = new Set<Promise<void>>();
  const calls = new Map<MessageId, AbortController>();
  const send = async (message: object): Promise<void> => {
    if (output.write(`${JSON.stringify(message)}\n`)) return;
    await once(output, 'drain', { signal: stopped });
  };
  const run = async (call: NonNullable<Reply['run']>, id: MessageId | undefined): Promise<void> => {
    const cancelled = new AbortController();
    if (id !== undefined) calls.set(id, cancelled);
    try {
      await send(await call(AbortSignal.any([stopped, cancelled.signal])));
    } catch (error) {
      // The client no longer waits for the answer.
      if (!stopped.aborted && !cancelled.signal.aborted) onFault(error);
    } finally {
      if (id !== undefined && calls.get(id) === cancelled) calls.delete(id);
    }
  };
  const stop = () => input.destroy();
  stopped.addEventListener('abort', stop, { once: true });
  try {
    for await (const line of limitedLines(input, LINE_BYTES_MAX)) {
      if (line !== 'too long' && line.every(isSpace)) continue;
      const { sent, reply } = readLine(line, answerMessage, onFault);
      const cancelledId = cancelledBy(sent);
      if (cancelledId !== undefined) calls.get(cancelledId)?.abort();
      if (reply.message !== undefined) await send(reply.message);
      if (reply.run === undefined) continue;
      const answered = run(reply.run, idOf(sent)).finally(() => running.delete(answered));
      running.add(answered);
      if (running.size >= CALLS_AT_ONCE) await Promise.race(running);
    }
  } catch (error) {
    if (!stopped.aborted) throw error;
  } finally {
    stopped.removeEventListener('abort', stop);
  }
  await Promise.all(running);
}

function readLine(
  line: Uint8Array | 'too long',
  answerMessage: AnswerMessage,
  onFault: (fault: unknown) => void,
): { readonly sent?: unknown; readonly reply: Reply } {
  try {
    if (line === 'too long') {
      throw new RpcError('invalidRequest', `The line has more than ${LINE_BYTES_MAX} bytes.`);
    }
    const sent = parseMessage(line);
    return { sent, reply: answerMessage(sent, onFault) };
  } catch (error) {
    return { reply: refusedReply(error) };
  }
}

/** Spaces, tabs and carriage returns. */
function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

/** The id of the call that the client no longer waits for. */
function cancelledBy(sent: unknown): MessageId | undefined {
  if (!isObject(sent) || sent.method !== 'notifications/cancelled') return undefined;
  return isObject(sent.params) ? idOf({ id: sent.params.requestId }) : undefined;
}
