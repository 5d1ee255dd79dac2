/** Large answers of searches are made in small pieces while they are sent, and only a few at a time. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Edition } from '../../../src/directory/edition/edition.ts';
import { FhirError } from '../../../src/fhir/request/fhir-error.ts';
import type { FhirRequest, FhirResponse } from '../../../src/fhir/request/request.ts';
import { createReportServices } from '../../../src/interfaces/reports/service.ts';
import { RELATED_CODE_SYSTEMS, relationship } from '../../web/related-records.ts';
import { BASE, editionOf, SETTINGS } from '../directory-server.ts';
import { fewPlaces } from '../few-places.ts';
import { organization, role } from '../records.ts';

/** As many as the largest organisation of a national edition has, and more than count as large. */
const PRACTICES = 20_000;

const EDITION = editionOf(
  [
    ...Array.from({ length: PRACTICES }, (_, i) => ({
      ...organization(`A${String(i).padStart(5, '0')}`),
      relationships: [relationship('4', 'Y63', '209')],
    })),
    organization('Y63', { name: 'REGION', roles: [role('209', { isPrimary: true })] }),
  ],
  1,
  RELATED_CODE_SYSTEMS,
);

/** 32 KiB and an organisation. */
const PIECE_BYTES_MAX = 40 * 1024;

const SINGLE = { query: 'code=Y63', path: 'singleOrganisationSearchByCode' };

function createAsk(edition: Edition) {
  const [reports] = createReportServices({
    settings: SETTINGS,
    serverUrl: BASE,
    editions: { current: () => edition, byNumber: () => edition, longAnswers: fewPlaces(4) },
  });
  return async (
    { path, query = '', body }: { path: string; query?: string; body?: object },
    more: Partial<FhirRequest> = {},
  ): Promise<FhirResponse> => {
    const request: FhirRequest = {
      method: body === undefined ? 'GET' : 'POST',
      path: `${new URL(BASE).pathname}/api/search/${path}`,
      query,
      id: 'test',
      ...more,
      headers: { 'content-type': 'application/json', ...more.headers },
      ...(body && { readBody: async () => Buffer.from(JSON.stringify(body)) }),
    };
    return reports!.handle(request, (error) => {
      throw error;
    });
  };
}

const all = (batchSize: number) => ({ path: 'organisationReportSearch', body: { batchSize } });

describe('a large answer of a search', () => {
  const ask = createAsk(EDITION);

  for (const [title, wanted, count] of [
    ['a page of 100,000 organisations', all(100_000), PRACTICES + 1],
    ['an organisation with 20,000 relationships to it', SINGLE, PRACTICES],
  ] as const) {
    it(`of ${title} comes in small pieces`, async () => {
      const { status, pieces = [] } = await ask(wanted);
      assert.equal(status, 200);
      const sizes: number[] = [];
      const parts: Uint8Array[] = [];
      for await (const piece of pieces) {
        sizes.push(piece.length);
        parts.push(piece);
      }
      assert.ok(Math.max(...sizes) <= PIECE_BYTES_MAX, String(Math.max(...sizes)));
      assert.ok(sizes.length > 100);
      const { orgArray, relationships } = JSON.parse(Buffer.concat(parts).toString());
      assert.equal((orgArray ?? relationships['GP PRACTICE']).length, count);
    });
  }

  it('is the same compressed', async () => {
    const plain = await ask(SINGLE);
    const zipped = await ask(SINGLE, { headers: { 'accept-encoding': 'gzip' } });
    const bytesOf = ({ pieces = [] }: FhirResponse) => buffer(Readable.from(pieces));
    assert.deepEqual(gunzipSync(await bytesOf(zipped)), await bytesOf(plain));
  });

  it('is made only as far as it is read', async () => {
    let read = 0;
    const { rows } = EDITION;
    const recordAt = (row: number) => {
      read += 1;
      return rows.recordAt(row);
    };
    const { pieces = [] } = await createAsk({ ...EDITION, rows: { ...rows, recordAt } })(
      all(100_000),
    );
    for await (const piece of pieces) {
      assert.ok(piece.length > 0);
      break;
    }
    assert.ok(read > 0 && read < PRACTICES / 10, String(read));
  });

  it('is 503 for the fifth of a client at the same time, but a small answer is not', async () => {
    const asks = createAsk(EDITION);
    const own = { addressOf: () => '192.0.2.1' };
    const held = await Promise.all(Array.from({ length: 4 }, () => asks(all(1001), own)));
    assert.deepEqual(
      held.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    for (const wanted of [all(1001), SINGLE]) {
      const refused = await asks(wanted, own);
      assert.equal(refused.status, 503);
      assert.match(String(refused.body), /"error":"Your network address is already downloading/);
      assert.ok(refused.headers.includes('Retry-After'));
    }
    assert.equal((await asks(all(1000), own)).status, 200);
    assert.equal((await asks(all(1001), { addressOf: () => '192.0.2.99' })).status, 200);
    for (const { pieces } of held) if (pieces instanceof Readable) pieces.destroy();
  });
});

it('a search without a token is refused before its body is read', async () => {
  const [reports] = createReportServices({
    settings: SETTINGS,
    serverUrl: BASE,
    editions: { current: () => EDITION, byNumber: () => EDITION },
    authorize: () => {
      throw FhirError.of('unauthorized', 'The token is missing.');
    },
  });
  const answer = await reports!.handle(
    {
      method: 'POST',
      path: `${new URL(BASE).pathname}/api/search/organisationReportSearch`,
      query: '',
      headers: { 'content-type': 'application/json' },
      id: 'test',
      readBody: () => assert.fail('it reads the body'),
    },
    (error) => {
      throw error;
    },
  );
  assert.equal(answer.status, 401);
  assert.equal(answer.body, '{"error":"The token is missing."}');
});
