/** A client of order responses that records when each request began and when its answer arrived. */
import { resourceWith } from '../journeys/orders-load.ts';

export interface OrderAnswer {
  /** 0 where there was no answer. */
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** On the clock of `process.hrtime.bigint()`. */
  readonly beganAt: bigint;
  readonly endedAt: bigint;
  /** Of a write that was acknowledged. */
  readonly stored?: StoredAt;
}

export interface StoredAt {
  readonly id: string;
  readonly version: number;
}

export interface CreateOptions {
  /** The value of an identifier. */
  readonly value?: string;
  /** Only if nothing has the identifier yet. */
  readonly isConditional?: boolean;
}

export type OrderClient = ReturnType<typeof orderClient>;

const SYSTEM = 'https://orders.example/identifier';
const ANSWER_TIMEOUT_MS = 30_000;

export function orderClient(origin: string, token: string) {
  const ask = async (
    method: string,
    path: string,
    init: RequestInit = {},
  ): Promise<OrderAnswer> => {
    const beganAt = process.hrtime.bigint();
    try {
      const answer = await fetch(origin + path, {
        method,
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
        ...init,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json+fhir',
          'content-type': 'application/json+fhir',
          ...init.headers,
        },
      });
      const text = await answer.text();
      const endedAt = process.hrtime.bigint();
      const { status, headers } = answer;
      const stored = method === 'GET' ? undefined : storedAt(answer);
      return { status, headers, text, beganAt, endedAt, ...(stored && { stored }) };
    } catch {
      const endedAt = process.hrtime.bigint();
      return { status: 0, headers: new Headers(), text: '', beganAt, endedAt };
    }
  };
  return {
    create: (mark: string, { value, isConditional = false }: CreateOptions = {}) =>
      ask('POST', '/OrderResponse', {
        body: bodyWith(
          mark,
          value === undefined ? {} : { identifier: [{ system: SYSTEM, value }] },
        ),
        headers: isConditional
          ? { 'if-none-exist': `identifier=${encodeURIComponent(`${SYSTEM}|${value}`)}` }
          : {},
      }),
    /** `base` is the version that must be the current one. */
    update: (id: string, mark: string, base?: number) =>
      ask('PUT', `/OrderResponse/${id}`, {
        body: bodyWith(mark, { id }),
        headers: base === undefined ? {} : { 'if-match': `W/"${base}"` },
      }),
    read: (id: string) => ask('GET', `/OrderResponse/${id}`),
    readVersion: (id: string, version: number) =>
      ask('GET', `/OrderResponse/${id}/_history/${version}`),
    /** The resources with the identifier. */
    search: (value: string) =>
      ask('GET', `/OrderResponse?identifier=${encodeURIComponent(`${SYSTEM}|${value}`)}`),
    /** A page of all versions; `query` as in a link of the page before. */
    changes: (query: string) => ask('GET', `/OrderResponse/_history${query}`),
    history: (id: string, count: number, query = '') =>
      ask('GET', `/OrderResponse/${id}/_history?_count=${count}${query}`),
  };
}

function bodyWith(mark: string, more: object): string {
  return JSON.stringify({ ...resourceWith(mark), ...more });
}

function storedAt({ status, headers }: Response): StoredAt | undefined {
  if (status !== 200 && status !== 201) return undefined;
  const path = headers.get('location') ?? headers.get('content-location') ?? '';
  const [, id, version] = /OrderResponse\/([^/]+)\/_history\/(\d+)/.exec(path) ?? [];
  return id === undefined ? undefined : { id, version: Number(version) };
}
