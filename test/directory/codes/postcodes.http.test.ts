/** Postcodes over HTTP: where they are, and what they belong to. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openPostcodes } from '../../../src/directory/places/stored-postcodes.ts';
import { RELATED_CODE_SYSTEMS, RELATED_RECORDS } from '../../web/related-records.ts';
import { type DirectoryServer, editionOf, startDirectory } from '../directory-server.ts';
import { placed, storedPostcodes } from '../places/postcode-rows.ts';

const AREAS = {
  localAuthority: 'E08000035',
  subIcb: 'E38000225',
  icb: 'E54000054',
  region: 'E12000003',
  lsoa11: 'E01033010',
};
const NAMED = {
  E08000035: { name: 'Leeds' },
  E38000225: { name: 'NHS West Yorkshire ICB - 15F', odsCode: '15F' },
  // The directory has no record of this code.
  E54000054: { name: 'NHS West Yorkshire Integrated Care Board', odsCode: 'QNEVER' },
};
const POSTCODES = openPostcodes(
  storedPostcodes(
    [
      { ...placed('LS1 4AP', 53.7957, -1.5509), areas: AREAS },
      { ...placed('LS2 7UE', 53.7965, -1.5316), terminated: '201903' },
      { postcode: 'LS98 1ZZ', areas: { region: 'E12000003' } },
    ],
    NAMED,
  ),
);
const EDITION = editionOf(RELATED_RECORDS, 1, RELATED_CODE_SYSTEMS, POSTCODES);

let server: DirectoryServer;
let bare: DirectoryServer;

function start(edition: typeof EDITION) {
  const editions = { current: () => edition, byNumber: () => edition };
  return startDirectory({ editions, now: () => Date.parse('2026-11-25T12:00:00Z') });
}

before(async () => {
  server = await start(EDITION);
  bare = await start(editionOf(RELATED_RECORDS, 1, RELATED_CODE_SYSTEMS));
});
after(async () => {
  await server.close();
  await bare.close();
});

async function get(path: string) {
  const { status, text } = await server.get(`/fhir/${path}`);
  return { status, body: JSON.parse(text) };
}

const LEEDS = {
  postcode: 'LS1 4AP',
  outcome: 'found',
  latitude: 53.7957,
  longitude: -1.5509,
  ...POSTCODES.find('LS1 4AP')?.grid,
  localAuthority: { code: 'E08000035', name: 'Leeds' },
  subIcb: {
    code: 'E38000225',
    name: 'NHS West Yorkshire ICB - 15F',
    organisation: { code: '15F', name: 'NHS WEST YORKSHIRE ICB - 15F' },
  },
  icb: { code: 'E54000054', name: 'NHS West Yorkshire Integrated Care Board' },
  region: { code: 'E12000003' },
  lsoa11: { code: 'E01033010' },
};

describe('/postcodes/{postcode}', () => {
  it('answers in any spelling, with the organisations that areas are', async () => {
    for (const spelling of [
      'LS1%204AP',
      'ls14ap',
      '%20ls1%20%204ap',
      '%EF%BB%BFLS1%C2%A04AP%E2%80%8B',
    ]) {
      assert.deepEqual(await get(`postcodes/${spelling}`), { status: 200, body: LEEDS });
    }
    assert.deepEqual((await get('postcodes/LS981ZZ')).body, {
      postcode: 'LS98 1ZZ',
      outcome: 'found',
      region: { code: 'E12000003' },
    });
  });

  it('says since when a postcode is terminated, on a day', async () => {
    const { body } = await get('postcodes/LS27UE');
    assert.equal(body.outcome, 'terminated');
    assert.equal(body.terminated, '2019-03');
    assert.equal(body.latitude, 53.7965);
    assert.equal((await get('postcodes/LS27UE?on=2019-03-31')).body.outcome, 'found');
    assert.equal((await get('postcodes/LS27UE?on=2019-04-01')).body.outcome, 'terminated');
  });

  it('refuses what is not there, and what is no postcode', async () => {
    const cases: readonly (readonly [path: string, status: number, error: RegExp])[] = [
      ['ZZ1%201ZZ', 404, /^The imported postcodes do not have ZZ1 1ZZ\.$/],
      ['LS1', 400, /^This is not a postcode\. Write it as in LS1 4AP\.$/],
      ['%3Cscript%3E', 400, /^This is not a postcode\./],
      ['x'.repeat(5000), 400, /^This is not a postcode\./],
      ['LS14AP?on=tomorrow', 400, /^on must be a date/],
      ['LS14AP?near=1', 400, /^Unknown query parameter "near"/],
    ];
    for (const [path, status, error] of cases) {
      const answer = await get(`postcodes/${path}`);
      assert.equal(answer.status, status, path.slice(0, 40));
      assert.match(answer.body.error, error);
    }
  });

  it('names the remedy where no postcodes were imported', async () => {
    for (const path of ['postcodes/LS14AP', 'postcodes?postcode=LS14AP']) {
      const { status, text } = await bare.get(`/fhir/${path}`);
      assert.equal(status, 400);
      assert.match(JSON.parse(text).error, /needs postcodes.*"gazetteer import-postcodes FILE"/);
    }
  });
});

it('/postcodes answers several, as JSON and as a table', async () => {
  const { body } = await get('postcodes?postcode=ls14ap&postcode=ZZ1+1ZZ&postcode=x');
  assert.deepEqual(body.results, [
    LEEDS,
    { postcode: 'ZZ1 1ZZ', outcome: 'unknown' },
    { postcode: 'x', outcome: 'malformed' },
  ]);
  const postcodes = Array.from({ length: 1001 }, () => 'LS1 4AP');
  const json = { 'content-type': 'application/json' };
  const many = await server.post('/fhir/postcodes', JSON.stringify({ postcodes }), json);
  assert.equal(many.status, 400);
  const thousand = JSON.stringify({ postcodes: postcodes.slice(1) });
  const answered = await server.post('/fhir/postcodes', thousand, json);
  assert.equal(JSON.parse(answered.text).results.length, 1000);
  const table = 'id,postcode\r\n1,ls14ap\r\n2,LS2 7UE\r\n3,?\r\n';
  const csv = await server.post('/fhir/postcodes', table, { 'content-type': 'text/csv' });
  const [head, first, second, third] = csv.text.split('\r\n');
  assert.match(head ?? '', /^id,postcode,outcome,latitude,longitude,easting,northing,terminated,/);
  assert.match(first ?? '', /^1,ls14ap,found,53\.7957,-1\.5509,\d{6},\d{6},,E08000035,Leeds,/);
  assert.match(first ?? '', /,E38000225,NHS West Yorkshire ICB - 15F,15F,E54000054,/);
  assert.match(second ?? '', /^2,LS2 7UE,terminated,53\.7965,-1\.5316,\d{6},\d{6},2019-03,/);
  assert.match(third ?? '', /^3,\?,malformed,,/);
});
