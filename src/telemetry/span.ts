/** The spans of a trace: the interface between the program and OpenTelemetry. */
import type { TraceContext } from './trace-context.ts';

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
