/** Pages of R4 searches with hundreds of matches, which the server sends in pieces. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DirectoryServer, editionOf, startDirectory } from '../directory-server.ts';
import { organization } from '../records.ts';
import { validResource } from './formats.ts';

const COUNT = 1200;
const TARGET = 'A1000';

const codes = Array.from({ length: COUNT }, (_, i) => `A${1000 + i}`);
const records = codes.map((code, i) => ({
  ...organization(code, { name: `SURGERY "${i}" & SONS` }),
  relationships: [
    { type: '4', uniqueId: i + 1, isActive: true, periods: [], target: { code: TARGET } },
  ],
}));

interface Entry {
  readonly resource: { readonly resourceType: string; readonly id: string };
  readonly search: { readonly mode: string };
}

describe('a large page in R4', () => {
  let server: DirectoryServer;
  before(async () => {
    const edition = editionOf(records);
    server = await startDirectory({
      editions: { current: () => edition, byNumber: () => edition },
    });
  });
  after(() => server.close());
  const get = async (path: string) => {
    const { status, text } = await server.get(`/fhir/R4/${path}`);
    assert.equal(status, 200, text);
    const bundle = JSON.parse(text);
    const entry: readonly Entry[] = bundle.entry ?? [];
    return { ids: entry.map(({ resource }) => resource.id), bundle, entry };
  };

  for (const type of ['Organization', 'OrganizationAffiliation']) {
    it(`of ${type} has up to 1,000 matches, and the next page has the others`, async () => {
      const first = await get(`${type}?_count=5000`);
      assert.equal(first.ids.length, 1000);
      assert.match(first.bundle.link[0].url, /_count=1000&/);
      const second = await get(`${type}?_count=1000&_offset=1000`);
      assert.equal(second.ids.length, 200);
      assert.equal(new Set([...first.ids, ...second.ids]).size, COUNT);
      assert.deepEqual((await get(`${type}?_count=1000&_offset=1200`)).entry, []);
    });
  }

  it('leaves the limit of STU3 as it is', async () => {
    const { status, text } = await server.get('Organization?_count=1000');
    assert.equal(status, 400);
    assert.match(text, /must take an integer between 0 and 20/);
  });

  for (const query of [
    'Organization?_count=101',
    'Organization?_count=101&_elements=name',
    'Organization?_count=101&name=none',
    'Organization?_count=40&_revinclude=OrganizationAffiliation:primary-organization',
    'Organization?_count=40&_summary=true&_revinclude=OrganizationAffiliation:primary-organization',
    'OrganizationAffiliation?_count=101',
    'OrganizationAffiliation?_count=40&_include=OrganizationAffiliation:primary-organization',
  ]) {
    it(`is the same valid Bundle in all forms: ${query}`, async () => {
      await validResource(server, query);
    });
  }

  it('has the same entries as small pages', async () => {
    const large = await get('Organization?_count=101');
    const small = await get('Organization?_count=100');
    assert.deepEqual(large.entry.slice(0, 100), small.entry);
    const affiliations = await get('OrganizationAffiliation?_count=101');
    const few = await get('OrganizationAffiliation?_count=100');
    assert.deepEqual(affiliations.entry.slice(0, 100), few.entry);
  });

  it('has all included resources after the matches', async () => {
    const { ids, entry } = await get(
      'Organization?_count=40&_revinclude=OrganizationAffiliation:primary-organization',
    );
    assert.deepEqual(ids, [
      ...codes.slice(0, 40),
      ...Array.from({ length: 40 }, (_, i) => `${i + 1}`),
    ]);
    assert.deepEqual([entry[39]?.search.mode, entry[40]?.search.mode], ['match', 'include']);
  });

  it('is made in pieces, between which the server answers other requests', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const slow = server
      .get('/fhir/R4/Organization?_count=1000&_format=xml&_pretty=true')
      .then(() => 'slow');
    setImmediate(() => resolve(server.get('/fhir/R4/Organization/A1000').then(() => 'fast')));
    assert.equal(await Promise.race([slow, promise]), 'fast');
    assert.equal(await slow, 'slow');
  });

  it('is not made for a HEAD, nor for a client that has it', async () => {
    const path = '/fhir/R4/Organization?_count=1000';
    const head = await server.get(path, {}, 'HEAD');
    assert.deepEqual([head.status, head.text], [200, '']);
    const etag = head.headers.get('etag') ?? '';
    assert.equal((await server.get(path, { 'if-none-match': etag })).status, 304);
  });
});
