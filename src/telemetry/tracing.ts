/** Keeps the trace that the current work belongs to, and records the spans of this work. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { FhirError } from '../fhir/request/fhir-error.ts';
import { isSampled, type TraceContext, traceHeaders } from './trace-context.ts';

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  /** One of few names. It never contains an id or a value of a client. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes?: Attributes;
  /** Milliseconds since 1970; now by default. */
  readonly startMs?: number;
}

export interface SpanEnd {
  readonly attributes?: Attributes;
  /** The type of the error: a status or the name of a class, never a message. */
  readonly error?: string | undefined;
  /** Milliseconds since 1970; now by default. */
  readonly endMs?: number;
}

export interface TraceSpan {
  readonly context: TraceContext;
  /** Replaces the name when the route is known. */
  rename(name: string, attributes: Attributes): void;
  end(end?: SpanEnd): void;
}

/** Where spans are recorded. */
export interface SpanRecorder {
  /** Without a parent, the span begins a trace. */
  start(start: SpanStart, parent: TraceContext | undefined): TraceSpan;
}

/** The trace of the current work. */
interface Running {
  readonly context: TraceContext;
  /** The span of the request, if this is the request itself, and not a part of it with its own span. */
  readonly request?: TraceSpan | undefined;
}

/** Without a recorder, it only passes on the traces of callers. */
export class Tracing {
  readonly recorder: SpanRecorder | undefined;
  readonly #running = new AsyncLocalStorage<Running>();

  constructor(recorder: SpanRecorder | undefined) {
    this.recorder = recorder;
  }

  /** The trace of the current work. */
  get current(): TraceContext | undefined {
    return this.#running.getStore()?.context;
  }

  /** The span of the request, until a span begins in it. The entries of a batch do not change it. */
  get request(): TraceSpan | undefined {
    return this.#running.getStore()?.request;
  }

  /** Runs work that continues a trace; `request` is its span. */
  continue<Result>(context: TraceContext, work: () => Result, request?: TraceSpan): Result {
    return this.#running.run({ context, request }, work);
  }

  /** Begins a span of the current work. Undefined if its spans are not recorded. */
  begin(start: SpanStart): TraceSpan | undefined {
    const { current } = this;
    if (current !== undefined && !isSampled(current)) return undefined;
    return this.recorder?.start(start, current);
  }

  /** Runs work in a span, which ends when the work or its promise ends. */
  run<Result>(start: SpanStart, work: () => Result): Result {
    const span = this.begin(start);
    if (span === undefined) return work();
    return this.#running.run({ context: span.context }, () => runIn(span, work));
  }

  /** A `fetch` that passes the trace on, with a span for each request. */
  fetch(fetch: typeof globalThis.fetch): (url: string, init?: RequestInit) => Promise<Response> {
    return async (url, init = {}) => {
      const span = this.begin(requestStart(url, init));
      const context = span?.context ?? this.current;
      if (context === undefined) return await fetch(url, init);
      try {
        const response = await fetch(url, withTrace(init, context));
        const { status } = response;
        const error = status >= 400 ? { error: String(status) } : {};
        span?.end({ attributes: { 'http.response.status_code': status }, ...error });
        return response;
      } catch (error) {
        span?.end({ error: errorType(error) });
        throw error;
      }
    };
  }
}

function runIn<Result>(span: TraceSpan, work: () => Result): Result {
  const fail = (error: unknown) => span.end({ error: errorType(error) });
  try {
    const result = work();
    if (result instanceof Promise) result.then(() => span.end(), fail);
    else span.end();
    return result;
  } catch (error) {
    fail(error);
    throw error;
  }
}

/** Undefined for a `FhirError`: it is an answer to the client, not a fault. */
function errorType(error: unknown): string | undefined {
  if (error instanceof FhirError) return undefined;
  return error instanceof Error ? error.name : typeof error;
}

/** Has no path and no query: they can contain a key or an id. */
function requestStart(url: string, { method = 'GET' }: RequestInit): SpanStart {
  const { hostname, port, protocol } = new URL(url);
  const isSecure = protocol === 'https:';
  return {
    name: method,
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'server.address': hostname,
      'server.port': Number(port) || (isSecure ? 443 : 80),
      'url.scheme': isSecure ? 'https' : 'http',
    },
  };
}

function withTrace(init: RequestInit, context: TraceContext): RequestInit {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(traceHeaders(context))) headers.set(name, value);
  return { ...init, headers };
}
