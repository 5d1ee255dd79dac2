/** The client that others make wait: plain searches, one at a time at a modest rate. */
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { exchange, openConnection } from '../raw-client.ts';
import type { AskedRequest } from '../worst/endpoints/case.ts';

/** A search, in milliseconds from sending it to the last byte of its answer. */
export interface SearchTimes {
  /** Whether it opened a connection, which is part of its time. */
  readonly isConnecting: boolean;
  readonly clockMs: number;
  /** What the thread of the server worked meanwhile: for the search, and before it. */
  readonly threadMs: number;
}

export interface PlainClient {
  /**
   * Searches while the condition holds, with a pause after each search. Every second search opens a
   * connection; the others share one, which is opened first.
   */
  search(isWanted: (count: number) => boolean, pauseMs: number): Promise<readonly SearchTimes[]>;
}

export interface PlainClientOptions {
  readonly port: number;
  /** Each search is another one, so that none is kept, until all have been used. */
  readonly searches: readonly AskedRequest[];
  /** The milliseconds that the thread of the server has worked. */
  readonly threadMs: () => number;
}

export function createPlainClient(options: PlainClientOptions): PlainClient {
  const { port, searches, threadMs } = options;
  let next = 0;
  const searchOnce = async (kept: Socket): Promise<SearchTimes> => {
    const isConnecting = next % 2 === 1;
    const asked = searches[next++ % searches.length]!;
    const before = { clockMs: performance.now(), threadMs: threadMs() };
    const socket = isConnecting ? await connectTo(port) : kept;
    await ask(socket, asked);
    const clockMs = performance.now() - before.clockMs;
    const times = { isConnecting, clockMs, threadMs: threadMs() - before.threadMs };
    if (isConnecting) socket.destroy();
    return times;
  };
  return {
    search: async (isWanted, pauseMs) => {
      const times: SearchTimes[] = [];
      // The server closes a connection that is not used for seconds.
      const kept = await connectTo(port);
      try {
        while (isWanted(times.length)) {
          times.push(await searchOnce(kept));
          if (pauseMs > 0) await delay(pauseMs);
        }
      } finally {
        kept.destroy();
      }
      return times;
    },
  };
}

async function connectTo(port: number): Promise<Socket> {
  const socket = await openConnection(port);
  if (socket === undefined) throw new Error('the server accepts no connection');
  return socket;
}

async function ask(socket: Socket, { path, query }: AskedRequest): Promise<void> {
  const sent = `GET ${path}?${query} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const { answers, end } = await exchange(socket, sent, 1);
  const [answer] = answers;
  if (answer?.status !== 200) throw new Error(`a plain search failed: ${answer?.head ?? end}`);
}
