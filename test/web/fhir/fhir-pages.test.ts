/** The pages of FHIR addresses: what they show, their headers, and what they never show. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { FhirError } from '../../../src/fhir/request/fhir-error.ts';
import { EXAMPLE_RESPONSE } from '../../../src/orders/order-response/example.ts';
import { HOSTILE } from '../records.ts';
import { BROWSER, type PageServer, startPages, TOKEN } from './page-server.ts';

const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` };

/** A path, the status, and texts of the page. */
const CASES: readonly (readonly [
  target: string,
  status: number,
  has: readonly (string | RegExp)[],
])[] = [
  [
    '/STU3/Organization/RR8',
    200,
    [
      '<h1 class="nhsuk-heading-l nhsuk-u-margin-bottom-4 app-long"><bdi>Organization RR8</bdi></h1>',
      'GET /STU3/Organization/RR8',
      '200 OK</strong>',
      '<a href="/STU3/Organization/RR8?_format=json">JSON</a>',
      '<a href="/STU3/Organization/RR8?_format=xml">XML</a>',
      '<a href="/organizations/RR8">The page of this organisation</a>',
      'Content-Type: application/fhir+json; charset=utf-8\n',
      'X-Request-Id: test-1<',
      'curl -H &#39;Accept: application/fhir+json&#39;',
      '&#39;http://gazetteer.test/STU3/Organization/RR8&#39;',
      '<span class="n">"resourceType"</span>: <span class="s">"Organization"</span>',
      '<a href="/STU3/CodeSystem/ODSAPI-OrganizationRole-1">"https://directory.spineservices',
      '<a class="nhsuk-breadcrumb__link" href="/api">API</a>',
      '<a class="nhsuk-breadcrumb__link" href="/STU3">FHIR STU3</a>',
    ],
  ],
  [
    '/R4/Organization/RR8',
    200,
    [/"versionId"<\/span>: <span class="s"><a href="\/R4\/Organization\/RR8\/_history\/\d+">/],
  ],
  [
    '/STU3/Organization?active=true&_count=1&_page=2',
    200,
    [
      /Bundle \(searchset\) of \d+ resources/,
      /href="\/STU3\/Organization\?[^"]*_page=1[^"]*" rel="prev"/,
      /href="\/STU3\/Organization\?[^"]*_page=3[^"]*" rel="next"/,
      /"fullUrl"<\/span>: <span class="s"><a href="\/STU3\/Organization\/\w+">/,
      '?active=true&amp;_count=1&amp;_page=2&amp;_format=xml"',
    ],
  ],
  [
    '/R4/Organization?roleCode=RO9999',
    200,
    ['<p class="app-long"><bdi>Unknown role &quot;RO9999&quot;.', '"outcome"'],
  ],
  ['/R4/CodeSystem?_count=1', 200, ['rel="next"', /<a href="\/R4\/CodeSystem\?url=https%3A/]],
  ['/legacy/STU3/Organization/RR8', 200, ['Organization RR8']],
  ['/metadata', 200, ['<bdi>Conformance</bdi>']],
  ['/STU3/metadata', 200, ['CapabilityStatement', '<a href="/STU3/metadata">']],
  ['/R4/metadata?mode=terminology', 200, ['TerminologyCapabilities']],
  [
    '/STU3/Organization/NONE',
    404,
    [
      '<bdi>Not found</bdi>',
      '<p class="app-long"><bdi>No record found for supplied ODS code</bdi></p>',
    ],
  ],
  ['/STU3/nope', 404, ['Unknown path &quot;nope&quot;', '404 Not Found</strong>']],
  ['/R4/Organization/$nope', 404, ['Unknown operation']],
  [
    '/STU3/Organization?_count=x&active=perhaps',
    400,
    [
      '<bdi>Supplied limit is invalid, the parameter must take an integer between 0 and 20</bdi>',
      '<bdi>Invalid FHIR active parameter</bdi>',
    ],
  ],
  ['/STU3/Organization/_search', 405, ['Method not allowed', 'POST, OPTIONS']],
  [
    '/OrderResponse/1',
    401,
    [
      '<bdi>You need a token</bdi>',
      'This request needs a bearer token.',
      'gazetteer token',
      '<a href="/try-order-response">Try an order response</a>',
      '-H &#39;Authorization: Bearer TOKEN&#39;',
      'WWW-Authenticate: Bearer',
    ],
  ],
];

describe('the page of a FHIR address', () => {
  let server: PageServer;
  before(() => {
    server = startPages();
  });
  after(() => server.close());

  for (const [target, status, has] of CASES) {
    it(`shows ${target}`, async () => {
      const page = await server.open(target);
      assert.equal(page.status, status);
      assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
      const policy = page.headers['content-security-policy'] ?? '';
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /);
      assert.doesNotMatch(page.text, / style=|<script(?! src=)| on\w+=/);
      assert.equal(page.headers.vary, 'Accept, Accept-Encoding');
      for (const part of has) {
        if (typeof part === 'string') assert.ok(page.text.includes(part), part);
        else assert.ok(part.test(page.text), `${part}`);
      }
      assert.deepEqual(server.faults, []);
    });
  }

  it('shows the same with the format html, and leaves the format out of its addresses', async () => {
    for (const format of ['html', 'text/html', 'text%2Fhtml']) {
      const target = `/STU3/Organization?_format=${format}&active=true`;
      const named = await server.ask(target, { accept: 'application/fhir+json' });
      assert.equal(named.text, (await server.open('/STU3/Organization?active=true')).text);
    }
  });

  it('keeps a token in the address out of the page', async () => {
    const { text } = await server.open('/OrderResponse/1?access_token=eyJ1');
    assert.doesNotMatch(text, /eyJ1/);
  });

  it('escapes what the directory has', async () => {
    for (const target of ['/STU3/Organization/ZX1', '/R4/Organization/ZX1']) {
      const { text } = await server.open(target);
      assert.doesNotMatch(text, /<img|<script>|javascript:[^<]*"[^<]*>/);
      assert.ok(text.includes(HOSTILE.replaceAll('<', '&lt;').replaceAll('>', '&gt;').slice(2)));
    }
    const quote = await server.open(`/STU3/Organization?name='"><script>`);
    assert.doesNotMatch(quote.text, /"><script>/);
    assert.ok(quote.text.includes('name=&#39;&#92;&#39;&#39;&quot;'));
  });

  it('has its own tag, by which it is not sent again, and which is not that of FHIR', async () => {
    for (const target of ['/STU3/Organization/RR8', '/R4/Organization?_count=1', '/metadata']) {
      const { etag = '' } = (await server.open(target)).headers;
      const json = await server.ask(target, { accept: 'application/json' });
      const xml = await server.ask(target, { accept: 'application/xml' });
      assert.equal(new Set([etag, json.headers.etag, xml.headers.etag]).size, 3);
      for (const tags of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
        const again = await server.open(target, { 'if-none-match': tags });
        assert.equal(again.status, 304);
        assert.equal(again.headers.etag, etag);
        assert.equal(again.headers['content-type'], undefined);
        assert.equal(again.body.length, 0);
      }
      const [jsonTag, date] = [json.headers.etag ?? '', json.headers['last-modified']];
      assert.equal((await server.open(target, { 'if-none-match': jsonTag })).status, 200);
      const asJson = { accept: 'application/json', 'if-none-match': etag };
      assert.equal((await server.ask(target, asJson)).status, 200);
      const since = await server.open(target, { 'if-modified-since': date ?? '' });
      assert.equal(since.status, 200);
      assert.equal(since.headers['last-modified'], undefined);
    }
  });

  it('has another tag if only its footer differs, which names the edition', async () => {
    const target = '/STU3/Organization/RR8';
    const next = startPages({ editionNumber: 2 });
    const [before, after] = [await server.open(target), await next.open(target)];
    assert.match(before.text, /that its operator imported: edition 1\./);
    assert.match(after.text, /that its operator imported: edition 2\./);
    assert.equal((await server.ask(target)).headers.etag, (await next.ask(target)).headers.etag);
    assert.notEqual(before.headers.etag, after.headers.etag);
    next.close();
  });

  it('has no part in what the server keeps for programs', async () => {
    const target = '/STU3/Organization?active=true&_count=3';
    const types = async () => {
      const found = [];
      for (const accept of ['application/json', BROWSER, 'application/xml', 'text/html']) {
        const { headers, text } = await server.ask(target, { accept });
        found.push(`${headers['content-type']} ${text.slice(0, 15)}`);
      }
      return found;
    };
    const first = await types();
    assert.deepEqual(await types(), first);
    assert.deepEqual(
      first.map((each) => each.slice(0, each.indexOf(';'))),
      ['application/json', 'text/html', 'application/xml', 'text/html'],
    );
  });

  it('answers HEAD with the headers of GET', async () => {
    for (const target of ['/STU3/Organization/RR8', '/STU3/nope', '/OrderResponse/1']) {
      const head = await server.open(target, {}, 'HEAD');
      const get = await server.open(target);
      assert.equal(head.status, get.status);
      assert.deepEqual(head.headers, get.headers);
      assert.equal(head.body.length, 0);
    }
  });

  it('is compressed for browsers that accept gzip', async () => {
    for (const target of ['/STU3/Organization/RR8', '/R4/Organization?_count=60']) {
      const page = await server.open(target, { 'accept-encoding': 'gzip' });
      assert.equal(page.headers['content-encoding'], 'gzip');
      assert.equal(gunzipSync(page.body).toString(), (await server.open(target)).text);
    }
  });
});

describe('the page of an order response', () => {
  it('shows what a token allows, and never the token', async () => {
    const server = startPages();
    const id = await server.create();
    const before = server.store.journal.length;
    for (const [end, has] of [
      ['', `"versionId"</span>: <span class="s"><a href="/OrderResponse/${id}/_history/1">`],
      ['/_history', 'Bundle (history) of 1 resource'],
      ['/_history/1', '<a href="#contained-'],
    ] as const) {
      const page = await server.open(`/OrderResponse/${id}${end}`, AUTHORIZATION);
      assert.equal(page.status, 200);
      assert.ok(page.text.includes(has), has);
      assert.equal(page.headers['cache-control'], 'no-store');
      assert.doesNotMatch(page.text, new RegExp(TOKEN));
      assert.match(page.text, /Authorization: Bearer TOKEN/);
      for (const [, anchor = ''] of page.text.matchAll(/href="#(contained-[^"]*)"/g)) {
        assert.ok(page.text.includes(`id="${anchor}"`));
      }
    }
    const entries = server.store.journal.slice(before);
    assert.deepEqual(
      entries.map(({ entry, access }) => [entry, access.identity?.client]),
      [
        ['read read', 'test'],
        ['history-instance history', 'test'],
        ['vread read', 'test'],
      ],
    );
    server.close();
  });

  it('shows the beginning of a long one, and a link to all of it', async () => {
    const server = startPages();
    const short = await server.create();
    const url = 'http://a.example/e';
    const long = await server.create({
      ...EXAMPLE_RESPONSE,
      extension: Array.from({ length: 30 }, (_, i) => ({
        url,
        valueString: `${i} ${'<é'.repeat(5000)}`,
      })),
    });
    assert.doesNotMatch(
      (await server.open(`/OrderResponse/${short}`, AUTHORIZATION)).text,
      /a long answer/,
    );
    const page = await server.open(`/OrderResponse/${long}`, AUTHORIZATION);
    assert.equal(page.status, 200);
    const link = `<a href="/OrderResponse/${long}?_format=json" download="OrderResponse.json">`;
    assert.equal(page.text.split(link).length, 3);
    assert.ok(page.text.includes('"15 &lt;é') && !page.text.includes('"29 &lt;é'));
    assert.ok(!page.text.includes('\ufffd'));
    server.close();
  });

  it('records a refused reader, and keeps nothing', async () => {
    const server = startPages();
    const page = await server.open('/OrderResponse/1');
    assert.equal(page.headers['cache-control'], 'no-store');
    assert.equal(server.store.journal.length, 1);
    server.close();
  });
});

describe('the page of a FHIR address that is refused', () => {
  const pages = (options: Parameters<typeof startPages>[0]) => startPages(options);

  it('names where to get a token, if the server has an issuer', async () => {
    const tokenIssuer = { issuer: 'https://issuer.test', tokenUrl: 'https://issuer.test/token' };
    const server = pages({ changed: (service) => ({ ...service, tokenIssuer }) });
    const { text } = await server.open('/OrderResponse/1');
    assert.match(text, /get a token at <span class="app-long">https:\/\/issuer\.test\/token</);
    assert.doesNotMatch(text, /gazetteer token/);
    server.close();
  });

  it('says how to get an API key, and never shows one', async () => {
    const checkApiKey = (key: string | undefined) => {
      if (key === 'good-key') return;
      throw FhirError.of('unauthorized', 'This request needs an API key.');
    };
    const server = pages({ changed: (service) => ({ ...service, checkApiKey }) });
    const refused = await server.open('/R4/Organization/RR8');
    assert.equal(refused.status, 401);
    assert.match(refused.text, /You need an API key[\s\S]*Ask the operator/);
    for (const page of [
      await server.open('/R4/Organization/RR8', { apikey: 'bad-key' }),
      await server.open('/R4/Organization/RR8', { apikey: 'good-key' }),
    ]) {
      assert.match(page.text, /-H &#39;apikey: KEY&#39;/);
      assert.doesNotMatch(page.text, /bad-key|good-key/);
    }
    server.close();
  });

  it('says that there were too many requests, with the time to wait', async () => {
    const issue = { kind: 'throttled', diagnostics: 'Too many requests.' } as const;
    const server = pages({ refusal: new FhirError([issue], ['Retry-After', '3']) });
    const page = await server.open('/STU3/Organization/RR8');
    assert.equal(page.status, 429);
    assert.equal(page.headers['retry-after'], '3');
    assert.match(page.text, /<bdi>Too many requests<\/bdi>/);
    server.close();
  });

  it('shows why there is no download, and leaves a download as it is', async () => {
    const open = () => {
      throw FhirError.of('unavailable', 'There is no edition yet.');
    };
    const server = pages({
      changed: (service) => ({
        ...service,
        downloads: service.downloads.map((each) => ({ ...each, open })),
      }),
    });
    const page = await server.open('/editions/current.ndjson');
    assert.equal(page.status, 503);
    assert.match(page.text, /There is no edition yet\.[\s\S]*page about the API/);
    const program = await server.ask('/editions/current.ndjson');
    assert.equal(program.headers['content-type'], 'application/fhir+json; charset=utf-8');
    server.close();
    const whole = startPages();
    const { headers } = await whole.open('/editions/current.ndjson');
    assert.equal(headers['content-type'], 'application/fhir+ndjson');
    whole.close();
  });

  it('is a page about a fault if the answer cannot be shown, and reports the request', async () => {
    const server = pages({
      changed: (service) => ({
        ...service,
        get title(): string {
          throw new Error('there is no title');
        },
      }),
    });
    const page = await server.open('/OrderResponse/1');
    assert.equal(page.status, 500);
    assert.match(page.text, /give the operator of the service this number: test-1/);
    assert.deepEqual(server.faults, [new Error('there is no title')]);
    server.close();
  });

  it('has the request id of a fault, and nothing of the fault', async () => {
    const server = pages({
      changed: (service) => ({
        ...service,
        interactions: service.interactions.map((each) => ({
          ...each,
          run: () => {
            throw new Error('secret of the program');
          },
        })),
      }),
    });
    const page = await server.open('/STU3/metadata');
    assert.equal(page.status, 500);
    assert.match(page.text, /request id test-1/);
    assert.doesNotMatch(page.text, /secret of the program/);
    assert.equal(server.faults.length, 1);
    server.close();
  });
});

describe('the page of a FHIR address below a path', () => {
  it('has links that begin with the path', async () => {
    const server = startPages({ serverUrl: 'https://example.test/fhir' });
    const { text } = await server.open('/fhir/STU3/Organization?_count=1');
    const links = [...text.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, to = '']) => to);
    assert.ok(links.length > 10);
    assert.deepEqual(
      links.filter((to) => !to.startsWith('/fhir/')),
      [],
    );
    assert.match(text, /https:\/\/example\.test\/fhir\/STU3\/Organization\?_count=1&#39;/);
    server.close();
  });

  it('has no link that a browser reads as another server', async () => {
    const server = startPages();
    const evil = 'http://gazetteer.test//evil.example/x';
    const id = await server.create({
      ...EXAMPLE_RESPONSE,
      extension: [{ url: 'http://a.example/e', valueUri: evil }],
    });
    const { text } = await server.open(`/OrderResponse/${id}`, AUTHORIZATION);
    assert.ok(text.includes(evil));
    assert.doesNotMatch(text, /href="\/\//);
    server.close();
  });
});
