/** What holds for every request of the directory: formats, validators, errors, headers. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { STU3 } from '../../src/fhir/fhir-version.ts';
import { decodeXml } from '../../src/fhir/format/xml.ts';
import { type DirectoryServer, editionOf, SETTINGS, startDirectory } from './directory-server.ts';
import { organization, RECORDS } from './records.ts';

/** The id of an outcome, made anew each time. */
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

const JSON_TYPE = 'application/fhir+json; charset=utf-8';
const XML_TYPE = 'application/fhir+xml; charset=utf-8';

/** `Accept` and `_format`, and the Content-Type that answers them. */
const FORMATS: readonly (readonly [accept: string | undefined, query: string, type: string])[] = [
  [undefined, '', JSON_TYPE],
  ['', '', JSON_TYPE],
  ['*/*', '', JSON_TYPE],
  ['application/*', '', JSON_TYPE],
  ['*', '', JSON_TYPE],
  ['application/json', '', 'application/json; charset=utf-8'],
  ['text/json', '', 'text/json; charset=utf-8'],
  ['application/json+fhir', '', 'application/json+fhir; charset=utf-8'],
  ['application/fhir+json; charset=utf-8', '', JSON_TYPE],
  ['application/fhir+json;fhirVersion=3.0', '', JSON_TYPE],
  ['APPLICATION/FHIR+XML', '', XML_TYPE],
  ['application/xml', '', 'application/xml; charset=utf-8'],
  ['text/xml', '', 'text/xml; charset=utf-8'],
  ['application/xml+fhir', '', 'application/xml+fhir; charset=utf-8'],
  ['application/fhir+xml;q=0.5, application/fhir+json;q=0.4', '', XML_TYPE],
  ['application/fhir+xml;q=0.4, */*;q=0.5', '', JSON_TYPE],
  ['*/*, application/xml', '', 'application/xml; charset=utf-8'],
  ['application/xml, application/json', '', 'application/json; charset=utf-8'],
  ['application/fhir+xml, application/xml', '', XML_TYPE],
  ['image/png, application/fhir+xml;q=0.1', '', XML_TYPE],
  ['application/fhir+json;q=0, */*', '', XML_TYPE],
  ['application/xml', '_format=json', JSON_TYPE],
  ['image/png', '_format=json', JSON_TYPE],
  [undefined, '_format=xml', XML_TYPE],
  [undefined, '_format=text/xml', XML_TYPE],
  [undefined, '_format=application/fhir+xml', XML_TYPE],
  [undefined, '_format=application/fhir%2Bxml', XML_TYPE],
  [undefined, '_format=application/json%2Bfhir', JSON_TYPE],
  ['application/xml', '_format=application/fhir+json;fhirVersion=3.0', JSON_TYPE],
  [undefined, '_format=application/fhir%2Bxml%3B%20charset=utf-8', XML_TYPE],
  ['text/html, application/xml', '', JSON_TYPE],
  ['application/fhir+xml;q=2', '', XML_TYPE],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', '', JSON_TYPE],
];

/** What each path offers. */
const ALLOWED: readonly (readonly [path: string, allowed: string])[] = [
  ['Organization', 'GET, HEAD, OPTIONS'],
  ['Organization/RR8', 'GET, HEAD, OPTIONS'],
  ['Organization/_search', 'POST, OPTIONS'],
  ['metadata', 'GET, HEAD, OPTIONS'],
  ['CodeSystem', 'OPTIONS'],
  ['CodeSystem/_search', 'OPTIONS'],
  ['CodeSystem/ODSAPI-OrganizationRole-1', 'GET, HEAD, OPTIONS'],
  ['ValueSet', 'OPTIONS'],
  ['SearchParameter', 'OPTIONS'],
  ['/fhir/editions/current.ndjson', 'GET, HEAD, OPTIONS'],
  ['/fhir/openapi.json', 'GET, HEAD, OPTIONS'],
];

describe('the format of an answer', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startDirectory();
  });
  after(() => server.close());

  for (const [accept, query, type] of FORMATS) {
    it(`Accept: ${accept ?? 'none'} and ${query || 'no _format'} give ${type}`, async () => {
      const headers: Record<string, string> = accept === undefined ? {} : { accept };
      for (const path of ['Organization/RR8', 'Organization', 'metadata']) {
        const answer = await server.get(`${path}?${query}`, headers);
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.headers.get('content-type'), type);
        assert.equal(answer.headers.get('vary'), 'Accept, Accept-Encoding');
        assert.equal(answer.text.startsWith('<?xml'), type.includes('xml'));
      }
    });
  }

  it('is indented for _pretty=true and for a browser, else compact', async () => {
    const compact = await server.get('Organization/RR8');
    const pretty = await server.get('Organization/RR8?_pretty=true');
    const browser = await server.get('Organization/RR8', { accept: 'text/html' });
    assert.ok(!compact.text.includes('\n'));
    assert.equal(pretty.text, `${JSON.stringify(JSON.parse(compact.text), null, 2)}\n`);
    assert.equal(browser.text, pretty.text);
    const xml = await server.get('Organization?_pretty=true&_format=xml');
    assert.match(xml.text, /\n {2}<id /);
  });

  it('that is not understood in _format is 400, and only listed once in a search', async () => {
    for (const path of ['Organization/RR8', 'Organization', 'metadata']) {
      const answer = await server.get(`${path}?_format=text/turtle`);
      assert.equal(answer.status, 400);
      const { issue } = JSON.parse(answer.text);
      assert.deepEqual(
        issue.map((one: { diagnostics: string }) => one.diagnostics),
        ['Unknown content type specified "text/turtle"'],
      );
      assert.equal(issue[0].details.coding[0].code, 'INVALID_VALUE');
    }
  });

  for (const accept of ['image/png', 'application/fhir+json;q=0, application/fhir+xml;q=0']) {
    it(`Accept: ${accept} is 406 with an outcome in the default format`, async () => {
      const answer = await server.get('Organization/RR8', { accept });
      assert.equal(answer.status, 406);
      assert.equal(answer.headers.get('content-type'), JSON_TYPE);
      const [issue] = JSON.parse(answer.text).issue;
      assert.equal(issue.code, 'not-supported');
      assert.equal(issue.details.coding[0].code, 'UNSUPPORTED_MEDIA_TYPE');
    });
  }
});

describe('a read', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startDirectory();
  });
  after(() => server.close());

  it('answers validators and open headers', async () => {
    const { headers } = await server.get('Organization/RR8');
    assert.match(headers.get('etag') ?? '', /^W\/"[0-9a-f]{16}-json"$/);
    assert.equal(headers.get('last-modified'), 'Sun, 02 Apr 2017 00:00:00 GMT');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.match(headers.get('access-control-expose-headers') ?? '', /ETag.*X-Request-Id/);
    assert.equal(headers.get('content-location'), null);
  });

  it('finds a code in lower case and says where it is', async () => {
    const answer = await server.get('Organization/rtg');
    assert.equal(answer.status, 200);
    assert.equal(JSON.parse(answer.text).id, 'RTG');
    assert.equal(
      answer.headers.get('content-location'),
      'http://directory.test/fhir/STU3/Organization/RTG',
    );
  });

  it('ignores parameters that it does not know, and a slash at the end', async () => {
    for (const path of [
      'Organization/RTG?foo=bar&_count=x',
      'Organization/RTG?x=%ff&%zz',
      'Organization/RTG/',
    ]) {
      assert.equal((await server.get(path)).status, 200);
    }
  });

  it('takes only ASCII letters for the twins of others', async (context) => {
    const twins = await startDirectory({ records: [organization('I1'), organization('SS1')] });
    context.after(() => twins.close());
    assert.equal((await twins.get('Organization/ss1')).status, 200);
    for (const code of ['\u00df1', '\u01311', '\u017f\u017f1']) {
      const answer = await twins.get(`Organization/${encodeURIComponent(code)}`);
      assert.equal(answer.status, 404, code);
    }
  });

  for (const path of [
    'Organization/NONE',
    'Organization/A%20B',
    'Organization/%ff',
    'Organization/..%2F',
  ]) {
    it(`of ${path} is 404 NO_RECORD_FOUND, in JSON and XML`, async () => {
      const answer = await server.get(path);
      assert.equal(answer.status, 404);
      const [issue] = JSON.parse(answer.text).issue;
      assert.equal(issue.code, 'not-found');
      assert.equal(issue.details.coding[0].code, 'NO_RECORD_FOUND');
      assert.equal(issue.details.coding[0].display, 'No record found');
      assert.equal(issue.diagnostics, 'No record found for supplied ODS code');
      const xml = await server.get(`${path}?_format=xml`);
      assert.match(xml.text, /<code value="NO_RECORD_FOUND"\/><display value="No record found"\/>/);
    });
  }

  it('spells the sub-extension of the primary role as the setting has it', async (context) => {
    const spelled = await startDirectory({ settings: { primaryRoleUrl: 'primaryrole' } });
    context.after(() => spelled.close());
    const urlsOf = (text: string) =>
      JSON.parse(text)
        .extension.at(-1)
        .extension.map(({ url }: { url: string }) => url);
    const [as, set] = [await server.get('Organization/RR8'), await spelled.get('Organization/RR8')];
    assert.deepEqual(urlsOf(as.text), ['role', 'primaryRole', 'activePeriod', 'status']);
    assert.deepEqual(urlsOf(set.text), ['role', 'primaryrole', 'activePeriod', 'status']);
    assert.notEqual(as.headers.get('etag'), set.headers.get('etag'));
  });
});

describe('conditional requests and HEAD', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startDirectory();
  });
  after(() => server.close());

  for (const path of ['Organization/RR8', 'Organization?name=leeds', 'metadata']) {
    it(`${path} is 304 for its ETag, strong, weak, in a list and *`, async () => {
      const etag = (await server.get(path)).headers.get('etag') ?? '';
      for (const tag of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
        const answer = await server.get(path, { 'if-none-match': tag });
        assert.equal(answer.status, 304, tag);
        assert.equal(answer.text, '');
        assert.equal(answer.headers.get('etag'), etag);
        assert.equal(answer.headers.get('content-type'), null);
      }
      assert.equal((await server.get(path, { 'if-none-match': '"other"' })).status, 200);
    });

    it(`HEAD ${path} has the headers of GET and no body`, async () => {
      const got = await server.get(path);
      const head = await server.get(path, {}, 'HEAD');
      assert.equal(head.status, 200);
      assert.equal(head.text, '');
      for (const name of ['etag', 'last-modified', 'content-type', 'content-length', 'vary']) {
        assert.equal(head.headers.get(name), got.headers.get(name), name);
      }
    });
  }

  it('the date of Last-Modified is 304; any other date, or none, is 200', async () => {
    const since = (date: string) => server.get('Organization/RR8', { 'if-modified-since': date });
    assert.equal((await since('Sun, 02 Apr 2017 00:00:00 GMT')).status, 304);
    assert.equal((await since('Sunday, 02-Apr-17 00:00:00 GMT')).status, 304);
    assert.equal((await since('Mon, 03 Apr 2017 00:00:00 GMT')).status, 200);
    assert.equal((await since('Sat, 01 Apr 2017 23:59:59 GMT')).status, 200);
    assert.equal((await since('2017-04-02T00:00:00Z')).status, 200);
    assert.equal((await since('tomorrow')).status, 200);
  });

  it('If-None-Match counts alone where both are sent', async () => {
    const headers = {
      'if-none-match': '"x"',
      'if-modified-since': 'Mon, 03 Apr 2017 00:00:00 GMT',
    };
    assert.equal((await server.get('Organization/RR8', headers)).status, 200);
  });

  it('another format has another ETag', async () => {
    const json = await server.get('Organization/RR8');
    const xml = await server.get('Organization/RR8?_format=xml');
    assert.notEqual(json.headers.get('etag'), xml.headers.get('etag'));
  });
});

describe('paths and methods', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startDirectory();
  });
  after(() => server.close());

  for (const path of [
    'Patient',
    'organization/RR8',
    'Organization/RR8/_history',
    'Organization/RR8/_history/1',
    'Organization/RR8/x',
    'Organization/_history',
    'CodeSystem/RR8',
    'ValueSet/x',
    'SearchParameter/name',
    'editions',
    'metadata/x',
    '',
    '/',
    '/fhir',
    '/STU3/Organization/RR8',
    '/fhir/STU3x',
  ]) {
    it(`${path || 'the base'} is 404 with an outcome`, async () => {
      const answer = await server.get(path);
      assert.equal(answer.status, 404);
      assert.equal(JSON.parse(answer.text).resourceType, 'OperationOutcome');
    });
  }

  it('the base names itself and what there is', async () => {
    const [issue] = JSON.parse((await server.get('')).text).issue;
    assert.match(issue.diagnostics, /^There is nothing at http:\/\/\S+\/fhir\/STU3 itself\./);
    assert.match(issue.diagnostics, /Try Organization, .*metadata\.$/);
  });

  it('OPTIONS of the base is 405 with Allow and an outcome, but for a preflight', async () => {
    const answer = await server.get('', { origin: 'http://a.example' }, 'OPTIONS');
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get('allow'), '');
    assert.match(JSON.parse(answer.text).issue[0].diagnostics, /GET \S+\/STU3\/metadata/);
    const asked = { origin: 'http://a.example', 'access-control-request-method': 'GET' };
    assert.equal((await server.get('', asked, 'OPTIONS')).status, 204);
  });

  for (const [method, path] of [
    ['POST', 'Organization/RR8/$validate'],
    ['GET', 'Organization/$match'],
    ['POST', '$convert'],
    ['GET', 'CodeSystem/%24lookup'],
  ] as const) {
    it(`${method} ${path} is 404 about an operation`, async () => {
      const answer = await server.get(path, {}, method);
      assert.equal(answer.status, 404);
      const [issue] = JSON.parse(answer.text).issue;
      assert.match(issue.diagnostics, /^There is no operation \$[a-z]+: [^ ]+ has no operations/);
    });
  }

  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    for (const path of ['Organization', 'Organization/RR8', 'metadata']) {
      it(`${method} ${path} is 405 with Allow and an outcome, in JSON and XML`, async () => {
        for (const accept of ['application/fhir+json', 'application/fhir+xml']) {
          const answer = await server.get(path, { accept }, method);
          assert.equal(answer.status, 405);
          assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS');
          assert.match(answer.text, /NOT_IMPLEMENTED/);
          assert.match(answer.text, /not-supported/);
        }
      });
    }
  }

  it('what a request quotes can be written in XML', async () => {
    for (const path of [
      'Organization?%00%0B%EF%BF%BF=1',
      'Organization?name=%01%02%03',
      'Pat%08ient',
    ]) {
      const joint = path.includes('?') ? '&' : '?';
      const answer = await server.get(`${path}${joint}_format=xml`);
      const { resource, findings } = decodeXml(Buffer.from(answer.text), STU3.definitions);
      assert.deepEqual(findings, [], path);
      assert.equal(resource?.resourceType, 'OperationOutcome');
    }
  });

  it('an escape that is not UTF-8 is 400 with the other failures, in the format asked for', async () => {
    const answer = await server.get('Organization?foo=1&name=%ff&_count=99', {
      accept: 'application/fhir+xml',
    });
    assert.equal(answer.status, 400);
    const diagnostics = [...answer.text.matchAll(/<diagnostics value="([^"]*)"/g)].map(
      ([, text]) => text,
    );
    assert.deepEqual(
      diagnostics.map((text) => text?.slice(0, 35)),
      [
        'Unknown argument found - foo',
        'The query parameter &quot;name=%ff&quot;'.slice(0, 35),
        'Supplied limit is invalid, the para',
      ],
    );
  });

  for (const [path, allowed] of ALLOWED) {
    it(`a preflight of ${path} from any origin is told ${allowed}`, async () => {
      const answer = await server.get(path, { origin: 'https://example.org' }, 'OPTIONS');
      assert.equal(answer.status, 204);
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
      assert.equal(answer.headers.get('access-control-allow-methods'), allowed);
      assert.equal(answer.headers.get('allow'), allowed);
    });

    it(`${path} answers 405 and ${allowed} to what it does not offer`, async () => {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await server.get(path, {}, method);
        if (allowed.split(', ').includes(method)) {
          assert.notEqual(answer.status, 405, method);
        } else {
          assert.equal(answer.status, 405, method);
          assert.equal(answer.headers.get('allow'), allowed);
          if (method !== 'HEAD') assert.match(answer.text, /NOT_IMPLEMENTED/);
        }
      }
    });
  }

  it('checks the path before the method, the method before the format', async () => {
    assert.equal((await server.get('Patient', { accept: 'image/png' }, 'DELETE')).status, 404);
    assert.equal((await server.get('Organization', { accept: 'image/png' }, 'DELETE')).status, 405);
    assert.equal((await server.get('Organization?x=1', { accept: 'image/png' })).status, 406);
  });
});

describe('request ids', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startDirectory();
  });
  after(() => server.close());

  it('are taken from the client when they have the right form, else made', async () => {
    const id = async (sent?: string) => {
      const headers: Record<string, string> = sent === undefined ? {} : { 'x-request-id': sent };
      return (await server.get('Organization/NONE', headers)).headers.get('x-request-id');
    };
    assert.equal(await id('my-id_1.2'), 'my-id_1.2');
    for (const sent of [undefined, 'has space', 'x'.repeat(65), 'one, two']) {
      assert.match((await id(sent)) ?? '', /^test-/);
    }
  });
});

describe('paging', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startDirectory();
  });
  after(() => server.close());

  it('through next links gives every match once, in the order of codes', async () => {
    const codes: string[] = [];
    let path: string | undefined = 'Organization?_count=2&active=true';
    for (let pages = 0; path !== undefined && pages < 10; pages++) {
      const { entry, link, total } = JSON.parse((await server.get(path)).text);
      assert.equal(total, 5);
      codes.push(...entry.map(({ resource }: { resource: { id: string } }) => resource.id));
      const next = link.find(({ relation }: { relation: string }) => relation === 'next');
      path = next?.url.replace('http://directory.test', '');
    }
    assert.deepEqual(codes, ['A81001', 'RR8', 'RR801', 'RTG', 'X1']);
  });

  it('links keep repeated parameters in their order, percent-encoded', async () => {
    const answer = await server.get(
      'Organization?ods-org-role=197,198&_count=1&ods-org-role=198,157,197&name:contains=%26%20a',
    );
    const query =
      'ods-org-role=197%2C198&_count=1&ods-org-role=198%2C157%2C197&name:contains=%26%20a';
    assert.deepEqual(JSON.parse(answer.text).link, [
      {
        relation: 'self',
        url: `http://directory.test/fhir/STU3/Organization?${query}&_page=1`,
      },
    ]);
  });

  it('a page after the last one has no entry and leads back to the last', async () => {
    const { entry, link, total } = JSON.parse(
      (await server.get('Organization?_count=4&_page=7')).text,
    );
    assert.equal(total, 6);
    assert.equal(entry, undefined);
    assert.deepEqual(
      link.map(({ relation, url }: { relation: string; url: string }) => [
        relation,
        new URL(url).searchParams.get('_page'),
      ]),
      [
        ['self', '7'],
        ['first', '1'],
        ['previous', '2'],
        ['last', '2'],
      ],
    );
  });

  it('the same search gives the same bytes, another one another id and ETag', async () => {
    const [one, again, other] = await Promise.all(
      ['name=leeds', 'name=leeds', 'name=Leeds'].map((query) =>
        server.get(`Organization?${query}`),
      ),
    );
    assert.equal(one?.text, again?.text);
    assert.equal(one?.headers.get('etag'), again?.headers.get('etag'));
    assert.notEqual(JSON.parse(one!.text).id, JSON.parse(other!.text).id);
    assert.notEqual(one?.headers.get('etag'), other?.headers.get('etag'));
    assert.match(
      JSON.parse(one!.text).id,
      /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    assert.equal(JSON.parse(one!.text).meta.lastUpdated, '2026-09-01T10:00:00.000Z');
    assert.equal(one?.headers.get('last-modified'), 'Tue, 01 Sep 2026 10:00:00 GMT');
  });

  it('an edition that is not kept is 410', async () => {
    const answer = await server.get('Organization?_edition=7&_page=2');
    assert.equal(answer.status, 410);
    const [issue] = JSON.parse(answer.text).issue;
    assert.equal(issue.code, 'processing');
    assert.match(issue.diagnostics, /Repeat the search without _edition/);
  });

  it('an edition that does not exist is 410, without another number than was sent', async () => {
    for (const number of ['0', '2', '99999999999999999999']) {
      const answer = await server.get(`Organization?_edition=${number}`);
      assert.equal(answer.status, 410);
      assert.match(
        JSON.parse(answer.text).issue[0].diagnostics,
        /^The directory has no edition with this number: the newest is 1\. Repeat/,
      );
    }
  });

  it('a replaced edition answers the links that lead to it', async (context) => {
    const [older, newer] = [editionOf(RECORDS), editionOf(RECORDS.slice(0, 2), undefined, 2)];
    const editions = {
      current: () => newer,
      byNumber: (number: number) => [older, newer].find((edition) => edition.number === number),
    };
    const switched = await startDirectory({ editions });
    context.after(() => switched.close());
    assert.equal(JSON.parse((await switched.get('Organization')).text).total, 2);
    assert.equal(JSON.parse((await switched.get('Organization?_edition=1')).text).total, 6);
  });

  it('a search that is asked again and again follows the editions', async (context) => {
    const numbered = [1, 2].map((number) =>
      editionOf(RECORDS.slice(0, 7 - number), SETTINGS, number),
    );
    let [current] = numbered;
    let kept = numbered;
    const switched = await startDirectory({
      editions: {
        current: () => current,
        byNumber: (number) => kept.find((edition) => edition.number === number),
      },
    });
    context.after(() => switched.close());
    const totals = async (query: string) => {
      const answers = [];
      for (let time = 0; time < 4; time++)
        answers.push(await switched.get(`Organization?${query}`));
      assert.equal(new Set(answers.map(({ text }) => text.replace(UUID, ''))).size, 1);
      return answers[0]!.status === 200 ? JSON.parse(answers[0]!.text).total : answers[0]!.status;
    };
    assert.equal(await totals('_count=2'), 6);
    assert.equal(await totals('_count=2&_edition=1'), 6);
    current = numbered[1];
    assert.equal(await totals('_count=2'), 5);
    assert.equal(await totals('_count=2&_edition=1'), 6);
    kept = numbered.slice(1);
    assert.equal(await totals('_count=2&_edition=1'), 410);
    assert.equal(await totals('_count=2&_edition=2'), 5);
  });

  it('the largest page is a setting', async (context) => {
    const larger = await startDirectory({ settings: { countMax: 1000 } });
    context.after(() => larger.close());
    assert.equal((await larger.get('Organization?_count=1000')).status, 200);
    assert.match((await larger.get('Organization?_count=1001')).text, /between 0 and 1000/);
    const smaller = await startDirectory({ settings: { countMax: 3 } });
    context.after(() => smaller.close());
    assert.equal(JSON.parse((await smaller.get('Organization')).text).entry.length, 3);
  });
});

describe('a lenient search', () => {
  it('is not what a strict one is answered with, however often it was asked', async (context) => {
    const server = await startDirectory();
    context.after(() => server.close());
    const path = 'Organization?foo=1&name=leeds';
    for (let time = 1; time <= 4; time++) {
      assert.equal((await server.get(path, { prefer: 'handling=lenient' })).status, 200);
    }
    assert.equal((await server.get(path)).status, 400);
  });

  it('leaves out what it does not know, says so, and still refuses modifiers', async (context) => {
    const server = await startDirectory();
    context.after(() => server.close());
    const prefer = { prefer: 'handling=lenient' };
    const answer = await server.get('Organization?foo=1&name=leeds', prefer);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('preference-applied'), 'handling=lenient');
    assert.ok(!answer.text.includes('foo'));
    assert.equal((await server.get('Organization?name:foo=leeds', prefer)).status, 400);
  });
});

describe('the preference for handling', () => {
  const PREFERENCES: readonly (readonly [prefer: string, status: number])[] = [
    ['handling=lenient', 200],
    ['Handling = "LENIENT"', 200],
    ['return=minimal, handling=lenient', 200],
    ['handling=lenient; x=1', 200],
    ['handling=lenient, handling=strict', 200],
    ['handling=strict', 400],
    ['handling=strict, handling=lenient', 400],
    ['return=minimal; handling=lenient', 400],
    ['handling=lenientish', 400],
    ['handling', 400],
    ['', 400],
  ];
  for (const [prefer, status] of PREFERENCES) {
    it(`Prefer: ${prefer || 'nothing'} makes an unknown parameter ${status}`, async (context) => {
      const server = await startDirectory();
      context.after(() => server.close());
      const answer = await server.get('Organization?foo=1', { prefer });
      assert.equal(answer.status, status);
      const applied = answer.headers.get('preference-applied');
      assert.equal(applied, status === 200 ? 'handling=lenient' : null);
    });
  }
});

describe('without an edition', () => {
  it('the directory answers 503 with Retry-After, and metadata as ever', async (context) => {
    const server = await startDirectory({
      editions: { current: () => undefined, byNumber: () => undefined },
    });
    context.after(() => server.close());
    for (const path of [
      'Organization/RR8',
      'Organization',
      'Organization?foo=1',
      'CodeSystem/ODSAPI-OrganizationRole-1',
      'ValueSet/ODSAPI-OrganizationRole-1',
      '/fhir/editions/current.ndjson',
    ]) {
      const answer = await server.get(path);
      assert.equal(answer.status, 503);
      assert.equal(answer.headers.get('retry-after'), '5');
      assert.equal(JSON.parse(answer.text).issue[0].code, 'transient');
    }
    for (const path of ['metadata', 'SearchParameter/ODSAPI-OrganizationRole-Role-1']) {
      assert.equal((await server.get(path)).status, 200, path);
    }
  });
});

describe('legacy JSON', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startDirectory({ settings: { json: 'legacy' } });
  });
  after(() => server.close());

  it('has single objects and strings where the national service had them', async () => {
    const organization = JSON.parse((await server.get('Organization/RR8')).text);
    assert.deepEqual(Object.keys(organization), [
      'resourceType',
      'id',
      'meta',
      'extension',
      'identifier',
      'active',
      'type',
      'name',
      'telecom',
      'address',
    ]);
    assert.equal(organization.identifier.value, 'RR8');
    assert.equal(organization.type.coding.code, '1');
    assert.equal(typeof organization.meta.profile, 'string');
    assert.equal(organization.address.city, 'LEEDS');
    assert.ok(Array.isArray(organization.address.line));
    assert.ok(Array.isArray(organization.telecom));
  });

  it('has a total that is a string, and no search.mode', async () => {
    const bundle = JSON.parse((await server.get('Organization?name=leeds')).text);
    assert.equal(bundle.total, '2');
    assert.equal(bundle.entry[0].search, undefined);
    assert.equal(bundle.entry[0].resource.identifier.value, 'RR8');
    const nothing = JSON.parse((await server.get('Organization?name=nowhere')).text);
    assert.equal(nothing.total, '0');
    assert.deepEqual(nothing.entry, []);
    const count = JSON.parse((await server.get('Organization?_summary=count')).text);
    assert.deepEqual(Object.keys(count).slice(-2), ['type', 'total']);
  });

  it('has an outcome with a single coding', async () => {
    const { issue } = JSON.parse((await server.get('Organization?name=x')).text);
    assert.equal(issue[0].details.coding.code, 'INVALID_VALUE');
    assert.ok(Array.isArray(issue));
  });

  it('leaves all else as it is', async (context) => {
    const ordinary = await startDirectory();
    context.after(() => ordinary.close());
    for (const path of [
      'Organization/RR8?_format=xml',
      'metadata',
      'CodeSystem/ODSAPI-OrganizationRole-1',
      'ValueSet/ODSAPI-OrganizationRecordClass-1',
      'Organization?name=leeds&_format=xml',
      '/fhir/editions/current.ndjson',
    ]) {
      const text = (answer: { text: string }) =>
        answer.text.replace(/<id value="[-0-9a-f]{36}"\/>/, '');
      assert.equal(text(await server.get(path)), text(await ordinary.get(path)), path);
    }
  });
});
