/** Transfer of answers: gzip, and the headers for caches. */
import assert from 'node:assert/strict';
import { get as httpGet, type IncomingHttpHeaders } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type DirectoryServer, startDirectory } from './directory-server.ts';
import { organization } from './records.ts';

interface Raw {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** As it is on the wire; `fetch` would unpack it. */
async function raw(
  { port }: DirectoryServer,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Raw> {
  const target = path.startsWith('/') ? path : `/fhir/STU3/${path}`;
  return new Promise((resolve, reject) => {
    httpGet({ host: '127.0.0.1', port, path: target, headers, method, agent: false }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode,
          headers: answer.headers,
          bytes: Buffer.concat(pieces),
        }),
      );
    }).on('error', reject);
  });
}

/** `Accept-Encoding`, and whether the answer is gzip. */
const CODINGS: readonly (readonly [accepted: string | undefined, isGzip: boolean])[] = [
  [undefined, false],
  ['', false],
  ['identity', false],
  ['gzip', true],
  ['GZIP', true],
  ['x-gzip', true],
  ['deflate, gzip;q=1.0, *;q=0.5', true],
  ['br, deflate', false],
  ['br;q=1.0, gzip;q=0.8, *;q=0.1', true],
  ['*', true],
  ['*;q=0', false],
  ['gzip;q=0', false],
  ['gzip;q=0, *', false],
  ['gzip;q=0.000', false],
  ['identity, gzip;q=0.5', false],
  ['identity;q=0.5, gzip;q=0.5', true],
  ['identity;q=0.2, gzip;q=0.5', true],
  ['gzip;q=much', false],
];

describe('gzip', () => {
  let server: DirectoryServer;
  let large: DirectoryServer;
  before(async () => {
    server = await startDirectory();
    const name = 'A NAME OF SOME LENGTH '.repeat(20).trim();
    const records = Array.from({ length: 300 }, (_, i) => organization(`A${1000 + i}`, { name }));
    large = await startDirectory({ records, settings: { countMax: 1000 } });
  });
  after(() => Promise.all([server.close(), large.close()]));

  for (const [accepted, isGzip] of CODINGS) {
    it(`is ${isGzip ? 'sent' : 'not sent'} for Accept-Encoding: ${accepted ?? 'none'}`, async () => {
      const headers: Record<string, string> =
        accepted === undefined ? {} : { 'accept-encoding': accepted };
      const answer = await raw(server, 'Organization/RR8', headers);
      assert.equal(answer.headers['content-encoding'], isGzip ? 'gzip' : undefined);
      assert.equal(answer.headers.vary, 'Accept, Accept-Encoding');
      const text = isGzip ? gunzipSync(answer.bytes) : answer.bytes;
      assert.equal(JSON.parse(text.toString()).id, 'RR8');
    });
  }

  for (const path of [
    'Organization/RR8',
    'Organization/RR8?_format=xml&_pretty=true',
    'Organization?active=true',
    'CodeSystem/ODSAPI-OrganizationRole-1?_format=xml',
    'metadata',
  ]) {
    it(`of ${path} unpacks to the plain answer, time and again, with the same ETag`, async () => {
      const plain = await raw(server, path);
      for (let time = 0; time < 4; time++) {
        const packed = await raw(server, path, { 'accept-encoding': 'gzip' });
        assert.equal(packed.headers['content-encoding'], 'gzip');
        assert.equal(gunzipSync(packed.bytes).toString(), plain.bytes.toString());
        assert.equal(packed.headers.etag, plain.headers.etag);
        assert.ok(packed.bytes.length < plain.bytes.length);
        assert.equal(packed.headers['content-length'], String(packed.bytes.length));
        const head = await raw(server, path, { 'accept-encoding': 'gzip' }, 'HEAD');
        assert.equal(head.headers['content-length'], packed.headers['content-length']);
        assert.equal(head.headers['content-encoding'], 'gzip');
        assert.equal(head.bytes.length, 0);
        const again = await raw(server, path, {
          'accept-encoding': 'gzip',
          'if-none-match': packed.headers.etag!,
        });
        assert.equal(again.status, 304);
        assert.equal(again.headers['content-encoding'], undefined);
      }
    });
  }

  // Small bodies count too here, so that each interface is seen with its shortest answers.
  for (const path of [
    '/fhir/R4/Organization/RR8',
    '/fhir/R4/Organization?_summary=count',
    '/fhir/R4/metadata',
    '/fhir/R4/CodeSystem/$lookup?system=https://fhir.nhs.uk/Id/ods-organization-code&code=RR8',
    '/fhir/R4/ValueSet/ods-organization-code/$expand?count=2',
    '/fhir/ORD/2-0-0/organisations/RR8',
    '/fhir/ORD/2-0-0/roles',
    '/fhir/ORD/2-0-0/sync?LastChangeDate=2026-11-20',
    '/fhir/events?since=2000-01-01',
    '/fhir/roles',
    '/fhir/resolve?code=RR8',
    '/fhir/hierarchy?code=RR8',
    '/fhir/match?name=leeds',
    '/fhir/openapi.json',
    '/fhir/editions/current.ndjson',
    '/fhir/api/getReport?report=etr',
  ]) {
    it(`of ${path} unpacks to the plain answer`, async (context) => {
      const all = await startDirectory({ settings: { gzipMinBytes: 1 } });
      context.after(() => all.close());
      const plain = await raw(all, path);
      assert.equal(plain.status, 200, plain.bytes.toString());
      const packed = await raw(all, path, { 'accept-encoding': 'gzip' });
      assert.equal(packed.headers['content-encoding'], 'gzip');
      assert.equal(gunzipSync(packed.bytes).toString(), plain.bytes.toString());
      const head = await raw(all, path, { 'accept-encoding': 'gzip' }, 'HEAD');
      assert.deepEqual([head.status, head.headers['content-encoding']], [200, 'gzip']);
    });
  }

  it('of a large answer is made while it is sent', async () => {
    const path = 'Organization?_count=300';
    const plain = await raw(large, path);
    assert.ok(plain.bytes.length > 200_000);
    for (let time = 0; time < 3; time++) {
      const packed = await raw(large, path, { 'accept-encoding': 'gzip' });
      assert.equal(gunzipSync(packed.bytes).toString(), plain.bytes.toString());
      const head = await raw(large, path, { 'accept-encoding': 'gzip' }, 'HEAD');
      assert.equal(head.status, 200);
      assert.equal(head.headers['content-encoding'], 'gzip');
    }
  });

  it('is only sent from the set size on, and never for 0', async (context) => {
    const isGzip = async (gzipMinBytes: number, path: string) => {
      const one = await startDirectory({ settings: { gzipMinBytes } });
      context.after(() => one.close());
      const answer = await raw(one, path, { 'accept-encoding': 'gzip' });
      return [answer.headers['content-encoding'] === 'gzip', answer.headers.vary];
    };
    const { bytes } = await raw(server, 'Organization/RR8');
    const [size, vary] = [bytes.length, 'Accept, Accept-Encoding'];
    assert.deepEqual(await isGzip(size, 'Organization/RR8'), [true, vary]);
    assert.deepEqual(await isGzip(size + 1, 'Organization/RR8'), [false, vary]);
    assert.deepEqual(await isGzip(0, 'Organization/RR8'), [false, 'Accept']);
    assert.deepEqual(await isGzip(0, '/fhir/editions/current.ndjson'), [false, 'Accept']);
  });

  it('is not made of outcomes and of what has no body', async () => {
    for (const path of ['Organization/NONE', 'Organization?name=x']) {
      const answer = await raw(server, path, { 'accept-encoding': 'gzip' });
      assert.equal(answer.headers['content-encoding'], undefined);
      assert.equal(JSON.parse(answer.bytes.toString()).resourceType, 'OperationOutcome');
    }
  });
});

describe('Cache-Control', () => {
  const setting = 'public, max-age=60';
  const PATHS = ['Organization/RR8', 'Organization', 'metadata', '/fhir/editions/current.ndjson'];

  it('is absent where no setting says otherwise', async (context) => {
    const server = await startDirectory();
    context.after(() => server.close());
    for (const path of PATHS) {
      assert.equal((await server.get(path)).headers.get('cache-control'), null, path);
    }
  });

  it('is as it is set, on 200 and 304, not on errors and answers to POST', async (context) => {
    const server = await startDirectory({ settings: { cacheControl: setting } });
    context.after(() => server.close());
    const cachingOf = ({ headers }: { headers: Headers }) => headers.get('cache-control');
    for (const path of PATHS) {
      assert.equal(cachingOf(await server.get(path)), setting, path);
      assert.equal(cachingOf(await server.get(path, { 'if-none-match': '*' })), setting, path);
    }
    for (const path of ['Organization/NONE', 'Organization?foo=1', 'Patient']) {
      assert.equal(cachingOf(await server.get(path)), null, path);
    }
    assert.equal(cachingOf(await server.post('Organization/_search', '')), null);
  });
});
