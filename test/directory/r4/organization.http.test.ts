/** Organizations of the R4 interface over HTTP: read, in both formats, and their validators. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openEdition } from '../../../src/directory/edition/edition.ts';
import { BASE, type DirectoryServer, startDirectory } from '../directory-server.ts';
import { editionArrays } from '../edition-arrays.ts';
import { organization, RECORDS, role } from '../records.ts';
import { validResource } from './formats.ts';

const SAMPLE = JSON.parse(readFileSync(join(import.meta.dirname, 'organization-RR8.json'), 'utf8'));

/** The record of the sample. */
const SAMPLE_RECORD = organization('RR8', {
  name: 'LEEDS TEACHING HOSPITALS NHS TRUST',
  lastUpdated: '2023-11-14',
  authority: 'HSCIC',
  roles: [
    role('197', {
      isPrimary: true,
      uniqueId: 37525,
      periods: [
        { kind: 'Operational', start: '1998-04-01' },
        { kind: 'Legal', start: '1998-04-01' },
      ],
    }),
  ],
  telecoms: [
    { system: 'phone', value: '0113 243 3144' },
    { system: 'url', value: 'HTTPS://WWW.LEEDSTH.NHS.UK/' },
  ],
  address: {
    lines: ["ST. JAMES'S UNIVERSITY HOSPITAL", 'BECKETT STREET'],
    city: 'LEEDS',
    postalCode: 'LS9 7TF',
    country: 'ENGLAND',
    uprn: '72016246',
  },
});

describe('an Organization in R4', () => {
  let server: DirectoryServer;
  before(async () => {
    const records = RECORDS.map((record) => (record.code === 'RR8' ? SAMPLE_RECORD : record));
    server = await startDirectory({ records });
  });
  after(() => server.close());
  const r4 = (path: string, headers: Record<string, string> = {}) =>
    server.get(`/fhir/R4/${path}`, headers);

  it('is the sample of the national service, field for field and in the same order', async () => {
    const { text } = await r4('Organization/RR8');
    const { meta, ...rest } = JSON.parse(text);
    const { meta: expected, ...sample } = SAMPLE;
    assert.equal(JSON.stringify(rest), JSON.stringify(sample));
    assert.deepEqual(meta, {
      versionId: '1788256800000',
      lastUpdated: '2026-09-01T10:00:00.000Z',
      // The sample has them in the other order than all recordings of the service.
      profile: expected.profile.toReversed(),
    });
  });

  for (const { code } of RECORDS) {
    it(`${code} is valid in JSON and XML, indented or not, and the same in all`, async () => {
      const [first] = [await validResource(server, `Organization/${code}`)];
      assert.equal(first?.id, code);
    });
  }

  it('has its version as entity tag in both formats, and the date of its last edition', async () => {
    const answers = await Promise.all([
      r4('Organization/RTG'),
      r4('Organization/RTG', { accept: 'application/fhir+xml' }),
      server.get('Organization/RTG'),
    ]);
    const etag = `W/"${JSON.parse(answers[0]!.text).meta.versionId}"`;
    assert.deepEqual(
      answers.map(({ headers }) => headers.get('etag') === etag),
      [true, true, false],
    );
    assert.equal(answers[0]?.headers.get('last-modified'), 'Tue, 01 Sep 2026 10:00:00 GMT');
    assert.equal(answers[2]?.headers.get('last-modified'), 'Fri, 31 Dec 2021 00:00:00 GMT');
    assert.equal((await r4('Organization/RTG', { 'if-none-match': etag })).status, 304);
    assert.equal((await server.get('Organization/RTG', { 'if-none-match': etag })).status, 200);
  });

  it('has another version in the first edition of another data folder', async (context) => {
    const published = { number: 1, publishedAt: '2026-10-01T10:00:00.000Z' };
    const edition = openEdition(published, editionArrays(RECORDS));
    const other = await startDirectory({
      editions: { current: () => edition, byNumber: () => edition },
    });
    context.after(() => other.close());
    const headers = { 'if-none-match': (await r4('Organization/RTG')).headers.get('etag') ?? '' };
    assert.equal((await other.get('/fhir/R4/Organization/RTG', headers)).status, 200);
  });

  it('is found by its code in lower case', async () => {
    const { status, headers } = await r4('Organization/rtg');
    assert.equal(status, 200);
    assert.equal(
      headers.get('content-location'),
      `${BASE}/R4/Organization/RTG/_history/1788256800000`,
    );
  });

  it('has the address of its version, which reads the same', async () => {
    const current = await r4('Organization/RTG');
    const location = current.headers.get('content-location');
    assert.equal(location, `${BASE}/R4/Organization/RTG/_history/1788256800000`);
    const version = await r4('Organization/RTG/_history/1788256800000');
    assert.deepEqual(
      [version.status, version.text, version.headers.get('etag')],
      [200, current.text, current.headers.get('etag')],
    );
  });

  it('has no other versions', async () => {
    for (const number of ['0', '1', '01']) {
      const { status, text } = await r4(`Organization/RTG/_history/${number}`);
      assert.equal(status, 404);
      assert.match(text, new RegExp(`There is no version ${number} of Organization/RTG`));
    }
    assert.equal((await server.get('Organization/RTG/_history/1788256800000')).status, 404);
  });

  it('that does not exist is a plain outcome', async () => {
    const outcome = await validResource(server, 'Organization/NONE', 404);
    const { issue } = JSON.parse(JSON.stringify(outcome));
    assert.deepEqual(issue, [
      {
        severity: 'error',
        code: 'not-found',
        diagnostics: 'There is no organisation with this code.',
      },
    ]);
  });

  it('is not written', async () => {
    assert.equal((await server.get('/fhir/R4/Organization/RTG', {}, 'DELETE')).status, 405);
  });
});

describe('the FHIR version of a media type', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startDirectory();
  });
  after(() => server.close());
  const get = (headers: Record<string, string>, base = '/fhir/R4') =>
    server.get(`${base}/Organization/RTG`, headers);

  const CASES: readonly [header: 'accept' | 'content-type', value: string, status: number][] = [
    ['accept', 'application/fhir+json; fhirVersion=4.0', 200],
    ['accept', 'application/fhir+xml;fhirVersion="4.0"', 200],
    ['accept', 'application/fhir+json; fhirVersion=3.0', 406],
    ['accept', 'application/fhir+json; fhirVersion=3.0, application/fhir+xml;q=0.1', 200],
    ['accept', '*/*; fhirVersion=5.0', 406],
    ['content-type', 'application/fhir+json', 200],
    ['content-type', 'application/fhir+json; fhirVersion=4.0', 200],
    ['content-type', 'application/fhir+json; fhirVersion=1.0', 415],
  ];
  for (const [header, value, status] of CASES) {
    it(`${header}: ${value} is answered with ${status}`, async () => {
      const answer = await get({ [header]: value });
      assert.equal(answer.status, status);
      if (status === 200) return;
      const { resourceType, issue } = JSON.parse(answer.text);
      assert.equal(resourceType, 'OperationOutcome');
      assert.match(issue[0].diagnostics, /fhirVersion=4\.0\.$/);
    });
  }

  it('is in the answer if it is in the request', async () => {
    const answer = await get({ accept: 'application/fhir+json; fhirVersion=4.0' });
    const expected = 'application/fhir+json; fhirVersion=4.0; charset=utf-8';
    assert.equal(answer.headers.get('content-type'), expected);
  });

  it('is ignored in STU3, which does not define it', async () => {
    const headers = { accept: 'application/fhir+json; fhirVersion=4.0' };
    const answer = await get(headers, '/fhir/STU3');
    assert.equal(answer.headers.get('content-type'), 'application/fhir+json; charset=utf-8');
  });
});
