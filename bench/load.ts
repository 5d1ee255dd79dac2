/** A load generator: keep-alive connections that each send the next request after an answer. */
import { connect, type Socket } from 'node:net';

export interface Target {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Load {
  readonly port: number;
  /** Taken in turn by all connections. */
  readonly targets: readonly Target[];
  readonly connections: number;
  readonly durationMs: number;
  /** Added to each path, so that no request is asked twice. */
  readonly suffix?: (request: number) => string;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
}

/** Counts answers that began before the time was up; throws when one is not the status expected. */
export async function runLoad(load: Load, status = 200): Promise<LoadResult> {
  const requests = load.targets.map(({ path, headers }) => requestBytes(path, headers));
  const startMs = performance.now();
  const endMs = startMs + load.durationMs;
  let answered = 0;
  let next = 0;

  const take = (): Buffer | undefined => {
    if (performance.now() >= endMs) return undefined;
    next += 1;
    const place = next % requests.length;
    if (load.suffix === undefined) return requests[place];
    const target = load.targets[place];
    return target && requestBytes(target.path + load.suffix(next), target.headers);
  };

  const run = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let pending: Buffer = Buffer.alloc(0);
      const send = () => {
        const request = take();
        if (request === undefined) {
          socket.destroy();
          resolve();
        } else {
          socket.write(request);
        }
      };
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the server closed a connection')));
      socket.on('data', (chunk: Buffer) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        const length = answerLength(pending, status);
        if (length === undefined || pending.length < length) return;
        pending = Buffer.alloc(0);
        answered += 1;
        send();
      });
      send();
    });

  await Promise.all(
    Array.from({ length: load.connections }, () => {
      const socket = connect({ host: '127.0.0.1', port: load.port, noDelay: true });
      return run(socket);
    }),
  );
  return { requests: answered, seconds: (performance.now() - startMs) / 1000 };
}

function requestBytes(path: string, headers: Target['headers']): Buffer {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
}

const CONTENT_LENGTH = Buffer.from('Content-Length: ');

/** How many bytes the answer at the beginning of a buffer has, once its headers are there. */
function answerLength(bytes: Buffer, status: number): number | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  if (bytes.toString('latin1', 9, 12) !== String(status)) {
    throw new Error(`expected ${status}, got ${bytes.toString('latin1', 0, 200)}`);
  }
  const at = bytes.indexOf(CONTENT_LENGTH);
  if (at < 0 || at > end) return end + 4;
  return end + 4 + Number.parseInt(bytes.toString('latin1', at + CONTENT_LENGTH.length, end), 10);
}
