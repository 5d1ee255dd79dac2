/** Fifty clients ask for the dearest answers and leave: others hardly wait, and nothing is left. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { REPORT_LIST } from '../../bench/worst/endpoints/bodies.ts';
import { EXAMPLE_FACTS } from '../../bench/worst/endpoints/case.ts';
import { casesOf } from '../../bench/worst/endpoints/cases.ts';
import { describedServices } from '../../scripts/described-services.ts';
import { NO_HISTORY } from '../../src/directory/edition/edition-store.ts';
import { createHandle } from '../../src/fhir/handle.ts';
import { FhirError } from '../../src/fhir/request/fhir-error.ts';
import type { FhirRequest, FhirResponse } from '../../src/fhir/request/request.ts';
import { createLongAnswers } from '../../src/interfaces/answer/long-answers.ts';
import { createMemoryRepository } from '../storage/memory-repository.ts';
import { editionOf, SOFTWARE } from './directory-server.ts';
import { organization } from './records.ts';

const CLIENTS = 50;
const COUNT = 10_000;
const EDITION = editionOf(
  Array.from({ length: COUNT }, (_, at) => ({
    ...organization(`A${10_000 + at}`),
    name: `SURGERY ${at} ROYAL MEDICAL CENTRE`,
  })),
);
const LONG_ANSWERS = createLongAnswers({
  places: { inAll: 16, ofKind: 12, ofClient: 8 },
  waitMs: 60_000,
  keptBytesMax: 8 * 1024 ** 2,
});
const { work, kept } = LONG_ANSWERS;

const described = describedServices({
  editions: { current: () => EDITION, byNumber: () => EDITION, longAnswers: LONG_ANSWERS },
  editionFiles: { pathOf: () => '', forget: () => {} },
  history: NO_HISTORY,
  store: createMemoryRepository(),
  authorize: () => {
    throw new Error('No request has a token.');
  },
});
after(() => described.web.close());
const handle = createHandle({
  ...described,
  software: SOFTWARE,
  onFault: (error) => {
    throw error;
  },
});

/** Requests that need several slices, with what makes each of them another one. */
const DEAR: readonly ((client: number) => string)[] = [
  (client) => `GET /events?since=1900-01-01&until=2026-01-${10 + (client % 20)}`,
  () => 'POST /match',
  (client) => `GET /R4/Organization?_format=xml&_pretty=true&_count=${500 + client}`,
  () => 'POST /R4/ValueSet/$expand',
  () => 'POST /api/search/organisationReportSearch',
  // Of the edition alone, which has no practitioners.
  () => `GET /api/getReport?report=${REPORT_LIST}`,
  (client) => `GET /results.csv?q=surgery+${client}`,
];
const CASES = casesOf({ ...EXAMPLE_FACTS, code: 'A10000' });

interface Client {
  readonly asked: Promise<unknown>;
  leave(): void;
}

async function answerTo(request: FhirRequest): Promise<FhirResponse> {
  const answer = await handle(request);
  return answer.isUnhandled ? await described.web.handle(request) : answer;
}

function ask(method: string, target: string, client: number): Client {
  const [path = '', own] = target.split('?');
  const { query = '', headers = {}, body } = CASES[`${method} ${path}`] ?? {};
  const left = new AbortController();
  let response: FhirResponse | undefined;
  const read = async () => {
    response = await answerTo({
      method,
      path,
      query: own ?? query,
      headers,
      id: 'test',
      addressOf: () => `198.51.100.${client}`,
      leftSignal: () => left.signal,
      ...(body !== undefined && { readBody: async () => Buffer.from(body) }),
    });
    if (left.signal.aborted) response.onClosed?.();
    for await (const _piece of response.pieces ?? []) {
      if (left.signal.aborted) break;
    }
    return response.status;
  };
  return {
    asked: read().catch((error: unknown) => {
      if (!left.signal.aborted) throw error;
    }),
    leave: () => {
      left.abort(FhirError.of('unavailable', 'The client has left.'));
      response?.onClosed?.();
    },
  };
}

describe('fifty clients that ask for the dearest answers and leave', () => {
  it('let a plain search wait for two slices at most, and leave no work behind', async () => {
    const clients = Array.from({ length: CLIENTS }, (_, at) => {
      const [method = '', target = ''] = DEAR[at % DEAR.length]!(at).split(' ');
      return ask(method, target, at);
    });
    const waits: number[] = [];
    while (work.sliceCount < 300) {
      const before = work.sliceCount;
      // It comes in one turn of the event loop, and is answered in the next.
      await nextTurn();
      await ask('GET', `/STU3/Organization?name=surgery&_page=${waits.length}`, 200).asked;
      waits.push(work.sliceCount - before);
    }
    assert.ok(waits.length >= 100, `${waits.length} searches beside ${work.sliceCount} slices`);
    assert.ok(Math.max(...waits) <= 2, `a search waited for ${Math.max(...waits)} slices`);
    assert.ok(work.counts.running > 0);

    for (const client of clients) client.leave();
    await Promise.all(clients.map(({ asked }) => asked));
    // Each ends at its next slice.
    const { sliceCount } = work;
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    assert.deepEqual(work.counts, { running: 0, waiting: 0 });
    assert.ok(work.sliceCount - sliceCount <= CLIENTS, `${work.sliceCount - sliceCount} slices`);
    assert.ok(kept.bytes <= 8 * 1024 ** 2);
  });
});
