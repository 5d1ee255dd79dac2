/** The options of a client of a service, its requests and its answers. */

export interface HttpClientOptions {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The clock, in milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number, stopped: AbortSignal) => Promise<void>;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  readonly requestsPerSecond: number;
  /** A connection that sends nothing for this time is closed. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  /** Sent with each request, such as a token. All requests go to the origin of the service. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A text that no message contains, such as a key that is a part of addresses. */
  readonly secret?: string | undefined;
  readonly wording: Wording;
  readonly stopped: AbortSignal;
  /** Called with one line that contains the reason and the length of a pause. */
  readonly onPause: (line: string) => void;
}

/** The words of messages that depend on what the requests are for. */
export interface Wording {
  /** What sends the requests: `sync`. */
  readonly work: 'sync' | 'fetch';
  /** What to do after an answer with this status: a sentence, or empty. */
  readonly remedyOf: (status: number) => string;
}

export function againLater({ work }: Wording): string {
  return `${work === 'sync' ? 'Sync' : 'Fetch'} again later`;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body while it arrives. If the connection fails, the whole request is repeated. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface Ask {
  readonly url: string;
  /** What messages show instead of the address. */
  readonly name?: string;
  readonly accept: string;
  /** Further headers. Each attempt calls the function again. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Statuses other than 200 that the reader handles. Any other status ends the work. */
  readonly taken?: readonly number[];
  /** Whether a later run continues with this request. */
  readonly isKept?: boolean;
  /** The longest time for the answer as a whole. */
  readonly answerMsMax?: number;
}

export interface HttpClient {
  /** Reads an answer. The reader starts again with each attempt. Throws a SourceError. */
  ask<T>(ask: Ask, read: (answer: Answer) => Promise<T>): Promise<T>;
  /** How many requests were sent. */
  readonly requests: number;
}
