/** Long answers over HTTP: short ones do not wait for them, and a large page is made once. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { LongAnswers } from '../../src/interfaces/answer/long-answers.ts';
import { createLongAnswers } from '../../src/interfaces/answer/long-answers.ts';
import { type DirectoryServer, editionOf, startDirectory } from './directory-server.ts';
import { fewPlaces, slowClock } from './few-places.ts';
import { organization } from './records.ts';

const COUNT = 300;
const RECORDS = Array.from({ length: COUNT }, (_, at) => organization(`A${1000 + at}`));
let server: DirectoryServer | undefined;

async function start(longAnswers: LongAnswers): Promise<DirectoryServer> {
  const edition = editionOf(RECORDS);
  server = await startDirectory({
    editions: { current: () => edition, byNumber: () => edition, longAnswers },
  });
  return server;
}

afterEach(() => server?.close());

it('short answers are given while all places are taken, and a long one afterwards', async (context) => {
  const longAnswers = fewPlaces(1, 1);
  const { get } = await start(longAnswers);
  slowClock(context);
  const place = await longAnswers.work.enter({ kind: 'reports', client: 'another' });
  const refused = await get('/fhir/R4/Organization?_count=300');
  assert.equal(refused.status, 503, refused.text);
  assert.match(refused.text, /Too many clients are downloading/);
  assert.equal((await get('/fhir/R4/Organization?_count=100')).status, 200);
  place.end();
  assert.equal((await get('/fhir/R4/Organization?_count=300')).status, 200);
  assert.equal(longAnswers.work.counts.running, 0);
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
