/** Health and metrics, on an address of their own that is not for clients. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { EXPOSITION_TYPE } from './exposition.ts';
import { type ListenFlags, listenError } from './port.ts';

export interface OperationOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Why the server should be ended and started anew, or nothing. */
  readonly whyNotLive: () => string | undefined;
  /** Why it should be sent no requests, or nothing. */
  readonly whyNotReady: () => string | undefined;
  readonly metrics: () => string;
}

export interface OperationServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Throws a `ServerError` where it cannot listen. */
export async function startOperationServer(options: OperationOptions): Promise<OperationServer> {
  const server = createOperationServer(options);
  const { host, port } = options;
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error, host, port, METRICS_FLAGS);
  }
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const METRICS_FLAGS: ListenFlags = { host: '--metrics-host', port: '--metrics-port' };

function createOperationServer({ whyNotLive, whyNotReady, metrics }: OperationOptions): Server {
  const probe = (why: string | undefined): Answer =>
    why === undefined ? [200, 'ok\n'] : [503, `${why}\n`];
  const answers: ReadonlyMap<string, () => Answer> = new Map([
    ['/livez', () => probe(whyNotLive())],
    ['/readyz', () => probe(whyNotReady())],
    ['/metrics', (): Answer => [200, metrics(), EXPOSITION_TYPE]],
  ]);
  return createServer(({ method = '', url = '' }, outgoing) => {
    const answer = answers.get(url.split('?')[0] ?? '');
    const isReading = method === 'GET' || method === 'HEAD';
    const [status, body, type = 'text/plain; charset=utf-8']: Answer =
      answer === undefined
        ? [404, `There is ${[...answers.keys()].join(', ')}.\n`]
        : isReading
          ? answer()
          : [405, 'Use GET.\n'];
    outgoing.writeHead(status, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      ...(status === 405 ? { Allow: 'GET, HEAD' } : {}),
    });
    outgoing.end(method === 'HEAD' ? undefined : body);
  });
}

type Answer = readonly [status: number, body: string, type?: string];
