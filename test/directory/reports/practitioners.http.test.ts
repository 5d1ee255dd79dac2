/** Imported practitioners over HTTP: their reports, their search, and those of an organisation. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Edition } from '../../../src/directory/edition/edition.ts';
import {
  PRACTITIONER_FILES,
  type Practitioners,
} from '../../../src/directory/practitioners/practitioners.ts';
import {
  createLongAnswers,
  type LongAnswers,
} from '../../../src/interfaces/answer/long-answers.ts';
import { ownerOfSuite } from '../../owner.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { type DirectoryServer, editionOf, startDirectory } from '../directory-server.ts';
import {
  csvOf,
  openBytes,
  practitionerBytes,
  SMALL_FILES,
  writeFiles,
} from '../practitioners/practitioner-files.ts';
import { RECORDS } from '../records.ts';

const PRACTICE = RECORDS.find(({ code }) => code === 'A81001')?.code ?? '';
const SEARCH = '/fhir/api/search/practitionerGeneralSearch';
const SINGLE = `/fhir/api/search/singleOrganisationSearchByCode?code=${PRACTICE}`;
const JSON_TYPE = { 'content-type': 'application/json' };
const OTHER_ORIGIN = { origin: 'https://other.example' };

/** A server whose practitioners are replaced by `take`. */
async function startWith(
  practitioners: Practitioners,
  settings: object = {},
  longAnswers?: LongAnswers,
) {
  const edition = editionOf(RECORDS);
  let current: Edition = { ...edition, practitioners };
  const server = await startDirectory({
    settings,
    editions: {
      current: () => current,
      byNumber: () => undefined,
      ...(longAnswers && { longAnswers }),
    },
    now: () => Date.parse('2026-11-24T12:00:00Z'),
  });
  const take = (other: Practitioners) => {
    current = { ...edition, practitioners: other };
  };
  return { server, take };
}

describe('imported practitioners', () => {
  const owner = ownerOfSuite();
  let practitioners: Practitioners;
  let server: DirectoryServer;
  before(async () => {
    practitioners = openBytes(await practitionerBytes(writeFiles(temporaryFolder(owner))));
    server = (await startWith(practitioners)).server;
    owner.after(() => server.close());
  });

  const search = async (body: object) => {
    const { status, text } = await server.post(SEARCH, JSON.stringify(body), JSON_TYPE);
    assert.equal(status, 200, text);
    return JSON.parse(text);
  };

  it('are reports with the bytes of the files, one by one and zipped', async () => {
    for (const name of PRACTITIONER_FILES) {
      const { status, headers, text } = await server.get(`/fhir/api/getReport?report=${name}`);
      assert.deepEqual([status, text], [200, csvOf(SMALL_FILES[name] ?? [])], name);
      assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    }
    const { status, headers } = await server.get('/fhir/assets/ods/current/econcur.zip');
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/zip']);
  });

  it('are less than a file in the folder of the operator', async (context) => {
    const folder = temporaryFolder(context);
    writeFileSync(join(folder, 'egpcur.csv'), '"newer"\n');
    writeFileSync(join(folder, 'epracarc.csv'), '"older practices"\n');
    const { server: other } = await startWith(practitioners, { reports: folder });
    context.after(() => other.close());
    const textOf = async (name: string) =>
      (await other.get(`/fhir/api/getReport?report=${name}`)).text;
    assert.equal(await textOf('egpcur'), '"newer"\n');
    assert.equal(await textOf('epracarc'), '"older practices"\n');
    assert.equal(await textOf('epcdp'), csvOf(SMALL_FILES.epcdp ?? []));
  });

  it('are found by code, number and name, as a public app asks', async () => {
    const found = await search({ searchQueryGeneral: 'g1234567', offset: 0, batchSize: 5000 });
    assert.deepEqual(found, {
      pracArray: [
        {
          id: 'C9000001',
          name: 'TESTPERSON A',
          type: 'PHOSPCON',
          role: 'PHOSPCON120',
          roleName: 'Hospital consultant, main specialty 120',
          practitionerInactive: false,
          3: 'C9000001',
          6: '9000001',
          ME3: 'RR8',
        },
        {
          id: 'G1234567',
          name: 'TESTPERSON A',
          type: 'PGP',
          role: 'PGP1',
          roleName: 'Principal general practitioner',
          practitionerInactive: false,
          1: 'G1234567',
          6: '9000001',
          ME1: 'A81001',
        },
        {
          id: 'G7654321',
          name: 'TESTPERSON A',
          type: 'PGP',
          role: 'PGP2',
          roleName: 'Other general practitioner',
          practitionerInactive: false,
          1: 'G7654321',
          6: '9000001',
          ME1: 'A81002',
        },
      ],
      pracCodeSystemUpdatedAt: '2026-04-01T10:00:00.000Z',
    });
    const [retired] = (await search({ searchQueryGeneral: 'sample-name' })).pracArray;
    assert.deepEqual(
      [retired.practitionerInactive, retired.inactiveRole, retired.ME1],
      [true, ['PGP1'], 'A81001'],
    );
  });

  it('come in pages, with their number if the client asks', async () => {
    const wanted = { searchQueryGeneral: 'testperson', batchSize: 2, getNumberOfRecords: true };
    const ids = async (offset: number) => {
      const { pracArray, numberOfRecords } = await search({ ...wanted, offset });
      return [numberOfRecords, ...pracArray.map(({ id }: { id: string }) => id)];
    };
    assert.deepEqual(await ids(0), [3, 'C9000001', 'G1234567']);
    assert.deepEqual(await ids(2), [3, 'G7654321']);
    assert.deepEqual(await ids(4), [3]);
    assert.deepEqual((await search({ searchQueryGeneral: 'nobody at all' })).pracArray, []);
  });

  it('are kept as an answer until others are imported', async (context) => {
    let [reads, searches] = [0, 0];
    const counted: Practitioners = {
      ...practitioners,
      at: (row) => {
        reads += 1;
        return practitioners.at(row);
      },
      search: (text) => {
        searches += 1;
        return practitioners.search(text);
      },
    };
    const longAnswers = createLongAnswers({
      places: { inAll: 2, ofKind: 2, ofClient: 2 },
      waitMs: 60_000,
      keptBytesMax: 1_000_000,
    });
    const { server: other, take } = await startWith(counted, {}, longAnswers);
    context.after(() => other.close());
    const ask = (body: object) => other.post(SEARCH, JSON.stringify(body), JSON_TYPE);
    const body = { searchQueryGeneral: 'testperson' };
    const first = await ask(body);
    assert.deepEqual([reads, searches], [3, 1]);
    assert.equal((await ask(body)).text, first.text);
    assert.deepEqual([reads, searches], [3, 1]);
    await ask({ ...body, getNumberOfRecords: true });
    assert.deepEqual([reads, searches], [6, 2]);
    take(counted);
    assert.equal((await ask(body)).text, first.text);
    assert.deepEqual([reads, searches], [9, 3]);
  });

  it('are those who work for an organisation, and another import changes the entity tag', async (context) => {
    const { server: other, take } = await startWith(practitioners);
    context.after(() => other.close());
    const first = await other.get(SINGLE);
    const idsOf = (text: string) =>
      JSON.parse(text).practitioners.map(({ id }: { id: string }) => id);
    assert.deepEqual(idsOf(first.text), ['01A2345E', 'G1234567']);
    const kept = { 'if-none-match': first.headers.get('etag') ?? '' };
    assert.equal((await other.get(SINGLE, kept)).status, 304);
    const files = { egpcur: (SMALL_FILES.egpcur ?? []).slice(0, 1) };
    take(openBytes(await practitionerBytes(writeFiles(temporaryFolder(context), files))));
    assert.deepEqual(idsOf((await other.get(SINGLE, kept)).text), ['G1234567']);
  });

  it('are not for pages of other origins, unless a setting says so', async (context) => {
    const { server: open } = await startWith(practitioners, { sharePractitioners: true });
    context.after(() => open.close());
    const body = JSON.stringify({ searchQueryGeneral: 'G1234567' });
    for (const [each, isShared] of [
      [server, false],
      [open, true],
    ] as const) {
      const answers = [
        await each.get('/fhir/api/getReport?report=egpcur', OTHER_ORIGIN),
        await each.get('/fhir/assets/ods/current/egpcur.zip', OTHER_ORIGIN),
        await each.get('/fhir/api/getReport?report=etr,egpcur', OTHER_ORIGIN),
        await each.post(SEARCH, body, { ...JSON_TYPE, ...OTHER_ORIGIN }),
      ];
      for (const { status, headers } of answers) {
        assert.equal(status, 200);
        assert.equal(headers.has('access-control-allow-origin'), isShared);
      }
      const single = await each.get(SINGLE, OTHER_ORIGIN);
      assert.equal(single.headers.get('access-control-allow-origin'), '*');
      assert.match(single.headers.get('vary') ?? '', /Origin/);
      assert.equal(JSON.parse(single.text).practitioners.length, isShared ? 2 : 0);
      const other = await each.get('/fhir/api/getReport?report=etr', OTHER_ORIGIN);
      assert.equal(other.headers.get('access-control-allow-origin'), '*');
    }
  });
});

it('without an import there are no practitioners: 404 with the remedy', async (context) => {
  const server = await startDirectory();
  context.after(() => server.close());
  const body = JSON.stringify({ searchQueryGeneral: 'G1234567', offset: 0, batchSize: 5000 });
  const { status, text } = await server.post(SEARCH, body, JSON_TYPE);
  assert.deepEqual(
    [status, JSON.parse(text)],
    [
      404,
      {
        error:
          'The directory has no practitioners. Import them with "gazetteer import-practitioners FILE".',
      },
    ],
  );
});
