/** Which format an order response is read in and answered in: Accept, _format, bodies and their encodings. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  EXAMPLE,
  EXAMPLE_XML,
  JSON_TYPE,
  type OrderServer,
  startOrders,
  XML_TYPE,
} from './order-server.ts';
import { FORMATS, requirePrivate, resourceIn } from './wire-formats.ts';

const JSON_BODY = JSON.stringify(EXAMPLE);

let server: OrderServer;
let id: string;
before(async () => {
  server = await startOrders();
  id = await server.create();
});
after(() => server.close());

const stored = () => server.store.journal.filter(({ entry }) => entry === 'create create').length;

describe('a read', () => {
  const cases: readonly (readonly [accept: string, query: string, type: string])[] = [
    ['*/*', '', XML_TYPE],
    ['', '', XML_TYPE],
    ['application/*', '', XML_TYPE],
    ['application/json', '', 'application/json'],
    ['text/json', '', 'text/json'],
    ['application/json+fhir', '', JSON_TYPE],
    ['application/fhir+json', '', 'application/fhir+json'],
    ['application/xml', '', 'application/xml'],
    ['text/xml', '', 'text/xml'],
    ['application/xml+fhir; charset=utf-8', '', XML_TYPE],
    ['application/fhir+xml', '', 'application/fhir+xml'],
    ['APPLICATION/JSON+FHIR', '', JSON_TYPE],
    ['application/json+fhir;q=0.5, application/xml+fhir;q=0.4', '', JSON_TYPE],
    ['application/json, application/xml', '', 'application/xml'],
    ['*/*, application/json', '', 'application/json'],
    ['application/xml+fhir;q=0, */*', '', JSON_TYPE],
    ['image/png, application/json+fhir;q=0.1', '', JSON_TYPE],
    ['text/html, application/json', '', 'application/json'],
    ['text/html, application/json;q=0.9', '', XML_TYPE],
    ['application/json+fhir, text/html, */*;q=0.1', '', JSON_TYPE],
    ['application/xml', '?_format=json', JSON_TYPE],
    ['image/png', '?_format=xml', XML_TYPE],
    ['*/*', '?_format=text/json', JSON_TYPE],
    ['*/*', '?_format=application/json', JSON_TYPE],
    ['*/*', '?_format=application/json+fhir', JSON_TYPE],
    ['*/*', '?_format=application/json%2Bfhir', JSON_TYPE],
    ['*/*', '?_format=application/fhir+json', JSON_TYPE],
    ['application/json', '?_format=xml', XML_TYPE],
    ['application/json', '?_format=text/xml', XML_TYPE],
    ['application/json', '?_format=application/xml', XML_TYPE],
    ['application/json', '?_format=application/xml+fhir', XML_TYPE],
    ['application/json', '?_format=application/fhir%2Bxml', XML_TYPE],
  ];
  for (const [accept, query, type] of cases) {
    it(`with Accept "${accept}" and "${query}" is ${type}`, async () => {
      for (const path of [`OrderResponse/${id}`, `OrderResponse/${id}/_history/1`]) {
        const answer = await server.send('GET', path + query, { accept });
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.headers.get('content-type'), `${type}; charset=utf-8`);
        assert.match(answer.headers.get('vary') ?? '', /Accept/);
        assert.equal(resourceIn(answer).id, id);
      }
    });
  }

  it('is XML also if the request has a Content-Type without a body', async () => {
    const answer = await server.send('GET', `OrderResponse/${id}`, { 'content-type': JSON_TYPE });
    assert.equal(answer.headers.get('content-type'), `${XML_TYPE}; charset=utf-8`);
  });

  it('is indented with _pretty=true and for a browser, compact otherwise, and means the same', async () => {
    for (const format of ['json', 'xml'] as const) {
      const read = (more: string) =>
        server.send('GET', `OrderResponse/${id}?_format=${format}${more}`);
      const [compact, same, pretty] = await Promise.all(
        ['', '&_pretty=false', '&_pretty=true'].map(read),
      );
      assert.ok(compact && same && pretty);
      assert.equal(compact.text, same.text);
      assert.match(pretty.text, /\n {2}/);
      assert.doesNotMatch(compact.text, /\n {2}/);
      assert.deepEqual(resourceIn(pretty), resourceIn(compact));
      assert.equal((await read('&_pretty=perhaps')).status, 400);
    }
    const browser = await server.send('GET', `OrderResponse/${id}`, { accept: 'text/html' });
    assert.match(browser.text, /\n {2}/);
  });

  it('ignores other parameters', async () => {
    for (const path of [`OrderResponse/${id}`, `OrderResponse/${id}/_history/1`]) {
      const { status } = await server.send('GET', `${path}?_summary=true&foo=%zz&_count=0`);
      assert.equal(status, 200);
    }
  });
});

describe('a body', () => {
  const types: readonly (readonly [sent: string, format: 'json' | 'xml'])[] = [
    ['application/json', 'json'],
    ['text/json', 'json'],
    ['application/json+fhir', 'json'],
    ['application/fhir+json', 'json'],
    ['Application/JSON+FHIR; Charset="UTF-8"', 'json'],
    ['application/json; fhirVersion=1.0', 'json'],
    ['application/xml', 'xml'],
    ['text/xml', 'xml'],
    ['application/xml+fhir', 'xml'],
    ['application/fhir+xml;charset=utf-8', 'xml'],
  ];
  for (const [sent, format] of types) {
    it(`of type ${sent} is read as ${format}, and answered with the formal media type`, async () => {
      const body = format === 'json' ? JSON_BODY : EXAMPLE_XML;
      for (const accept of ['*/*', 'application/*']) {
        const headers = { 'content-type': sent, accept };
        const answer = await server.send('POST', 'OrderResponse', headers, body);
        assert.equal(answer.status, 201, answer.text);
        const type = FORMATS[format].type;
        assert.equal(answer.headers.get('content-type'), `${type}; charset=utf-8`);
      }
    });
  }

  it('is read in the format of its Content-Type, independent of Accept and _format', async () => {
    for (const [type, body, other] of [
      [JSON_TYPE, JSON_BODY, 'xml'],
      [XML_TYPE, EXAMPLE_XML, 'json'],
    ] as const) {
      const headers = { 'content-type': type, accept: type };
      const answer = await server.send('POST', `OrderResponse?_format=${other}`, headers, body);
      assert.equal(answer.status, 201, answer.text);
      assert.equal(answer.headers.get('content-type'), `${FORMATS[other].type}; charset=utf-8`);
      assert.equal(resourceIn(answer).resourceType, 'OperationOutcome');
    }
  });

  it('chooses between formats with the same weight', async () => {
    for (const [type, body] of [
      ['application/json', JSON_BODY],
      ['application/xml', EXAMPLE_XML],
    ] as const) {
      const headers = { 'content-type': type, accept: 'application/xml, application/json' };
      const answer = await server.send('POST', 'OrderResponse', headers, body);
      assert.equal(answer.headers.get('content-type'), `${type}; charset=utf-8`);
    }
  });

  it('in another format than its Content-Type names is 400', async () => {
    for (const [type, body] of [
      [JSON_TYPE, EXAMPLE_XML],
      [XML_TYPE, JSON_BODY],
    ] as const) {
      const answer = await server.send('POST', 'OrderResponse', { 'content-type': type }, body);
      assert.equal(answer.status, 400);
      assert.equal(answer.headers.get('content-type'), `${type}; charset=utf-8`);
      assert.equal(resourceIn(answer).issue[0].code, 'structure');
    }
  });

  it('may begin with one byte order mark', async () => {
    for (const [type, body] of [
      [JSON_TYPE, JSON_BODY],
      [XML_TYPE, EXAMPLE_XML],
    ] as const) {
      const answer = await server.send(
        'POST',
        'OrderResponse',
        { 'content-type': type },
        `\u{FEFF}${body}`,
      );
      assert.equal(answer.status, 201, answer.text);
    }
  });

  const declaration = (encoding: string) =>
    EXAMPLE_XML.replace(/^(<\?xml[^>]*\?>)?/, `<?xml version="1.0" encoding="${encoding}"?>`);
  const latin = (text: string) => Buffer.from(text.replace('Kanfeld', 'Müller'), 'latin1');
  const wrong: readonly (readonly [what: string, type: string, body: string | Buffer])[] = [
    ['XML that is declared as another encoding', XML_TYPE, declaration('ISO-8859-1')],
    ['XML that is declared as UTF-16', XML_TYPE, declaration('UTF-16')],
    ['XML in UTF-16', XML_TYPE, Buffer.from(`\u{FEFF}${EXAMPLE_XML}`, 'utf16le')],
    ['JSON in UTF-16', JSON_TYPE, Buffer.from(JSON_BODY, 'utf16le')],
    ['XML in Latin-1', XML_TYPE, latin(EXAMPLE_XML)],
    ['JSON in Latin-1', JSON_TYPE, latin(JSON_BODY)],
    ['a half surrogate in JSON', JSON_TYPE, JSON_BODY.replace('Kanfeld', '\\ud800')],
    ['a character that XML lacks, in JSON', JSON_TYPE, JSON_BODY.replace('Kanfeld', 'a\\u0000b')],
    ['a character that XML lacks, in XML', XML_TYPE, EXAMPLE_XML.replace('Kanfeld', '&#0;')],
  ];
  for (const [what, type, body] of wrong) {
    it(`is 400 for ${what}, and nothing is stored`, async () => {
      const before = stored();
      const bytes = Uint8Array.from(Buffer.from(body as Buffer));
      const answer = await server.send('POST', 'OrderResponse', { 'content-type': type }, bytes);
      assert.equal(answer.status, 400, answer.text);
      assert.equal(resourceIn(answer).resourceType, 'OperationOutcome');
      assert.equal(stored(), before);
    });
  }

  it('may be declared as UTF-8 in any case', async () => {
    for (const encoding of ['UTF-8', 'utf-8']) {
      const headers = { 'content-type': XML_TYPE };
      const answer = await server.send('POST', 'OrderResponse', headers, declaration(encoding));
      assert.equal(answer.status, 201, answer.text);
    }
  });
});

describe('what cannot be answered', () => {
  it('is 406 in the default format, before anything is stored', async () => {
    const before = stored();
    for (const [type, body] of [
      [JSON_TYPE, JSON_BODY],
      [XML_TYPE, EXAMPLE_XML],
    ] as const) {
      for (const [method, path] of [
        ['POST', 'OrderResponse'],
        ['PUT', `OrderResponse/${id}`],
      ] as const) {
        const headers = { 'content-type': type, accept: 'image/png, text/csv' };
        const answer = await server.send(method, path, headers, body);
        assert.equal(answer.status, 406);
        assert.equal(answer.headers.get('content-type'), `${XML_TYPE}; charset=utf-8`);
        assert.equal(resourceIn(answer).issue[0].code, 'not-supported');
        requirePrivate(answer);
      }
    }
    assert.equal(stored(), before);
    const read = await server.send('GET', `OrderResponse/${id}`, { accept: JSON_TYPE });
    assert.equal(resourceIn(read).meta.versionId, '1');
  });

  it('is 400 if _format names it, and the outcome is in the accepted format', async () => {
    for (const accept of [JSON_TYPE, XML_TYPE]) {
      for (const path of [`OrderResponse/${id}`, `OrderResponse/${id}/_history`, 'metadata']) {
        const answer = await server.send('GET', `${path}?_format=turtle`, { accept });
        assert.equal(answer.status, 400);
        assert.equal(answer.headers.get('content-type'), `${accept}; charset=utf-8`);
        const [issue] = resourceIn(answer).issue;
        assert.equal(issue.code, 'invalid');
        assert.equal(issue.details.coding[0].code, 'INVALID_VALUE');
      }
    }
  });

  it('is named if the body has the other format', async () => {
    for (const [sent, body, problem] of [
      [JSON_TYPE, `\n${EXAMPLE_XML}`, /^The body is XML, but Content-Type says JSON\./],
      [XML_TYPE, ` ${JSON_BODY}`, /^The body is JSON, but Content-Type says XML\./],
    ] as const) {
      const headers = { 'content-type': sent, accept: JSON_TYPE };
      const answer = await server.send('POST', 'OrderResponse', headers, body);
      assert.equal(answer.status, 400);
      const [issue] = resourceIn(answer).issue;
      assert.match(issue.diagnostics, problem);
      // The code system of these codes is one of STU3.
      assert.deepEqual(issue.details.coding, [{ code: 'BAD_REQUEST', display: 'Bad request' }]);
    }
  });
});

it('an XML body without the namespace of FHIR is told to have it', async () => {
  const body = FORMATS.xml.encode(EXAMPLE).replace(/ xmlns="[^"]*"/, '');
  const answer = await server.send('POST', 'OrderResponse', { 'content-type': XML_TYPE }, body);
  assert.equal(answer.status, 400);
  assert.match(answer.text, /OrderResponse.* is not in the namespace http:\/\/hl7\.org\/fhir\./);
});
