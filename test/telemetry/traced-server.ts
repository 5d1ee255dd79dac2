/** Servers with the sample, whose traces tests follow. */
import assert from 'node:assert/strict';
import { importedSample } from '../imported-sample.ts';
import { type Server, serve } from '../journeys/program.ts';
import type { Owner } from '../owner.ts';
import type { ReceivedSpan } from './otlp-receiver.ts';

export const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
export const CALLER = '00f067aa0ba902b7';
export const SAMPLED = {
  traceparent: `00-${TRACE}-${CALLER}-01`,
  tracestate: 'congo=t61rcWkgMzE',
};

/** A server with the sample, and its data folder. */
export async function serveSample(owner: Owner, words: readonly string[]) {
  const data = await importedSample(owner);
  return { data, server: await serve(owner, ['--data', data, ...words]) };
}

/** Settings that send telemetry. */
export function toCollector(endpoint: string, ...words: string[]): string[] {
  return ['--telemetry-endpoint', endpoint, ...words];
}

export async function get(url: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(url, { headers });
  await answer.arrayBuffer();
  return answer.status;
}

/** The first span with the name. */
export function spanOf(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.find((span) => span.name === name);
  assert.ok(found, `no span ${name} in ${spans.map((span) => span.name).join(', ')}`);
  return found;
}

/** The traces in the log lines of requests. Call it when the server has ended. */
export function loggedTraces({ log }: Server): unknown[] {
  return log.filter(({ msg }) => msg === 'request').map(({ traceId }) => traceId);
}
