/** Pages and both FHIR services at one address: who answers what, over a real socket. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { NO_HISTORY } from '../../src/directory/edition/edition-store.ts';
import { createHandle } from '../../src/fhir/handle.ts';
import { FhirError } from '../../src/fhir/request/fhir-error.ts';
import { createOrdService } from '../../src/interfaces/ord/service.ts';
import { createReportServices } from '../../src/interfaces/reports/service.ts';
import { createDirectoryService } from '../../src/interfaces/service.ts';
import { createOrderService } from '../../src/orders/order-response/service.ts';
import { createListener } from '../../src/server/http-listener.ts';
import { interfaceOf, plainInterfaceOf } from '../../src/web/api/api-page.ts';
import { PAGE_PATH_STARTS } from '../../src/web/parts/addresses.ts';
import { createWeb } from '../../src/web/web.ts';
import {
  SETTINGS as DIRECTORY_SETTINGS,
  editionOf,
  SOFTWARE,
  servedStu3,
} from '../directory/directory-server.ts';
import { RECORDS } from '../directory/records.ts';
import { listenOnLoopback } from '../loopback.ts';
import { SETTINGS as ORDER_SETTINGS } from '../order-response/order-server.ts';
import { createMemoryRepository } from '../storage/memory-repository.ts';
import { PAGE_SETTINGS } from './web-server.ts';

/** Headers and an empty body. */
const GZIP_CHUNKED = ['Transfer-Encoding: gzip, chunked', 'Connection: close', '', '0', ''];

const SERVER_URL = 'http://gazetteer.test';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** What Java's HttpURLConnection sends if a program names no type. */
const JAVA = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';
const FORM = 'Content-Type: application/x-www-form-urlencoded';

const faults: unknown[] = [];
const pageAnswers: { readonly status: number; readonly address: string }[] = [];
let port = 0;
let close = async () => {};

before(async () => {
  const edition = editionOf(RECORDS);
  const editions = { current: () => edition, byNumber: () => edition };
  const authorize = () => {
    throw new FhirError([{ kind: 'unauthorized', diagnostics: 'There is no token.' }]);
  };
  const onFault = (error: unknown) => {
    faults.push(error);
  };
  const face = servedStu3(DIRECTORY_SETTINGS, SERVER_URL);
  const plainOptions = { settings: DIRECTORY_SETTINGS, serverUrl: SERVER_URL, editions };
  const plainServices = [createOrdService(plainOptions), ...createReportServices(plainOptions)];
  const pages = await createWeb({
    settings: PAGE_SETTINGS,
    face,
    interfaces: [interfaceOf(face), ...plainServices.map(plainInterfaceOf)],
    editions,
    history: NO_HISTORY,
    orders: { example: {} },
    onFault,
  });
  const handle = createHandle({
    services: [
      createDirectoryService(face, editions),
      createOrderService({
        settings: ORDER_SETTINGS,
        serverUrl: SERVER_URL,
        store: createMemoryRepository(),
        authorize,
        newId: randomUUID,
      }),
    ],
    plainServices,
    software: SOFTWARE,
    onFault,
    otherPaths: PAGE_PATH_STARTS,
    answerPages: pages.answerPages,
  });
  const { server } = createListener({
    handle,
    pages,
    idPrefix: 'test-',
    onFault,
    onAnswer: (_request, { status, interaction }, _durationMs, clientOf) => {
      if (interaction === 'page') pageAnswers.push({ status, address: clientOf() });
    },
  });
  port = await listenOnLoopback(server);
  close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    await pages.close();
  };
});
after(() => close());

/** What comes back for these lines, until the server ends the connection. */
async function exchange(...lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.end(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  let text = '';
  for await (const piece of socket) text += piece;
  return text;
}

describe('at an address with pages and both services', () => {
  const HTML = 'text/html; charset=utf-8';
  const JSON_STU3 = 'application/fhir+json; charset=utf-8';
  const JSON_DSTU2 = 'application/json+fhir; charset=utf-8';
  const XML_DSTU2 = 'application/xml+fhir; charset=utf-8';
  const CSV = 'text/csv; charset=utf-8';
  const ZIP = 'application/zip';
  const OPEN_API = 'application/json; charset=utf-8';
  const JSON_REPORTS = 'application/json; charset=utf-8';
  const host = 'Host: a';
  const cases: readonly (readonly [
    lines: readonly string[],
    status: number,
    type: string | undefined,
  ])[] = [
    // Browsers, and programs that say nothing of FHIR.
    [['GET / HTTP/1.1', host, `Accept: ${BROWSER}`], 200, HTML],
    [['GET / HTTP/1.1', host, 'Accept: */*'], 200, HTML],
    [['GET /?q=leeds HTTP/1.1', host], 200, HTML],
    [['GET /?_format=html HTTP/1.1', host], 200, HTML],
    [['GET /nope HTTP/1.1', host, `Accept: ${BROWSER}`], 404, HTML],
    [['GET /nope HTTP/1.1', host], 404, JSON_STU3],
    // The bases of interfaces.
    [['GET /STU3 HTTP/1.1', host, `Accept: ${BROWSER}`], 404, HTML],
    [['HEAD /STU3/ HTTP/1.1', host, `Accept: ${BROWSER}`], 404, HTML],
    [['GET /STU3 HTTP/1.1', host, 'Accept: */*'], 404, JSON_STU3],
    [['GET /STU3?_format=json HTTP/1.1', host, `Accept: ${BROWSER}`], 404, JSON_STU3],
    [['GET /STU3/nope HTTP/1.1', host, `Accept: ${BROWSER}`], 404, HTML],
    // FHIR addresses, as browsers and as programs open them.
    [['GET /STU3/Organization/RTG HTTP/1.1', host, `Accept: ${BROWSER}`], 200, HTML],
    [['HEAD /STU3/Organization/RTG HTTP/1.1', host, `Accept: ${BROWSER}`], 200, HTML],
    [['GET /STU3/metadata?_format=text/html HTTP/1.1', host], 200, HTML],
    [['GET /metadata HTTP/1.1', host, `Accept: ${BROWSER}`], 200, HTML],
    [['GET /OrderResponse/1 HTTP/1.1', host, `Accept: ${BROWSER}`], 401, HTML],
    [['GET /STU3/Organization/RTG HTTP/1.1', host, `Accept: ${JAVA}`], 200, JSON_STU3],
    [['GET /STU3/Organization/RTG HTTP/1.1', host], 200, JSON_STU3],
    [['GET /metadata?_format=xml HTTP/1.1', host, `Accept: ${BROWSER}`], 200, XML_DSTU2],
    [['GET /openapi.json HTTP/1.1', host, `Accept: ${BROWSER}`], 200, OPEN_API],
    [
      ['POST /STU3/Organization/_search HTTP/1.1', host, `Accept: ${BROWSER}`, FORM],
      200,
      JSON_STU3,
    ],
    [['GET /ORD/2-0-0 HTTP/1.1', host, `Accept: ${BROWSER}`], 404, HTML],
    // The page about the API, and the reports below its address.
    [['GET /api HTTP/1.1', host], 200, HTML],
    [['GET /api/ HTTP/1.1', host, `Accept: ${BROWSER}`], 200, HTML],
    [['OPTIONS /api HTTP/1.1', host, 'Accept: */*'], 204, undefined],
    [['OPTIONS /api/ HTTP/1.1', host], 204, undefined],
    [['OPTIONS /changes HTTP/1.1', host], 204, undefined],
    [['OPTIONS /api/getReport HTTP/1.1', host], 204, undefined],
    [['GET /api/getReport?report=ecsu HTTP/1.1', host, `Accept: ${BROWSER}`], 200, CSV],
    // Errors of the other interfaces.
    [['GET /api/getReport HTTP/1.1', host, `Accept: ${BROWSER}`], 400, HTML],
    [['GET /api/getReport HTTP/1.1', host], 400, JSON_REPORTS],
    [['GET /api/nope HTTP/1.1', host, `Accept: ${BROWSER}`], 404, HTML],
    [['GET /api/nope HTTP/1.1', host, `Accept: ${JAVA}`], 404, JSON_REPORTS],
    [['GET /ORD/2-0-0/nope HTTP/1.1', host, `Accept: ${BROWSER}`], 404, HTML],
    [['GET /assets/ods/current/ecsu.zip HTTP/1.1', host, `Accept: ${BROWSER}`], 200, ZIP],
    [['GET /assets/ods/current HTTP/1.1', host, `Accept: ${BROWSER}`], 404, HTML],
    // FHIR's own media types.
    [['GET /?_lastUpdated=gt2020 HTTP/1.1', host, 'Accept: application/fhir+json'], 405, JSON_STU3],
    [['GET / HTTP/1.1', host, 'Accept: application/json+fhir'], 405, JSON_DSTU2],
    [['GET / HTTP/1.1', host, 'Accept: text/html, application/xml+fhir;q=0.9'], 405, XML_DSTU2],
    [['GET / HTTP/1.1', host, 'Accept: text/html, application/xml+fhir;q=0'], 200, HTML],
    [['GET /?_format=json HTTP/1.1', host, `Accept: ${BROWSER}`], 405, JSON_DSTU2],
    [['POST / HTTP/1.1', host, 'Content-Type: application/xml+fhir'], 401, XML_DSTU2],
    [
      ['POST / HTTP/1.1', host, `Accept: ${BROWSER}`, 'Content-Type: application/fhir+json'],
      401,
      JSON_DSTU2,
    ],
    [['GET /nope HTTP/1.1', host, 'Accept: application/fhir+json, text/html'], 404, JSON_STU3],
    // The base of order responses, and FHIR's types below it.
    [['OPTIONS / HTTP/1.1', host], 200, XML_DSTU2],
    [['OPTIONS / HTTP/1.1', host, `Accept: ${BROWSER}`], 200, XML_DSTU2],
    [['GET /Patient/1 HTTP/1.1', host, `Accept: ${BROWSER}`], 404, HTML],
    [['GET /Patient/1 HTTP/1.1', host], 404, JSON_STU3],
    [['GET /_search HTTP/1.1', host], 404, JSON_STU3],
    [['GET /$meta HTTP/1.1', host], 404, JSON_STU3],
    [['POST /Patient HTTP/1.1', host, 'Content-Type: text/xml'], 404, JSON_STU3],
    // Methods that no service offers.
    [['QUERY / HTTP/1.1', host], 405, HTML],
    [['QUERY / HTTP/1.1', host, 'Content-Type: foo', `Accept: ${BROWSER}`], 405, HTML],
    [['PROPFIND /editions HTTP/1.1', host], 405, HTML],
    [['POST /nope HTTP/1.1', host, 'Content-Type: foo', 'Accept: text/html'], 404, HTML],
    // In a transfer coding that is not supported.
    [['GET / HTTP/1.1', host, ...GZIP_CHUNKED], 501, HTML],
    [['GET /metadata HTTP/1.1', host, ...GZIP_CHUNKED], 501, XML_DSTU2],
    // Without Host.
    [['GET / HTTP/1.1', 'Accept: text/html'], 400, HTML],
    [['GET /editions HTTP/1.1'], 400, HTML],
    [['GET / HTTP/1.0'], 200, HTML],
    [['GET /metadata HTTP/1.1'], 400, XML_DSTU2],
  ];
  for (const [lines, status, type] of cases) {
    it(`${lines.join(', ')} is ${status} in ${type}`, async () => {
      const answer = await exchange(...lines);
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.equal(/^content-type: (.+)$/im.exec(answer)?.[1]?.trim().toLowerCase(), type);
      assert.match(answer, /^x-request-id: ./im);
      if (status === 204) assert.match(answer, /^allow: (?:GET, HEAD|POST).*OPTIONS/im);
      else if (status !== 200 && type !== HTML && !lines[0]?.startsWith('HEAD'))
        assert.match(answer, type === JSON_REPORTS ? /\{"error":"/ : /OperationOutcome/);
      if (type === XML_DSTU2 || type === JSON_DSTU2) {
        assert.doesNotMatch(answer, /^access-control-allow-origin/im);
      }
      assert.deepEqual(faults, []);
    });
  }

  const wrongMethods: readonly (readonly [lines: readonly string[], allowed: string])[] = [
    [['DELETE / HTTP/1.1', host], 'GET, HEAD, POST, OPTIONS'],
    [['PUT / HTTP/1.1', host, `Accept: ${BROWSER}`], 'GET, HEAD, POST, OPTIONS'],
    [['PUT / HTTP/1.1', host, 'Content-Type: application/json+fhir'], 'POST, OPTIONS'],
    [['PATCH / HTTP/1.1', host, 'Accept: application/fhir+json'], 'POST, OPTIONS'],
    [['GET / HTTP/1.1', host, 'Accept: application/fhir+json'], 'POST, OPTIONS'],
    [['DELETE /check-a-list HTTP/1.1', host], 'GET, HEAD, POST, OPTIONS'],
    [['GET /check-a-list.csv HTTP/1.1', host], 'POST, OPTIONS'],
    [['PUT /editions HTTP/1.1', host], 'GET, HEAD, OPTIONS'],
    [['PUT /metadata HTTP/1.1', host], 'GET, HEAD, OPTIONS'],
  ];
  for (const [lines, allowed] of wrongMethods) {
    it(`${lines.join(', ')} is 405 and allows ${allowed}`, async () => {
      const answer = await exchange(...lines);
      assert.match(answer, /^HTTP\/1\.1 405 /);
      assert.equal(/^allow: (.+)$/im.exec(answer)?.[1]?.trim(), allowed);
    });
  }

  it('answers OPTIONS of the whole server with the methods that exist', async () => {
    for (const accept of ['application/fhir+json', 'text/html']) {
      const answer = await exchange('OPTIONS * HTTP/1.1', host, `Accept: ${accept}`);
      assert.match(answer, /^HTTP\/1\.1 204 [\s\S]*\r\nAllow: GET, HEAD, PUT, POST, OPTIONS\r\n/);
    }
  });

  const pagesWithLinks: readonly (readonly [path: string, title: string, link: RegExp])[] = [
    ['/STU3', 'FHIR STU3', /see the <a href="\/api">page about the API<\/a>/],
    [
      '/STU3',
      'FHIR STU3',
      /href="http:\/\/gazetteer\.test\/STU3\/Organization\?name:contains=leeds"/,
    ],
    ['/STU3', 'FHIR STU3', /href="http:\/\/gazetteer\.test\/STU3\/metadata"/],
    ['/STU3/', 'FHIR STU3', /href="\/docs\/reference\/directory-api"/],
    ['/ORD/2-0-0/', 'ORD 2-0-0', /see the <a href="\/api">page about the API<\/a>/],
    ['/organisations/RTG', 'Page not found', /Did you mean <a href="\/organizations\/RTG">/],
    ['/orderresponse', 'Page not found', /Did you mean <a href="\/OrderResponse">/],
    ['/stu3/Organization/A%20<', 'Page not found', /<a href="\/STU3\/Organization\/A%20&lt;">/],
  ];
  for (const [path, title, link] of pagesWithLinks) {
    it(`has a page at ${path} with the title ${title} and a link`, async () => {
      const answer = await exchange(`GET ${path} HTTP/1.1`, host, `Accept: ${BROWSER}`);
      assert.match(answer, link);
      assert.ok(answer.includes(`<bdi>${title}</bdi></h1>`));
      const isUnknown = title === 'Page not found';
      assert.equal(answer.includes('Unknown path &quot;/'), isUnknown);
    });
  }

  const errorPages: readonly (readonly [path: string, status: number, sentence: string])[] = [
    ['/api/getReport', 400, 'Missing report query parameter'],
    ['/api/nope', 404, 'Unknown path &quot;/api/nope&quot;.'],
    ['/ORD/2-0-0/nope', 404, 'Unknown path &quot;/ORD/2-0-0/nope&quot;.'],
    ['/results.csv?near=nonsense', 400, 'near needs postcodes.'],
  ];
  for (const [path, status, sentence] of errorPages) {
    it(`shows browsers the error of ${path} on a page with ways on`, async () => {
      const answer = await exchange(`GET ${path} HTTP/1.1`, host, `Accept: ${BROWSER}`);
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.ok(answer.includes(sentence), sentence);
      assert.match(answer, /<a href="\/api">page about the API<\/a>/);
      assert.match(answer, /Cache-Control: no-store/);
    });
  }

  it('keeps robots away from its interfaces', async () => {
    const answer = await exchange('GET /robots.txt HTTP/1.1', host);
    assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*text\/plain/);
    assert.match(answer, /User-agent: \*\nDisallow: \/STU3\/\nDisallow: \/ORD\/2-0-0\/\n/);
  });

  it('says on a page what a request without Host lacks', async () => {
    assert.match(await exchange('GET / HTTP/1.1'), /The header Host is missing/);
  });

  it('names the client of every answer of the pages', async () => {
    const from = pageAnswers.length;
    await exchange('GET / HTTP/1.1', 'Host: a');
    await exchange('GET /nope HTTP/1.1', 'Host: a', 'Accept: text/html');
    await exchange('QUERY / HTTP/1.1', 'Host: a');
    await exchange('GET / HTTP/1.1');
    assert.deepEqual(
      pageAnswers.slice(from).map(({ status, address }) => [status, address]),
      [200, 404, 405, 400].map((status) => [status, '127.0.0.1']),
    );
  });
});
