/**
 * Clients in a process of their own, each at its own address. Each asks for an answer, ends its
 * connection after a random time, and asks for the next.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Random, randomFor } from '../../scripts/release/random.ts';
import type { AskedRequest } from '../worst/endpoints/case.ts';

export interface ToLeavingClients {
  readonly port: number;
  /** The clients draw from them. */
  readonly requests: readonly AskedRequest[];
  readonly clients: number;
  readonly durationMs: number;
  /** The same seed draws the same requests and times. */
  readonly seed: number;
}

export interface LeavingCounts {
  readonly asked: number;
  /** Those whose answer had begun when the client left, and those that had all of it. */
  readonly begun: number;
  readonly whole: number;
  /** Answers with another status than 200. */
  readonly refused: Readonly<Record<number, number>>;
  /** What this process used of a core. */
  readonly busy: number;
}

const STAYS_MS_MIN = 10;
const STAYS_MS_MAX = 300;

process.on('message', async (message: ToLeavingClients) => {
  process.send?.(await askAndLeave(message));
});
process.once('disconnect', () => process.exit());

async function askAndLeave(message: ToLeavingClients): Promise<LeavingCounts> {
  const before = process.cpuUsage();
  const startMs = performance.now();
  const counts = { asked: 0, begun: 0, whole: 0, refused: {} as Record<number, number> };
  const useClient = async (client: number) => {
    const random = randomFor(message.seed, client);
    // Elsewhere, only one address of 127.0.0.0/8 is this machine: all clients share its limits.
    const localAddress = process.platform === 'linux' ? `127.0.1.${1 + client}` : undefined;
    while (performance.now() - startMs < message.durationMs) {
      const { isWhole, status } = await askOnce(message, localAddress, random);
      counts.asked += 1;
      if (isWhole) counts.whole += 1;
      if (status === undefined) continue;
      counts.begun += 1;
      if (status !== 200) {
        counts.refused[status] = (counts.refused[status] ?? 0) + 1;
      }
    }
  };
  await Promise.all(Array.from({ length: message.clients }, (_, client) => useClient(client)));
  const { user, system } = process.cpuUsage(before);
  return { ...counts, busy: (user + system) / 1000 / (performance.now() - startMs) };
}

/** A client whose answer comes earlier stays as long. */
async function askOnce(
  { port, requests }: ToLeavingClients,
  localAddress: string | undefined,
  random: Random,
): Promise<{ readonly isWhole: boolean; readonly status: number | undefined }> {
  const text = requestText(random.pick(requests), random.isChance(5000));
  const staysMs = STAYS_MS_MIN + random.below(STAYS_MS_MAX - STAYS_MS_MIN + 1);
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, localAddress });
  let status: number | undefined;
  let isWhole = false;
  socket.on('error', () => {});
  socket.on('data', (piece: Buffer) => {
    status ??= Number(piece.toString('latin1', 'HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
  });
  socket.on('end', () => {
    isWhole = true;
  });
  socket.write(text);
  await delay(staysMs);
  const closed = once(socket, 'close');
  if (!socket.closed) {
    socket.destroy();
    await closed;
  }
  return { isWhole, status };
}

function requestText({ method, path, query, headers, body }: AskedRequest, isGzip: boolean) {
  const target = query === undefined ? path : `${path}?${query}`;
  const all = {
    host: 'localhost',
    // The end of the connection shows the end of the answer.
    connection: 'close',
    ...headers,
    ...(isGzip && { 'accept-encoding': 'gzip' }),
    ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}
