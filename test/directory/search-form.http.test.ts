/** The search by POST: the same as by GET, with its parameters in the URL and in a form. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { LISTENER_LIMITS } from '../../src/server/http-listener.ts';
import { type DirectoryServer, startDirectory } from './directory-server.ts';

const FORM = 'application/x-www-form-urlencoded';

/** A URL's query, a body, and the query that asks the same by GET. */
const SAME: readonly (readonly [query: string, body: string, same: string])[] = [
  ['', '', ''],
  ['name=leeds', '', 'name=leeds'],
  ['', 'name=leeds', 'name=leeds'],
  ['', 'name=leeds&_count=1', 'name=leeds&_count=1'],
  ['ods-org-role=197', 'ods-org-role=57', 'ods-org-role=197&ods-org-role=57'],
  [
    'active=true',
    'ods-org-role=197,198&_count=2&_page=2',
    'active=true&ods-org-role=197,198&_count=2&_page=2',
  ],
  ['', 'name=leeds+dental&_summary=count', 'name=leeds%20dental&_summary=count'],
  ['', 'address-city=caf\u00e9', 'address-city=caf%C3%A9'],
  ['', '\ufeffname=leeds', 'name=leeds'],
  ['', 'ods-org-primaryRole=true&ods-org-role=157', 'ods-org-primaryRole=true&ods-org-role=157'],
  [
    '',
    'identifier=https%3A%2F%2Ffhir.nhs.uk%2FId%2Fods-organization-code%7Crtg',
    'identifier=https://fhir.nhs.uk/Id/ods-organization-code%7Crtg',
  ],
  ['_pretty=true', 'name=leeds', '_pretty=true&name=leeds'],
];

/** What is refused, with the codes of the issues in their order. */
const REFUSED: readonly (readonly [query: string, body: string, codes: readonly string[]])[] = [
  ['foo=1', 'name=ab&_count=99', ['INVALID_PARAMETER', 'INVALID_VALUE', 'INVALID_VALUE']],
  ['_count=1', '_count=1', ['INVALID_PARAMETER']],
  ['', 'name=%ff', ['INVALID_VALUE']],
  ['', 'ods-org-primaryRole=true', ['INVALID_PARAMETER']],
  ['', '_format=yaml', ['INVALID_VALUE']],
  [
    Array(26).fill('name=leeds').join('&'),
    Array(25).fill('name=leeds').join('&'),
    ['INVALID_PARAMETER'],
  ],
];

for (const format of ['json', 'xml'] as const) {
  describe(`a search by POST, answered in ${format}`, () => {
    let server: DirectoryServer;
    before(async () => {
      server = await startDirectory();
    });
    after(() => server.close());
    const accept = `application/fhir+${format}`;
    const headers = { 'content-type': FORM, accept };

    for (const [query, body, same] of SAME) {
      it(`of "${query}" and "${body}" is answered as GET ${same || 'without parameters'}`, async () => {
        const posted = await server.post(`Organization/_search?${query}`, body, headers);
        const got = await server.get(`Organization?${same}`, { accept });
        assert.equal(posted.status, 200, posted.text);
        assert.equal(posted.text, got.text);
        for (const name of ['etag', 'last-modified', 'content-type', 'vary']) {
          assert.equal(posted.headers.get(name), got.headers.get(name), name);
        }
      });
    }

    for (const [query, body, codes] of REFUSED) {
      it(`of "${query.slice(0, 40)}" and "${body.slice(0, 40)}" is 400`, async () => {
        const answer = await server.post(`Organization/_search?${query}`, body, headers);
        assert.equal(answer.status, 400);
        const found = answer.text.match(/INVALID_[A-Z]+/g);
        assert.deepEqual(found, codes);
      });
    }

    it('needs no body if all parameters are in the URL', async () => {
      for (const base of ['STU3', 'R4', 'legacy/STU3']) {
        const got = await server.get(`/fhir/${base}/Organization?name=leeds`, { accept });
        for (const type of [{}, { 'content-type': '' }, { 'content-type': 'text/plain' }]) {
          const path = `/fhir/${base}/Organization/_search?name=leeds`;
          const posted = await server.post(path, new Uint8Array(), { accept, ...type });
          assert.equal(posted.status, 200, posted.text);
          assert.equal(posted.text, got.text);
        }
      }
    });

    it('prefers _format in the body to Accept', async () => {
      const other = format === 'json' ? 'xml' : 'json';
      const answer = await server.post('Organization/_search', `_format=${other}`, headers);
      assert.equal(answer.headers.get('content-type'), `application/fhir+${other}; charset=utf-8`);
    });

    it('answers every unreadable body with an outcome', async () => {
      const post = (body: string | Uint8Array<ArrayBuffer>, more: Record<string, string>) =>
        server.post('Organization/_search?name=leeds', body, { accept, ...more });
      for (const [type, status] of [
        [`${FORM}; charset=UTF-8`, 200],
        [`${FORM}; charset="utf-8"`, 200],
        [FORM.toUpperCase(), 200],
        [`${FORM};charset=iso-8859-1`, 415],
        ['application/fhir+json', 415],
        ['multipart/form-data; boundary=x', 415],
        ['', 415],
      ] as const) {
        const answer = await post('_count=1', { 'content-type': type });
        assert.equal(answer.status, status, type);
        if (status === 415) assert.match(answer.text, /not-supported.*UNSUPPORTED_MEDIA_TYPE/);
      }
      const bytes = new Uint8Array(Buffer.from('_count=1'));
      assert.equal((await post(bytes, {})).status, 415, 'no Content-Type');
      const coded = { 'content-type': FORM, 'content-encoding': 'gzip' };
      assert.equal((await post(bytes, coded)).status, 415, 'a Content-Encoding');
      const asItIs = { 'content-type': FORM, 'content-encoding': 'identity' };
      assert.equal((await post(bytes, asItIs)).status, 200);
      const latin = await post(new Uint8Array([0x6e, 0x3d, 0xe9]), { 'content-type': FORM });
      assert.equal(latin.status, 400);
      assert.match(latin.text, /not valid UTF-8/);
    });

    it('refuses a body beyond the limit with 413, with and without Content-Length', async () => {
      const long = new TextEncoder().encode(`name=${'x'.repeat(LISTENER_LIMITS.formBytesMax)}`);
      const whole = await server.post('Organization/_search', long, headers);
      const stream = new ReadableStream({
        start: (controller) => {
          controller.enqueue(long);
          controller.close();
        },
      });
      const chunked = await fetch(
        `http://127.0.0.1:${server.port}/fhir/STU3/Organization/_search`,
        {
          method: 'POST',
          headers,
          body: stream,
          duplex: 'half',
        } as RequestInit,
      );
      for (const [status, text] of [
        [whole.status, whole.text],
        [chunked.status, await chunked.text()],
      ] as const) {
        assert.equal(status, 413);
        assert.match(text, /too-long.*BAD_REQUEST.*longer than 65536 bytes/);
      }
      assert.equal((await server.post('Organization/_search', '', headers)).status, 200);
    });

    it('checks path and method before Accept, and Accept before the body', async () => {
      const wrong = { accept: 'image/png', 'content-type': 'text/plain' };
      assert.equal((await server.post('Patient/_search', '', wrong)).status, 404);
      assert.equal((await server.post('SearchParameter/_search', '', wrong)).status, 405);
      assert.equal((await server.post('Organization/_search', '', wrong)).status, 406);
    });

    it('has the same links as the search by GET, and they work', async () => {
      const body = 'active=true&_count=2';
      const { text } = await server.post('Organization/_search', body, {
        ...headers,
        accept: 'application/json',
      });
      const { link } = JSON.parse(text);
      const base = 'http://directory.test/fhir/STU3/Organization';
      assert.deepEqual(link.slice(0, 3), [
        { relation: 'self', url: `${base}?active=true&_count=2&_page=1` },
        { relation: 'first', url: `${base}?active=true&_count=2&_page=1&_edition=1` },
        { relation: 'next', url: `${base}?active=true&_count=2&_page=2&_edition=1` },
      ]);
      const next = await server.get(link[2].url.replace('http://directory.test', ''));
      assert.deepEqual(
        JSON.parse(next.text).entry.map(
          ({ resource }: { resource: { id: string } }) => resource.id,
        ),
        ['RR801', 'RTG'],
      );
    });

    it('ignores unknown parameters if the client prefers lenient handling', async () => {
      const lenient = { ...headers, prefer: 'handling=lenient' };
      const answer = await server.post('Organization/_search?foo=1', 'bar=2&name=leeds', lenient);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('preference-applied'), 'handling=lenient');
      assert.doesNotMatch(answer.text, /foo|bar/);
    });

    it('is never answered with 304', async () => {
      const conditional = { ...headers, 'if-none-match': '*' };
      const answer = await server.post('Organization/_search', 'name=leeds', conditional);
      assert.equal(answer.status, 200);
    });
  });
}

it('a client that goes away in the middle of its form is not answered, and others are', async (context) => {
  const server = await startDirectory();
  context.after(() => server.close());
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST /fhir/STU3/Organization/_search HTTP/1.1\r\nHost: a\r\nContent-Type: ${FORM}\r\n` +
      'Content-Length: 100\r\n\r\nname=',
  );
  assert.equal((await server.get('Organization/RR8')).status, 200);
  socket.destroy();
  assert.equal((await server.post('Organization/_search', 'name=leeds')).status, 200);
});
