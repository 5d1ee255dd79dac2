/** A load generator: keep-alive connections that each send the next request after an answer. */
import { connect, type Socket } from 'node:net';

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
  /** Added to each path, so that no request is asked twice. */
  readonly suffix?: ((request: number) => string) | undefined;
  /** The status of every answer; 200 otherwise. */
  readonly status?: number | undefined;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** How long each request took, sorted. */
  readonly latenciesMs: readonly number[];
}

/** Counts answers to requests that were sent before the time was up; throws at another status. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const { targets, suffix, status = 200 } = load;
  const prepared = suffix === undefined ? targets.map((target) => requestBytes(target)) : [];
  const latenciesMs: number[] = [];
  const startMs = performance.now();
  const endMs = startMs + load.durationMs;
  let next = 0;

  const take = (): Buffer => {
    next += 1;
    const place = next % targets.length;
    if (suffix === undefined) return prepared[place]!;
    return requestBytes(targets[place]!, suffix(next));
  };

  const run = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let pending: Buffer = Buffer.alloc(0);
      let sentMs = 0;
      const send = () => {
        sentMs = performance.now();
        if (sentMs < endMs) {
          socket.write(take());
          return;
        }
        socket.destroy();
        resolve();
      };
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the server closed a connection')));
      socket.on('data', (chunk: Buffer) => {
        try {
          pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
          const length = answerLength(pending, status);
          if (length === undefined || pending.length < length) return;
        } catch (error) {
          reject(error);
          return;
        }
        pending = Buffer.alloc(0);
        latenciesMs.push(performance.now() - sentMs);
        send();
      });
      send();
    });

  await Promise.all(
    Array.from({ length: load.connections }, () =>
      run(connect({ host: '127.0.0.1', port: load.port, noDelay: true })),
    ),
  );
  return {
    requests: latenciesMs.length,
    seconds: (performance.now() - startMs) / 1000,
    latenciesMs: latenciesMs.sort((a, b) => a - b),
  };
}

function requestBytes({ method = 'GET', path, headers, body }: Target, suffix = ''): Buffer {
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries({ Host: 'localhost', ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.from(`${method} ${path}${suffix} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`);
}

/** How many bytes the answer at the beginning of a buffer has, once its headers are there. */
function answerLength(bytes: Buffer, status: number): number | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  if (bytes.toString('latin1', 9, 12) !== String(status)) {
    throw new Error(`expected ${status}, got ${bytes.toString('latin1', 0, 1000)}`);
  }
  const at = bytes.indexOf(CONTENT_LENGTH);
  if (at < 0 || at > end) return end + 4;
  return end + 4 + Number.parseInt(bytes.toString('latin1', at + CONTENT_LENGTH.length, end), 10);
}

const CONTENT_LENGTH = Buffer.from('Content-Length: ');
