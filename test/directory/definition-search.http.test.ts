/** Searches of the resources that describe the directory, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { STU3 } from '../../src/fhir/definitions/fhir-version.ts';
import { decodeJson } from '../../src/fhir/format/json.ts';
import { decodeXml } from '../../src/fhir/format/xml.ts';
import { type DirectoryServer, startDirectory } from './directory-server.ts';

const ROLES = 'ODSAPI-OrganizationRole-1';
const CLASSES = 'ODSAPI-OrganizationRecordClass-1';
const ROLE_SYSTEM = `https://directory.spineservices.nhs.uk/STU3/CodeSystem/${ROLES}`;
const VALUE_SETS = 'https://fhir.nhs.uk/STU3/ValueSet';

interface Bundle {
  readonly type: string;
  readonly total: number;
  readonly link: readonly { relation: string; url: string }[];
  readonly entry?: readonly { fullUrl: string; resource: { id: string }; search: object }[];
}

describe('a search of definitions', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startDirectory();
  });
  after(() => server.close());
  const bundle = async (path: string): Promise<Bundle> => JSON.parse((await server.get(path)).text);

  const CASES: readonly (readonly [path: string, ...ids: string[]])[] = [
    ['CodeSystem', ROLES, CLASSES],
    [`CodeSystem?url=${encodeURIComponent(ROLE_SYSTEM)}`, ROLES],
    [`CodeSystem?url=${ROLE_SYSTEM}&name=odsapi&_id=${ROLES},${CLASSES}`, ROLES],
    [`CodeSystem?url=${ROLE_SYSTEM.toUpperCase()}`],
    ['CodeSystem?url=urn:x%7C1'],
    [`CodeSystem?url=urn:x,${ROLE_SYSTEM}`, ROLES],
    [`CodeSystem?_id=${CLASSES}`, CLASSES],
    ['CodeSystem?_id=none'],
    [`CodeSystem?_id=${CLASSES}&_id=${ROLES}`],
    ['CodeSystem?name=odsapi-organizationrecord', CLASSES],
    ['CodeSystem?name:contains=CLASS', CLASSES],
    [`CodeSystem?name:exact=${ROLES}`, ROLES],
    [`CodeSystem?name:exact=${ROLES.toLowerCase()}`],
    [`ValueSet?url=${VALUE_SETS}/${CLASSES}`, CLASSES],
    ['ValueSet?_format=application/fhir%2Bjson', ROLES, CLASSES],
  ];
  for (const [path, ...ids] of CASES) {
    it(`${path} finds ${ids.join(', ') || 'nothing'}`, async () => {
      const { type, total, entry = [] } = await bundle(path);
      const [name] = path.split('?');
      assert.equal(type, 'searchset');
      assert.equal(total, ids.length);
      assert.deepEqual(
        entry.map(({ resource }) => resource.id),
        ids,
      );
      for (const { fullUrl, resource, search } of entry) {
        assert.equal(fullUrl, `http://directory.test/fhir/STU3/${name}/${resource.id}`);
        assert.deepEqual(search, { mode: 'match' });
      }
    });
  }

  it('has the same resources as a read, and a link to itself', async () => {
    const { entry = [], link } = await bundle(`CodeSystem?url=${ROLE_SYSTEM}&_format=json`);
    assert.deepEqual(
      entry[0]?.resource,
      JSON.parse((await server.get(`CodeSystem/${ROLES}`)).text),
    );
    assert.deepEqual(link, [
      {
        relation: 'self',
        url: `http://directory.test/fhir/STU3/CodeSystem?url=${encodeURIComponent(ROLE_SYSTEM)}&_format=json`,
      },
    ]);
    const all = await bundle('ValueSet');
    assert.equal(all.link[0]?.url, 'http://directory.test/fhir/STU3/ValueSet');
  });

  it('is valid in JSON and XML, and has validators', async () => {
    for (const [format, decode] of [
      ['json', decodeJson],
      ['xml', decodeXml],
    ] as const) {
      for (const path of ['CodeSystem?_pretty=true&', 'ValueSet?', 'ValueSet?_id=x&']) {
        const { text, headers } = await server.get(`${path}_format=${format}`);
        assert.deepEqual(decode(Buffer.from(text), STU3.definitions).findings, []);
        const etag = headers.get('etag') ?? '';
        const again = await server.get(`${path}_format=${format}`, { 'if-none-match': etag });
        assert.equal(again.status, 304);
      }
    }
    const { headers } = await server.get('CodeSystem', {}, 'HEAD');
    assert.equal(headers.get('last-modified'), 'Tue, 01 Sep 2026 10:00:00 GMT');
  });

  it('returns only the total on request', async () => {
    assert.deepEqual(Object.keys(await bundle('CodeSystem?_summary=count')), [
      'resourceType',
      'meta',
      'type',
      'total',
      'link',
    ]);
  });

  it('works by form', async () => {
    const { text } = await server.post(
      'CodeSystem/_search',
      `url=${encodeURIComponent(ROLE_SYSTEM)}`,
    );
    assert.equal(JSON.parse(text).entry[0].resource.id, ROLES);
  });

  const REFUSED: readonly (readonly [query: string, diagnostics: string])[] = [
    ['colour=red', 'Unknown argument found - colour'],
    ['url:below=urn:x', 'Unknown argument found - url:below'],
    ['_count=1', 'Unknown argument found - _count'],
    ['url=', 'Supplied url is empty. Send the URL of a resource.'],
    ['_id=a/b', 'Supplied _id is not valid. Send the id of a resource.'],
    ['name=', 'Supplied name needs a minimum of 1 Character.'],
    [`name=${'a'.repeat(101)}`, 'Supplied name too long, max 100 Characters.'],
    ['_format=pdf', 'Unknown content type specified "pdf"'],
    ['_summary=x', 'Invalid _summary parameter.'],
  ];
  for (const [query, diagnostics] of REFUSED) {
    it(`CodeSystem?${query.slice(0, 20)} is 400`, async () => {
      const { status, text } = await server.get(`CodeSystem?${query}`);
      assert.equal(status, 400);
      assert.equal(JSON.parse(text).issue[0].diagnostics, diagnostics);
    });
  }

  it('ignores unknown parameters if the client allows it', async () => {
    const { status, headers } = await server.get('CodeSystem?colour=red', {
      prefer: 'handling=lenient',
    });
    assert.equal(status, 200);
    assert.equal(headers.get('preference-applied'), 'handling=lenient');
  });

  it('has the form of the other Bundles in the legacy interface', async (context) => {
    const legacy = await startDirectory({ settings: { json: 'legacy' } });
    context.after(() => legacy.close());
    const { total, entry } = JSON.parse((await legacy.get('CodeSystem?_id=x')).text);
    assert.deepEqual([total, entry], ['0', []]);
  });

  it('is 503 without an edition', async (context) => {
    const empty = await startDirectory({
      editions: { current: () => undefined, byNumber: () => undefined },
    });
    context.after(() => empty.close());
    assert.equal((await empty.get(`CodeSystem?url=${ROLE_SYSTEM}`)).status, 503);
  });
});
