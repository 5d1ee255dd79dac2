/** Both forms of the STU3 interface from one server, at the paths that settings give them. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { OrganizationRecord } from '../../../src/directory/record/record.ts';
import type { DirectorySettings } from '../../../src/interfaces/answer/settings.ts';
import { type DirectoryServer, startDirectory } from '../directory-server.ts';
import { RECORDS } from '../records.ts';

const BOARD: OrganizationRecord = {
  ...RECORDS[0]!,
  code: 'QYG',
  name: 'NHS BATH AND NORTH EAST SOMERSET, SWINDON AND WILTSHIRE “ICB” – Cafè #1 50%!',
  address: { lines: [], city: 'ST. MARY’S, KING’S LYNN' },
};
const OTHER: OrganizationRecord = {
  ...RECORDS[0]!,
  code: 'Z1',
  name: 'SWINDON; "WEST"',
  address: { lines: [], city: "KING'S LYNN" },
};

async function serve(
  context: TestContext,
  settings: Partial<DirectorySettings> = {},
): Promise<DirectoryServer> {
  const server = await startDirectory({ settings, records: [BOARD, OTHER] });
  context.after(() => server.close());
  return server;
}

it('one server has FHIR JSON at /STU3 and legacy JSON at /legacy/STU3', async (context) => {
  const server = await serve(context);
  for (const _ of 'asked often enough to be kept') {
    const [fhir, legacy] = [
      await server.get('/fhir/STU3/Organization/QYG'),
      await server.get('/fhir/legacy/STU3/Organization/QYG'),
    ];
    assert.ok(Array.isArray(JSON.parse(fhir.text).identifier));
    assert.equal(JSON.parse(legacy.text).identifier.value, 'QYG');
    assert.notEqual(fhir.headers.get('etag'), legacy.headers.get('etag'));
    assert.equal(fhir.headers.get('last-modified'), legacy.headers.get('last-modified'));
  }
});

it('links and fullUrls of an interface begin with its own base', async (context) => {
  const server = await serve(context);
  for (const base of ['STU3', 'legacy/STU3']) {
    const { link, entry } = JSON.parse(
      (await server.get(`/fhir/${base}/Organization?_count=1`)).text,
    );
    const urls = [...link.map(({ url }: { url: string }) => url), entry[0].fullUrl];
    assert.equal(urls.length, 5);
    for (const url of urls) assert.ok(url.startsWith(`http://directory.test/fhir/${base}/`), url);
    const lowerCase = await server.get(`/fhir/${base}/Organization/qyg`);
    assert.equal(
      lowerCase.headers.get('content-location'),
      `http://directory.test/fhir/${base}/Organization/QYG`,
    );
  }
});

it('XML and metadata of both interfaces differ only in addresses', async (context) => {
  const server = await serve(context);
  for (const path of [
    'Organization/QYG?_format=xml',
    'Organization?name=swindon&_format=xml',
    'metadata',
    'CodeSystem/ODSAPI-OrganizationRole-1',
    'ValueSet/ODSAPI-OrganizationRecordClass-1',
    'SearchParameter/ODSAPI-OrganizationRole-Role-1',
  ]) {
    const [fhir, legacy] = [
      await server.get(`/fhir/STU3/${path}`),
      await server.get(`/fhir/legacy/STU3/${path}`),
    ];
    assert.equal(fhir.status, 200, path);
    assert.equal(common(legacy.text), common(fhir.text), path);
  }
});

/** A text without the identity of its interface. */
function common(text: string): string {
  return text
    .replaceAll('/fhir/legacy/', '/fhir/')
    .replaceAll('LegacyOrganisationDirectory', 'OrganisationDirectory')
    .replaceAll(
      'The directory of organisations with JSON in the form of the retired national service.',
      'Directory of organisations: read by code, and search.',
    )
    .replace(/<id value="[\da-f-]{36}"\/>/, '')
    .replace(/,"documentation":"[^"]*current\.ndjson[^"]*"/, '');
}

it('outcomes have the form of their interface, for unknown paths too', async (context) => {
  const server = await serve(context);
  for (const path of ['Organization/NOPE', 'Organization?name=x', 'Nothing', '']) {
    const codingOf = async (base: string) =>
      JSON.parse((await server.get(`/fhir/${base}/${path}`)).text).issue[0].details.coding;
    assert.ok(Array.isArray(await codingOf('STU3')), path);
    assert.equal(typeof (await codingOf('legacy/STU3')).code, 'string', path);
  }
});

it('both paths are settings, which can be swapped', async (context) => {
  const server = await serve(context, { 'stu3.path': '/fhir/STU3', legacyPath: '/STU3' });
  const isLegacy = async (path: string) =>
    !Array.isArray(JSON.parse((await server.get(path)).text).identifier);
  assert.equal(await isLegacy('/fhir/STU3/Organization/QYG'), true);
  assert.equal(await isLegacy('/fhir/fhir/STU3/Organization/QYG'), false);
  assert.equal((await server.get('/fhir/legacy/STU3/Organization/QYG')).status, 404);
});

it('directory.json=legacy means the legacy form at /STU3, with its commas', async (context) => {
  const server = await serve(context, { json: 'legacy' });
  for (const base of ['STU3', 'legacy/STU3']) {
    const { total } = JSON.parse(
      (await server.get(`/fhir/${base}/Organization?name:contains=SOMERSET,%20SWINDON`)).text,
    );
    assert.equal(total, '1');
  }
});

/** The codes that each interface finds. */
const COMMAS: readonly (readonly [query: string, fhir: string[], legacy: string[]])[] = [
  ['name:contains=SOMERSET, SWINDON', ['QYG'], ['QYG']],
  ['name:contains=WILTSHIRE,WEST', ['QYG', 'Z1'], []],
  ['name:contains=SOMERSET\\, SWINDON', ['QYG'], ['QYG']],
  ['name=NHS BATH AND NORTH EAST SOMERSET\\, SWINDON AND', ['QYG'], ['QYG']],
  ['name=NHS BATH AND NORTH EAST SOMERSET, SWINDON AND', ['QYG'], ['QYG']],
  ['name=swindon; "west"', ['Z1'], ['Z1']],
  ['name:contains=CAFE #1 50%!', ['QYG'], ['QYG']],
  ['name:contains=Cafè', ['QYG'], ['QYG']],
  ['name:exact=SWINDON; "WEST"', ['Z1'], ['Z1']],
  ['address-city=ST. MARY’S\\, KING’S LYNN', ['QYG'], ['QYG']],
  ['address-city=ST. MARY’S, KING’S LYNN', ['QYG'], ['QYG']],
  ["address-city=ST. MARY’S, KING'S LYNN", ['QYG'], []],
  ["address-city:exact=KING'S LYNN,none", ['Z1'], []],
  ['identifier=qyg,z1', ['QYG', 'Z1'], ['QYG', 'Z1']],
  ['_id=QYG,Z1', ['QYG', 'Z1'], ['QYG', 'Z1']],
  ['ods-org-role=4711,76', ['QYG', 'Z1'], ['QYG', 'Z1']],
  ['address-postalcode=ZZ9,ZZ8', [], []],
];

for (const [query, ...found] of COMMAS) {
  it(`${query} finds ${found.map((codes) => codes.join(',') || 'nothing').join(', or in the legacy interface ')}`, async (context) => {
    const server = await serve(context);
    for (const [i, base] of ['STU3', 'legacy/STU3'].entries()) {
      const [name = '', value = ''] = query.split(/=(.*)/);
      const target = `/fhir/${base}/Organization?${name}=${encodeURIComponent(value)}`;
      const answer = await server.get(target);
      assert.equal(answer.status, 200, answer.text);
      const { entry = [], link } = JSON.parse(answer.text);
      const codes = entry.map(({ resource }: { resource: { id: string } }) => resource.id);
      assert.deepEqual(codes, found[i], base);
      const again = await server.get(
        `${new URL(link[0].url).pathname}${new URL(link[0].url).search}`,
      );
      assert.equal(again.text, answer.text, 'the self link is the same search');
    }
  });
}
