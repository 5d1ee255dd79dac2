/**
 * Serves health and metrics at a separate address, which is not for clients. Metrics are in the text
 * format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from '../../fhir/request/node-http.ts';
import { type ListenFlags, listenError } from '../sockets/port.ts';

export interface OperationOptions {
  readonly host: string;
  /** The system chooses a free port for 0. */
  readonly port: number;
  /** Why the server must be restarted, or undefined. */
  readonly whyNotLive: () => string | undefined;
  readonly readiness: () => Readiness;
  readonly metrics: () => Promise<string>;
}

/** By enabled service. */
export type Readiness = ReadonlyMap<'directory' | 'orders', ServiceReadiness>;

export interface ServiceReadiness {
  /** Why it is not ready; undefined if it is ready. */
  readonly problem: string | undefined;
  /** What operators must know although it is ready. */
  readonly note?: string | undefined;
}

export interface OperationServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Throws a `ServerError` if it cannot listen. */
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

export const METRICS_FLAGS: ListenFlags = { host: '--metrics-host', port: '--metrics-port' };

export const OPERATION_PATHS = [
  '/livez',
  '/readyz',
  '/readyz/directory',
  '/readyz/orders',
  '/metrics',
] as const;

type Answers = Readonly<Record<(typeof OPERATION_PATHS)[number], () => Answer | Promise<Answer>>>;

function createOperationServer({ whyNotLive, readiness, metrics }: OperationOptions): Server {
  const byPath: Answers = {
    '/livez': () => probe({ problem: whyNotLive() }),
    '/readyz': () => probeAll(readiness()),
    '/readyz/directory': () => probeService(readiness(), 'directory'),
    '/readyz/orders': () => probeService(readiness(), 'orders'),
    '/metrics': () => metrics().then((text): Answer => [200, text, EXPOSITION_TYPE]),
  };
  const answers = new Map(Object.entries(byPath));
  const answerTo = async (method: string, url: string): Promise<Answer> => {
    const answer = answers.get(url.split('?')[0] ?? '');
    if (answer === undefined) return [404, `Not found. Try ${[...answers.keys()].join(', ')}.\n`];
    if (method !== 'GET' && method !== 'HEAD') return [405, 'Use GET.\n'];
    try {
      return await answer();
    } catch (error) {
      return [500, `${error instanceof Error ? error.message : error}\n`];
    }
  };
  return createServer(async ({ method = '', url = '' }, outgoing) => {
    const [status, body, type = 'text/plain; charset=utf-8'] = await answerTo(method, url);
    outgoing.writeHead(status, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      ...(status === 405 && { Allow: 'GET, HEAD' }),
    });
    outgoing.end(method === 'HEAD' ? undefined : body);
  });
}

function probe({ problem, note }: ServiceReadiness): Answer {
  if (problem !== undefined) return [503, `${problem}\n`];
  return [200, note === undefined ? 'ok\n' : `ok\n${note}\n`];
}

function probeService(readiness: Readiness, name: 'directory' | 'orders'): Answer {
  const service = readiness.get(name);
  return service === undefined ? [404, 'This service is switched off.\n'] : probe(service);
}

/** The server is ready while at least one service is ready. */
function probeAll(readiness: Readiness): Answer {
  const lines = [...readiness].flatMap(([name, { problem, note }]) => {
    const text = problem ?? note;
    return text === undefined ? [] : [`${name}: ${text}\n`];
  });
  const isReady = [...readiness.values()].some(({ problem }) => problem === undefined);
  return isReady ? [200, `ok\n${lines.join('')}`] : [503, lines.join('')];
}

type Answer = readonly [status: number, body: string, type?: string];

export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
}

export interface Sample {
  /** In the order of the metric's labels. */
  readonly labels: readonly (string | number)[];
  readonly value: number | HistogramValue;
}

export interface HistogramValue {
  readonly bounds: readonly number[];
  /** The count of each bucket alone. There is one more bucket than bounds. */
  readonly buckets: readonly number[];
  readonly sum: number;
}

const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Leaves out metrics without samples. */
export function encodeMetrics(
  families: Iterable<readonly [metric: Metric, samples: readonly Sample[]]>,
): string {
  const lines: string[] = [];
  for (const [metric, samples] of families) {
    if (samples.length === 0) continue;
    lines.push(`# HELP ${metric.name} ${metric.help.replace(/[\\\n]/g, escapeCharacter)}`);
    lines.push(`# TYPE ${metric.name} ${metric.type}`);
    for (const { labels, value } of samples) {
      const pairs = metric.labels.map((name, i) => pairOf(name, labels[i] ?? ''));
      if (typeof value === 'number') lines.push(lineOf(metric.name, pairs, value));
      else lines.push(...histogramLines(metric.name, pairs, value));
    }
  }
  return `${lines.join('\n')}\n`;
}

/** In the text format, the count of a bucket includes all lower buckets. */
function histogramLines(name: string, pairs: readonly string[], value: HistogramValue): string[] {
  let count = 0;
  const lines = value.buckets.map((inBucket, i) => {
    count += inBucket;
    const bound = value.bounds[i] ?? '+Inf';
    return lineOf(`${name}_bucket`, [...pairs, pairOf('le', bound)], count);
  });
  return [...lines, lineOf(`${name}_sum`, pairs, value.sum), lineOf(`${name}_count`, pairs, count)];
}

function lineOf(name: string, pairs: readonly string[], value: number): string {
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
}

function pairOf(name: string, value: string | number): string {
  return `${name}="${String(value).replace(/[\\\n"]/g, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  return character === '\n' ? '\\n' : `\\${character}`;
}
