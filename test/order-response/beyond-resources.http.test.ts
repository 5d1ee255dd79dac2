/** What is not about an order response: the base of the service, other types, operations. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BASE, EXAMPLE, type OrderServer, startOrders } from './order-server.ts';
import { FORMATS, requirePrivate, resourceIn } from './wire-formats.ts';

const ORIGIN = 'http://pages.example';
const OTHER = 'http://other.example';

let server: OrderServer;
before(async () => {
  server = await startOrders({ corsOrigins: [ORIGIN] });
});
after(() => server.close());

for (const [format, { type, encode }] of Object.entries(FORMATS)) {
  describe(`the base of order responses in ${format}`, () => {
    it('answers OPTIONS with the Conformance, without a token', async () => {
      const headers = { accept: type, authorization: '' };
      const metadata = await server.send('GET', 'metadata', headers);
      for (const more of [{}, { origin: OTHER }, { 'if-none-match': '*' }]) {
        const answer = await server.send('OPTIONS', '', { ...headers, ...more });
        assert.equal(answer.status, 200, answer.text);
        assert.equal(resourceIn(answer).resourceType, 'Conformance');
        assert.equal(answer.text, metadata.text);
        requirePrivate(answer);
      }
    });

    it('answers a preflight as one', async () => {
      const asked = { accept: type, 'access-control-request-method': 'GET' };
      const known = await server.send('OPTIONS', '', { ...asked, origin: ORIGIN });
      assert.equal(known.status, 204);
      assert.equal(known.headers.get('access-control-allow-origin'), ORIGIN);
      const unknown = await server.send('OPTIONS', '', { ...asked, origin: OTHER });
      assert.equal(unknown.status, 204);
      assert.equal(unknown.headers.get('access-control-allow-origin'), null);
    });
  });

  describe(`what order responses do not know, in ${format}`, () => {
    const cases: readonly (readonly [method: string, path: string, says: RegExp])[] = [
      ['GET', '', /^GET is not offered on \/base\. Use POST\.$/],
      [
        'POST',
        'OrderResponse/$everything',
        /Unknown operation "\$everything" of \S+\. The operations are /,
      ],
      ['GET', 'OrderResponse/$meta', /Unknown operation "\$meta" of \S+\. The operations are /],
      [
        'POST',
        'OrderResponse/1/$meta-add',
        /Unknown operation "\$meta-add" of \S+\. The operations are /,
      ],
      ['PUT', 'OrderResponse/%24x', /Unknown operation "\$x" of \S+\. The operations are /],
    ];
    for (const [method, path, says] of cases) {
      it(`is an outcome of DSTU2, which no page may read, for ${method} of ${path || 'the base'}`, async () => {
        const isRead = method === 'GET';
        const headers = { 'content-type': type, origin: OTHER, ...(isRead && { accept: type }) };
        const body = isRead ? undefined : encode(EXAMPLE);
        const answer = await server.send(method, path, headers, body);
        assert.equal(answer.status, path === '' ? 405 : 404, answer.text);
        assert.match(
          answer.headers.get('content-type') ?? '',
          new RegExp(`^${type.replace('+', '\\+')}`),
        );
        requirePrivate(answer);
        assert.match(resourceIn(answer).issue[0].diagnostics, says);
      });
    }
  });
}

const ELSEWHERE: readonly (readonly [method: string, path: string])[] = [
  ['GET', 'Nothing'],
  ['GET', 'Patient/1'],
  ['GET', 'Organization/RR8'],
  ['POST', 'Patient'],
  ['PUT', 'Patient/1'],
  ['GET', '_search'],
];
for (const [method, path] of ELSEWHERE) {
  it(`${method} of ${path} is no matter of order responses`, async () => {
    const body = method === 'GET' ? undefined : FORMATS.xml.encode(EXAMPLE);
    const headers = { 'content-type': FORMATS.xml.type, authorization: '', origin: OTHER };
    const answer = await server.send(method, path, headers, body);
    assert.equal(answer.status, 404);
    assert.equal(answer.headers.get('content-type'), 'application/fhir+json; charset=utf-8');
    assert.equal(JSON.parse(answer.text).resourceType, 'OperationOutcome');
    const [{ diagnostics }] = JSON.parse(answer.text).issue;
    assert.match(diagnostics, new RegExp(`^Unknown path "/base/${path}"\\.`));
    assert.match(diagnostics, new RegExp(`The paths are ${BASE}/STU3, ${BASE}\\.$`));
  });
}
