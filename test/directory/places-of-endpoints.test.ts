/**
 * The gates of long work: each endpoint that makes long answers waits for a place, or is refused, and
 * those whose work begins before their answer wait for their first slice.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { EXAMPLE_FACTS } from '../../bench/worst/endpoints/case.ts';
import { casesOf } from '../../bench/worst/endpoints/cases.ts';
import { describedServices } from '../../scripts/described-services.ts';
import type { Edition } from '../../src/directory/edition/edition.ts';
import type { SourceRecord } from '../../src/directory/record/record.ts';
import { createHandle } from '../../src/fhir/handle.ts';
import type { FhirRequest, FhirResponse } from '../../src/fhir/request/request.ts';
import { createLongAnswers, type LongAnswers } from '../../src/interfaces/answer/long-answers.ts';
import { ownerOfSuite } from '../owner.ts';
import { createMemoryRepository } from '../storage/memory-repository.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { HISTORY } from '../web/records.ts';
import { RELATED_CODE_SYSTEMS, relationship } from '../web/related-records.ts';
import { editionOf, SOFTWARE } from './directory-server.ts';
import { fewPlaces, slowClock } from './few-places.ts';
import { placed, postcodeFile } from './places/postcode-rows.ts';
import {
  openBytes,
  practitionerBytes,
  SMALL_FILES,
  standardRow,
  writeFiles,
} from './practitioners/practitioner-files.ts';
import { organization, role } from './records.ts';

/** The endpoints that take a place, by what the place is for. */
const PLACED = [
  ...['ndjson', 'xml', 'sqlite', 'parquet.zip'].map((name) => `GET /editions/current.${name}`),
  // Large pages.
  'GET /R4/Organization',
  'POST /R4/Organization/_search',
  'GET /R4/OrganizationAffiliation',
  'POST /R4/OrganizationAffiliation/_search',
  // Expansions.
  'GET /R4/ValueSet/$expand',
  'POST /R4/ValueSet/$expand',
  'GET /R4/ValueSet/{id}/$expand',
  'POST /R4/ValueSet/{id}/$expand',
  // Lists of changes and of events.
  'GET /ORD/2-0-0/sync',
  'GET /events',
  'GET /changes',
  // Reports, and large results of searches.
  'GET /api/getReport',
  'GET /assets/ods/current/{file}',
  'POST /api/search/organisationReportSearch',
  'POST /api/search/organisationGeneralSearch',
  'POST /api/search/practitionerGeneralSearch',
  'GET /api/search/singleOrganisationSearchByCode',
  // Tables, and lists that were sent.
  'POST /resolve',
  'POST /hierarchy',
  'GET /match',
  'POST /match',
  'POST /postcodes',
  'POST /check-a-list',
  'POST /check-a-list.csv',
  // Results of searches, also with `of=`.
  'GET /results.csv',
  'GET /results.geojson',
  'GET /results.ndjson',
  // Tools of assistants.
  'POST /mcp',
];

/** Those whose work begins before there is an answer. `GET /` has `of=`. */
const BEGUN = [
  'GET /R4/ValueSet/$expand',
  'POST /R4/ValueSet/$expand',
  'GET /R4/ValueSet/{id}/$expand',
  'POST /R4/ValueSet/{id}/$expand',
  'GET /events',
  'GET /changes',
  'POST /resolve',
  'POST /hierarchy',
  'POST /match',
  'POST /postcodes',
  'POST /check-a-list',
  'POST /check-a-list.csv',
  'GET /results.csv',
  'GET /results.geojson',
  'GET /results.ndjson',
  'GET /',
];

/** More than every answer that needs no place. All but the first belong to the first. */
const COUNT = 1100;
const POSTCODE = 'LS1 4AP';
const RECORDS = Array.from(
  { length: COUNT },
  (_, at): SourceRecord => ({
    ...organization(`A${10_000 + at}`, {
      name: `THE SURGERY ${at}`,
      roles: [role('177', { isPrimary: true })],
      address: { lines: [], postalCode: POSTCODE },
    }),
    ...(at > 0 && { relationships: [relationship('4', 'A10000', '76')] }),
  }),
);
const PEOPLE = Array.from({ length: COUNT }, (_, at) =>
  standardRow(`G${1_000_000 + at}`, 'TESTPERSON A'),
);
const CASES = casesOf({
  ...EXAMPLE_FACTS,
  code: 'A10000',
  postcodes: Array.from({ length: COUNT - 100 }, () => POSTCODE),
});

/** Answers a case, by its name: `GET /events`. */
type Ask = (name: string) => Promise<FhirResponse>;

describe('an endpoint', () => {
  const owner = ownerOfSuite();
  let edition: Edition;
  let file: string;
  before(async () => {
    file = join(temporaryFolder(owner), 'file');
    // That of the release is in gzip.
    writeFileSync(file, gzipSync('a file'));
    const people = writeFiles(temporaryFolder(owner), { ...SMALL_FILES, egpcur: PEOPLE });
    const practitioners = openBytes(await practitionerBytes(people));
    edition = {
      ...editionOf(
        RECORDS,
        3,
        RELATED_CODE_SYSTEMS,
        postcodeFile([placed(POSTCODE, 53.79, -1.55)]),
      ),
      practitioners,
    };
  });

  function serve(context: TestContext, longAnswers: LongAnswers): Ask {
    slowClock(context);
    const described = describedServices({
      editions: { current: () => edition, byNumber: () => edition, longAnswers },
      editionFiles: { pathOf: () => file, forget: () => {} },
      history: HISTORY,
      store: createMemoryRepository(),
      authorize: () => ({ issuer: 'i', subject: 's', scopes: [] }),
    });
    context.after(() => described.web.close());
    const onFault = (error: unknown) => {
      throw error;
    };
    const handle = createHandle({ ...described, software: SOFTWARE, onFault });
    return async (name) => {
      const request = requestOf(name);
      const answer = await handle(request);
      return answer.isUnhandled ? await described.web.handle(request) : answer;
    };
  }

  it('is refused with the time to try again if it needs a place, and no other is', async (context) => {
    const ask = serve(context, fewPlaces(0, 0));
    const refused: string[] = [];
    for (const name of Object.keys(CASES)) {
      const asked = ask(name);
      if ((await statusOf(asked)) !== 503) continue;
      refused.push(name);
      const { headers } = await asked;
      assert.equal(headers[headers.indexOf('Retry-After') + 1], '5', name);
    }
    assert.deepEqual(refused.toSorted(), PLACED.toSorted());
  });

  for (const name of PLACED) {
    it(`waits for a place, and gives it back: ${name}`, async (context) => {
      const longAnswers = createLongAnswers({
        places: { inAll: 1, ofKind: 1, ofClient: 1 },
        waitMs: 60_000,
        keptBytesMax: 0,
      });
      const { work } = longAnswers;
      const ask = serve(context, longAnswers);
      const place = await work.enter({ kind: 'another', client: 'another' });
      const asked = statusOf(ask(name));
      let isDone = false;
      asked.finally(() => {
        isDone = true;
      });
      while (work.counts.waiting === 0 && !isDone) await nextTurn();
      assert.deepEqual(work.counts, { running: 1, waiting: 1 });
      place.end();
      assert.equal(await asked, 200);
      while (work.counts.running > 0) await nextTurn();
    });
  }

  it('whose work begins before its answer waits for its first slice, and no other does', async (context) => {
    const longAnswers = fewPlaces(9);
    const ask = serve(context, longAnswers);
    let gate = Promise.withResolvers<void>();
    const begin = context.mock.method(longAnswers.work, 'begin', () => gate.promise);
    const begun: string[] = [];
    for (const name of Object.keys(CASES)) {
      gate = Promise.withResolvers();
      begin.mock.resetCalls();
      let isDone = false;
      const asked = statusOf(ask(name));
      asked.finally(() => {
        isDone = true;
      });
      while (!isDone && begin.mock.callCount() === 0) await nextTurn();
      if (begin.mock.callCount() > 0) {
        begun.push(name);
        for (let turn = 0; turn < 5; turn++) await nextTurn();
        assert.equal(isDone, false, name);
        gate.resolve();
        assert.equal(await asked, 200, name);
      }
      await asked;
    }
    assert.deepEqual(begun.toSorted(), BEGUN.toSorted());
  });
});

function requestOf(name: string): FhirRequest {
  const [method = '', endpoint = ''] = name.split(' ');
  const { path = endpoint, query = '', headers = {}, body } = CASES[name] ?? {};
  return {
    method,
    path,
    query,
    headers,
    id: 'test',
    addressOf: () => '192.0.2.1',
    ...(body !== undefined && { readBody: async () => Buffer.from(body) }),
  };
}

/** The status of an answer whose client leaves after the first piece. */
async function statusOf(asked: Promise<FhirResponse>): Promise<number> {
  const { status, pieces = [], onClosed } = await asked;
  for await (const piece of pieces) {
    assert.ok(piece.length > 0);
    break;
  }
  onClosed?.();
  return status;
}
