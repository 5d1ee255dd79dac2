/** A listener behind a gate, and a core that says little. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import type { Handle } from '../../src/fhir/handle.ts';
import { ERROR_ROWS, FhirError } from '../../src/fhir/request/fhir-error.ts';
import type { FhirResponse } from '../../src/fhir/request/request.ts';
import type { ListenerOptions } from '../../src/server/http-listener.ts';
import { createGate, createGateMemory, type GateLimits } from '../../src/server/limits/gate.ts';
import { createPeerOf } from '../../src/server/request-parts.ts';
import { type Client, listen } from './listening.ts';

/** A listener behind a gate; the limits are wide unless told. */
export async function listenTo(
  context: TestContext,
  options: Partial<ListenerOptions>,
  limits: Partial<GateLimits> = {},
  delay = { lastingMs: 0 },
) {
  const gateLimits = {
    connections: 1000,
    connectionsPerClient: 0,
    bodyBytesInFlight: 1024 ** 2,
    bodyBytesPerClient: 1024 ** 2,
    waiting: 100,
    waitingPerClient: 100,
    requestsPerSecond: 0,
    delayMs: 0,
    ...limits,
  };
  const memory = createGateMemory(gateLimits, 1, 42);
  const refusals: string[] = [];
  const listening = await listen(context, {
    handle: handleBriefly,
    gate: createGate({
      limits: gateLimits,
      memory,
      thread: 0,
      peerOf: createPeerOf([]),
      delay,
      onRefusal: (refusal) => refusals.push(refusal),
    }),
    ...options,
  });
  const open = async (path: string, ...headers: string[]): Promise<Client> => {
    const lines = [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''];
    const client = listening.send(lines.join('\r\n'));
    await once(client.socket, 'connect');
    return client;
  };
  return { ...listening, open, memory, refusals };
}

/** Says 200, or what the request is refused for; the full answer is the core's business. */
const handleBriefly: Handle = ({ refusal, readBody }) => {
  if (refusal !== undefined) return refuse(refusal);
  const fine = { status: 200, headers: [], body: 'fine' };
  return readBody === undefined ? fine : readBody('resource').then(() => fine, refuse);
};

function refuse(error: unknown): FhirResponse {
  assert.ok(error instanceof FhirError);
  const { status } = ERROR_ROWS[error.issues[0].kind];
  return { status, headers: error.headers, body: error.message };
}
