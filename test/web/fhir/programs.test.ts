/** Programs get the same bytes from a server with pages as from one without. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BROWSER, type PageServer, type SendHeaders, startPages, TOKEN } from './page-server.ts';

/** What programs send. */
const ACCEPTS: readonly (string | undefined)[] = [
  undefined,
  '',
  '*/*',
  'application/*',
  'text/*',
  'application/json',
  'application/xml',
  'application/fhir+json',
  'application/fhir+xml',
  'application/json+fhir',
  'image/png',
  // HAPI FHIR, Firely, fhir.js, axios, jQuery, R.
  'application/fhir+xml;q=1.0, application/fhir+json;q=1.0, application/xml+fhir;q=0.9, ' +
    'application/json+fhir;q=0.9',
  'application/fhir+json; fhirVersion=3.0',
  'application/json, text/plain, */*',
  'application/json, text/javascript, */*; q=0.01',
  'application/json, text/xml, application/xml, */*',
  // Java's HttpURLConnection.
  'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  'text/html, image/gif, image/jpeg, */*; q=0.2',
  'text/html;q=0.5, application/fhir+json',
  'text/html;q=0.5, */*',
  'text/html, application/json',
  'text/html;q=0',
];

const PATHS = [
  '/STU3/Organization/RR8',
  '/STU3/Organization?_count=2',
  '/STU3/metadata',
  '/STU3/Organization/NONE',
  '/STU3/nope',
  '/R4/Organization/RR8',
  '/R4/CodeSystem',
  '/legacy/STU3/Organization/RR8',
  '/metadata',
  '/OrderResponse/1',
  '/Patient/1',
  '/openapi.json',
  '/editions/current.sqlite',
  '/api/nope',
  '/api/getReport',
  '/ORD/2-0-0/organisations/NONE',
] as const;

/** With a `_format` of FHIR the Accept of a browser changes nothing. */
const FORMATS = ['json', 'xml', 'application/fhir%2Bxml', 'nonsense'] as const;

describe('a program that opens a FHIR address', () => {
  let server: PageServer;
  before(() => {
    server = startPages();
  });
  after(() => server.close());

  const requireSame = async (target: string, headers: SendHeaders, method = 'GET') => {
    const expected = await server.askWithout(target, headers, method);
    const answer = await server.ask(target, headers, method);
    const where = `${method} ${target} ${JSON.stringify(headers)}`;
    assert.equal(answer.status, expected.status, where);
    assert.deepEqual(answer.headers, expected.headers, where);
    assert.equal(withoutId(answer.text), withoutId(expected.text), where);
  };

  for (const accept of ACCEPTS) {
    it(`gets the bytes of a server without pages, with Accept: ${accept ?? 'none'}`, async () => {
      const headers: SendHeaders = accept === undefined ? {} : { accept };
      for (const path of PATHS) {
        await requireSame(path, headers);
        await requireSame(path, headers, 'HEAD');
        await requireSame(path, { ...headers, 'accept-encoding': 'gzip' });
      }
    });
  }

  it('gets them in the format that it names', async () => {
    for (const format of FORMATS) {
      for (const path of PATHS) {
        const target = `${path}${path.includes('?') ? '&' : '?'}_format=${format}`;
        await requireSame(target, { accept: BROWSER });
        await requireSame(target, {});
      }
    }
  });

  it('gets them from other methods, also if a browser sends them', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'QUERY']) {
      for (const path of PATHS) await requireSame(path, { accept: BROWSER }, method);
      await requireSame('/STU3/Organization?_format=html', {}, method);
    }
  });

  it('gets order responses as before', async () => {
    const id = await server.create();
    const authorization = `Bearer ${TOKEN}`;
    for (const accept of ['*/*', 'application/json+fhir', 'text/html;q=0.5, application/xml']) {
      for (const end of ['', '/_history', '/_history/1']) {
        await requireSame(`/OrderResponse/${id}${end}`, { authorization, accept });
      }
    }
  });
});

/** Each outcome and each history has its own id. */
function withoutId(text: string): string {
  return text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
}
