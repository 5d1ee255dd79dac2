/**
 * Large pages, expansions and lists of events are long answers: each has a place from its second
 * slice on, waits for one, and ends with its client.
 */
import assert from 'node:assert/strict';
import { afterEach, describe, it, type TestContext } from 'node:test';
import type { LongAnswers } from '../../src/interfaces/answer/long-answers.ts';
import { createLongAnswers } from '../../src/interfaces/answer/long-answers.ts';
import { type DirectoryServer, editionOf, SETTINGS, startDirectory } from './directory-server.ts';
import { fewPlaces } from './few-places.ts';
import { organization } from './records.ts';

const COUNT = 300;
const RECORDS = Array.from({ length: COUNT }, (_, at) => organization(`A${1000 + at}`));
const EXPAND = JSON.stringify({
  resourceType: 'Parameters',
  parameter: [
    {
      name: 'valueSet',
      resource: {
        resourceType: 'ValueSet',
        status: 'active',
        compose: {
          include: [
            {
              system: SETTINGS.organizationCodeSystem,
              filter: [{ property: 'lastChangeDate', op: '=', value: 'ge1900-01-01' }],
            },
          ],
        },
      },
    },
    { name: 'property', valueCode: 'name' },
  ],
});

interface Case {
  readonly kind: string;
  ask(server: DirectoryServer): ReturnType<DirectoryServer['get']>;
}

const CASES: readonly Case[] = [
  {
    kind: 'large pages',
    ask: (server) => server.get('/fhir/R4/Organization?_count=300'),
  },
  {
    kind: 'expansions',
    ask: (server) =>
      server.post('/fhir/R4/ValueSet/$expand', EXPAND, {
        'content-type': 'application/fhir+json',
      }),
  },
  {
    kind: 'lists of events',
    ask: (server) => server.get('/fhir/events?since=1900-01-01'),
  },
];

let server: DirectoryServer | undefined;

async function start(longAnswers: LongAnswers): Promise<DirectoryServer> {
  const edition = editionOf(RECORDS);
  server = await startDirectory({
    editions: { current: () => edition, byNumber: () => edition, longAnswers },
  });
  return server;
}

/** Every look at the clock takes three milliseconds, so that work has many slices. */
function slowClock({ mock }: TestContext): void {
  let now = 0;
  mock.method(performance, 'now', () => {
    now += 3;
    return now;
  });
}

afterEach(() => server?.close());

describe('a long answer without a free place', () => {
  for (const { kind, ask } of CASES) {
    it(`is refused with the time to try again: ${kind}`, async (context) => {
      const longAnswers = fewPlaces(1, 1);
      const { get } = await start(longAnswers);
      slowClock(context);
      const place = await longAnswers.work.enter({ kind: 'reports', client: 'another' });
      const refused = await ask(server!);
      assert.equal(refused.status, 503, refused.text);
      assert.equal(refused.headers.get('retry-after'), '5');
      assert.match(refused.text, /Too many clients are downloading/);
      assert.equal((await get('/fhir/R4/Organization?_count=100')).status, 200);
      place.end();
      assert.equal((await ask(server!)).status, 200);
      assert.equal(longAnswers.work.counts.running, 0);
    });
  }
});

describe('a large page', () => {
  it('is made once for all who ask for it', async (context) => {
    const longAnswers = createLongAnswers({
      places: { inAll: 1, ofKind: 1, ofClient: 1 },
      waitMs: 0,
      keptBytesMax: 16 * 1024 ** 2,
    });
    const { get } = await start(longAnswers);
    const asked = '/fhir/R4/Organization?_count=300';
    const first = await get(asked);
    const entered = context.mock.method(longAnswers.work, 'enter');
    const second = await get(asked);
    assert.equal(second.text, first.text);
    assert.equal(entered.mock.callCount(), 0);
    assert.notEqual((await get(`${asked}&_format=xml`)).text, first.text);
  });

  it('with few matches needs no place', async () => {
    const longAnswers = fewPlaces(0, 0);
    const { get } = await start(longAnswers);
    const found = await get('/fhir/R4/Organization?_count=300&identifier=A1001');
    assert.equal(found.status, 200);
    assert.equal(JSON.parse(found.text).total, 1);
  });
});
