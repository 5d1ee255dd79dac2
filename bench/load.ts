/** A load generator. Each connection sends its next request after an answer. */
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { answerEnd } from './answer-end.ts';

export interface Target {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Load {
  readonly port: number;
  /** The connections send them one after the other. */
  readonly targets: readonly Target[];
  readonly connections: number;
  readonly durationMs: number;
  /** Replace each `MARKER` in a request by a new number, so that no two requests are the same. */
  readonly isFresh?: boolean | undefined;
  /** The status of every answer; 200 otherwise. */
  readonly status?: number | undefined;
  /** The number of requests that a connection sends at once. The default is 1. */
  readonly pipelined?: number;
  /** Open a connection for each request. */
  readonly isConnecting?: boolean;
  /** Use TLS, and accept any certificate. */
  readonly isTls?: boolean;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** How long each request took, sorted. */
  readonly latenciesMs: readonly number[];
}

/** A placeholder in a path, header or body, as long as the number of 16 digits that replaces it. */
export const MARKER = '{fresh---number}';

/** Counts answers to requests that were sent before the time was up; throws at another status. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const startMs = performance.now();
  const run = { load, take: takerOf(load), latenciesMs, endMs: startMs + load.durationMs };
  await Promise.all(Array.from({ length: load.connections }, () => useConnections(run)));
  return {
    requests: latenciesMs.length,
    seconds: (performance.now() - startMs) / 1000,
    latenciesMs: latenciesMs.sort((a, b) => a - b),
  };
}

interface Run {
  readonly load: Load;
  /** The bytes to send next. */
  readonly take: () => Buffer;
  readonly latenciesMs: number[];
  readonly endMs: number;
}

/** Opens one connection after the other until the time is up. */
async function useConnections(run: Run): Promise<void> {
  do await useConnection(run);
  while (performance.now() < run.endMs);
}

function useConnection({ load, take, latenciesMs, endMs }: Run): Promise<void> {
  const { status = 200, pipelined = 1, isConnecting = false } = load;
  return new Promise<void>((resolve, reject) => {
    let pending: Buffer = Buffer.alloc(0);
    let missing = pipelined;
    let sentMs = performance.now();
    const socket = openSocket(load);
    const finish = () => {
      socket.destroy();
      resolve();
    };
    const send = () => {
      if (sentMs < endMs) socket.write(take());
      else finish();
    };
    const read = () => {
      let at = 0;
      while (missing > 0) {
        const end = answerEnd(pending, at, status);
        if (end === undefined) break;
        missing -= 1;
        at = end;
      }
      pending = pending.subarray(at);
      if (missing > 0) return;
      missing = pipelined;
      const nowMs = performance.now();
      for (let i = 0; i < pipelined; i++) latenciesMs.push(nowMs - sentMs);
      sentMs = nowMs;
      if (isConnecting) finish();
      else send();
    };
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection')));
    socket.on('data', (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      try {
        read();
      } catch (error) {
        reject(error);
      }
    });
    send();
  });
}

function openSocket({ port, isTls = false }: Load): Socket {
  const address = { host: '127.0.0.1', port };
  if (isTls) return connectTls({ ...address, rejectUnauthorized: false }).setNoDelay(true);
  return connect({ ...address, noDelay: true });
}

function takerOf({ targets, isFresh = false, pipelined = 1 }: Load): () => Buffer {
  const texts = targets.map((target) => requestText(target));
  const prepared = isFresh ? [] : texts.map((text) => Buffer.from(text.repeat(pipelined)));
  let next = Math.floor(Math.random() * targets.length);
  return () => {
    next = (next + 1) % targets.length;
    if (!isFresh) return prepared[next]!;
    return Buffer.from(texts[next]!.replaceAll(MARKER, freshNumber()).repeat(pipelined));
  };
}

function requestText({ method = 'GET', path, headers, body }: Target): string {
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries({ Host: 'localhost', ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

/** Different in each process: no two processes have both the same id and the same start time. */
let fresh = process.pid * 1e9 + (Date.now() % 1e6) * 1000;

function freshNumber(): string {
  fresh += 1;
  return String(fresh).padStart(MARKER.length, '0');
}
