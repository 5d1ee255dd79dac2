/** A small collector: it receives spans by OTLP over HTTP as JSON. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';
import { listenOnLoopback } from '../loopback.ts';
import type { Owner } from '../owner.ts';

export interface ReceivedSpan {
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
  /** 2: an error. */
  readonly status: number;
  readonly startNs: bigint;
  readonly endNs: bigint;
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Scope {
  readonly spans: readonly {
    readonly name: string;
    readonly kind: number;
    readonly traceId: string;
    readonly spanId: string;
    readonly parentSpanId?: string;
    readonly traceState?: string;
    readonly attributes: readonly KeyValue[];
    readonly status: { readonly code?: number };
    readonly startTimeUnixNano: string;
    readonly endTimeUnixNano: string;
  }[];
}

interface Payload {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly Scope[];
  }[];
}

export interface OtlpReceiver {
  readonly endpoint: string;
  readonly spans: readonly ReceivedSpan[];
  /** Of every export. */
  readonly headers: readonly IncomingHttpHeaders[];
  /** Resolves when a span has the name. */
  span(name: string): Promise<ReceivedSpan>;
}

/** `answer`: the status of its answers, `never`, or `endless` for an answer that never ends. */
export async function startOtlpReceiver(
  owner: Owner,
  answer: number | 'never' | 'endless' = 200,
): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const headers: IncomingHttpHeaders[] = [];
  let wake = Promise.withResolvers<void>();
  const server = createServer(async (incoming, outgoing) => {
    const payload = (await json(incoming)) as Payload;
    headers.push(incoming.headers);
    spans.push(...spansIn(payload));
    if (answer === 'endless') {
      outgoing.writeHead(200, JSON_HEADERS);
      const pieces = setInterval(() => outgoing.write(' '), 50);
      outgoing.on('close', () => clearInterval(pieces));
    } else if (answer !== 'never') outgoing.writeHead(answer, JSON_HEADERS).end('{}');
    wake.resolve();
    wake = Promise.withResolvers();
  });
  owner.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const port = await listenOnLoopback(server);
  const when = async <Found>(find: () => Found | undefined): Promise<Found> => {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await wake.promise;
    }
  };
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    headers,
    span: (name) => when(() => spans.find((span) => span.name === name)),
  };
}

const JSON_HEADERS = { 'Content-Type': 'application/json' };

function spansIn({ resourceSpans = [] }: Payload): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map(({ startTimeUnixNano, endTimeUnixNano, status, ...span }) => ({
        ...span,
        attributes: valuesOf(span.attributes),
        resource: valuesOf(resource.attributes),
        status: status.code ?? 0,
        startNs: BigInt(startTimeUnixNano),
        endNs: BigInt(endTimeUnixNano),
      })),
    ),
  );
}

function valuesOf(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
