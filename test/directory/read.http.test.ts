/** What holds for every request of the directory: formats, validators, errors, headers. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { STU3 } from '../../src/fhir/definitions/fhir-version.ts';
import { decodeXml } from '../../src/fhir/format/xml.ts';
import { type DirectoryServer, startDirectory } from './directory-server.ts';
import { organization } from './records.ts';

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
  ['text/html, application/xml', '', 'application/xml; charset=utf-8'],
  ['application/fhir+xml, text/html', '', XML_TYPE],
  ['text/html, */*', '', JSON_TYPE],
  ['application/fhir+xml;q=2', '', XML_TYPE],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', '', JSON_TYPE],
];

/** What each path offers. */
const ALLOWED: readonly (readonly [path: string, allowed: string])[] = [
  ['Organization', 'GET, HEAD, OPTIONS'],
  ['Organization/RR8', 'GET, HEAD, OPTIONS'],
  ['Organization/_search', 'POST, OPTIONS'],
  ['metadata', 'GET, HEAD, OPTIONS'],
  ['CodeSystem', 'GET, HEAD, OPTIONS'],
  ['CodeSystem/_search', 'POST, OPTIONS'],
  ['CodeSystem/ODSAPI-OrganizationRole-1', 'GET, HEAD, OPTIONS'],
  ['ValueSet', 'GET, HEAD, OPTIONS'],
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

  it('finds a code in lower case and returns its address', async () => {
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

  it('uses the url of the primary role extension from the settings', async (context) => {
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

  it('If both are sent, only If-None-Match applies', async () => {
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
    assert.match(issue.diagnostics, /The paths are Organization, .*metadata\.$/);
  });

  it('OPTIONS of the base is 405 with Allow and an outcome, except for a preflight', async () => {
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
      assert.match(
        issue.diagnostics,
        /^Unknown operation "\$[a-z]+" of \S+\. There are no operations here\.$/,
      );
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

  it('an outcome that quotes a request is valid XML', async () => {
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
    it(`a preflight of ${path} from any origin gets ${allowed}`, async () => {
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

describe('without an edition', () => {
  it('the directory answers 503 with Retry-After, and metadata as usual', async (context) => {
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

it('an error outside every interface has no profile of one of them', async (context) => {
  const server = await startDirectory();
  context.after(() => server.close());
  const profileOf = async (path: string) => {
    const { status, text } = await server.get(path, { accept: 'application/fhir+json' });
    assert.equal(status, 404);
    return JSON.parse(text).meta?.profile;
  };
  assert.equal(await profileOf('/nowhere'), undefined);
  assert.equal((await profileOf('/fhir/STU3/Organization/NONE'))?.length, 1);
});
