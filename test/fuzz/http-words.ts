/** Requests as they are on the wire, and words that mean something in them. */

/** Stands in values of parameters, headers and bodies: the log must never have it. */
export const MARKER = 'zq7marker';

/** Stand for a token and for the id of a stored order response, so that inputs suit any server. */
export const TOKEN = '{token}';
export const ID = '00000000-0000-7000-8000-000000000000';

/** Below the base of ORD. */
const ORD_TARGETS = [
  'organisations?Name=leeds&PostCode=LS6%204JN&LastChangeDate=2020-01-01&Status=Active' +
    '&PrimaryRoleId=RO197&Roles=RO197,RO198&OrgRecordClass=RC1&Limit=1000&Offset=1&_edition=1',
  `organisations?RelTypeId=RE4,RE6&TargetOrgId=${MARKER}&RelStatus=active`,
  'organisations/RTG?_format=xml',
  'sync?LastChangeDate=2000-01-01',
  'roles/RO197',
  'rels',
  'recordclasses',
];

/** `xml` and `json` are an order response. */
export function httpSeeds(xml: string, json: string): Buffer[] {
  const host = 'Host: localhost\r\n';
  const bearer = `Authorization: Bearer ${TOKEN}\r\n`;
  const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\n${host}${headers}\r\n`;
  const withBody = (start: string, type: string, body: string, headers = '') =>
    `${start} HTTP/1.1\r\n${host}${bearer}Content-Type: ${type}\r\n${headers}` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const inChunks = (start: string, type: string, body: string) =>
    `${start} HTTP/1.1\r\n${host}${bearer}Content-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n` +
    `${Buffer.byteLength(body).toString(16)};a=b\r\n${body}\r\n0\r\nX-T: 1\r\n\r\n`;
  const plain = JSON.parse(json);
  const marked = JSON.stringify({ ...plain, description: MARKER });
  const update = JSON.stringify({ ...plain, id: ID });
  const form = 'application/x-www-form-urlencoded';
  return [
    get('/STU3/Organization/RTG', 'Accept: application/fhir+json\r\n'),
    get('/STU3/Organization/RTG?_format=xml&_pretty=true'),
    get(
      '/STU3/Organization?name:contains=leeds&active=true&_count=20&_page=2',
      'Accept-Encoding: gzip, br;q=0.5\r\nPrefer: handling=lenient\r\n',
    ),
    get(`/STU3/Organization?name=${MARKER}&address-city=${MARKER}&identifier=x|${MARKER}`),
    get(
      '/STU3/Organization?address-postalcode=LS6&address-city:exact=Leeds&_lastUpdated=gt2020-01-01' +
        '&ods-org-role=198&ods-org-primaryRole=true&_summary=count',
    ),
    get('/STU3/metadata'),
    get(`/STU3/CodeSystem?url=urn:${MARKER}&name:contains=role&_id=x`),
    get(
      `/R4/CodeSystem/$lookup?system=https://fhir.nhs.uk/Id/ods-organization-code&code=RTG&property=*`,
    ),
    get(`/R4/CodeSystem/ods-organization-code/$validate-code?code=RTG&display=${MARKER}`),
    withBody(
      'POST /R4/ValueSet/$expand?count=2',
      'application/fhir+json',
      `{"resourceType":"Parameters","parameter":[{"name":"url","valueUri":"urn:${MARKER}"},{"name":"filter","valueString":"a"}]}`,
    ),
    get('/R4/List/Organization-deletion?_format=xml'),
    ...ORD_TARGETS.map((target) => get(`/ORD/2-0-0/${target}`, 'Accept-Encoding: gzip\r\n')),
    get('/metadata'),
    get('/openapi.json', 'If-None-Match: "x"\r\n'),
    get('/editions/current.ndjson', 'Accept-Encoding: gzip\r\n'),
    get(`/?q=${MARKER}&role=RO197&status=active&town=Leeds&page=2`, 'Accept: text/html\r\n'),
    get('/organizations/RTG', 'Accept: text/html\r\n'),
    ...['/suggestions?q=lee', '/editions/1', '/statistics', '/reports'].map((path) => get(path)),
    ...['/editions/1/changes.csv', '/api/getReport?report=etr'].map((path) => get(path)),
    ...['/statistics/roles.csv', '/api', '/assets/x', '/favicon.ico'].map((path) => get(path)),
    withBody('POST /STU3/Organization/_search', form, `name=${MARKER}&active=true`),
    get(`/OrderResponse/${ID}`, bearer),
    get(`/OrderResponse/${ID}`, `${bearer}If-None-Match: W/"1"\r\nAccept: application/json\r\n`),
    get(`/OrderResponse/${ID}`, `Authorization: Bearer ${MARKER}\r\n`),
    get(`/OrderResponse/${ID}/_history/1?_format=json`, bearer),
    get(`/OrderResponse/${ID}/_history?_count=3&_since=2020-01-01T00:00:00Z`, bearer),
    withBody('POST /OrderResponse', 'application/xml+fhir', xml),
    withBody('POST /OrderResponse', 'application/json+fhir', marked),
    withBody(
      'POST /OrderResponse',
      'application/json+fhir',
      JSON.stringify(plain),
      `If-None-Exist: identifier=a%7C${MARKER}\r\nPrefer: return=representation\r\n`,
    ),
    withBody(`PUT /OrderResponse/${ID}`, 'application/json', update, 'If-Match: W/"1"\r\n'),
    inChunks('POST /OrderResponse', 'application/xml+fhir', xml),
    `OPTIONS /OrderResponse HTTP/1.1\r\n${host}Origin: http://x\r\nAccess-Control-Request-Method: POST\r\n\r\n`,
    'HEAD /STU3/Organization/RTG HTTP/1.0\r\n\r\n',
    get('http://evil/STU3/Organization/RTG', 'X-Forwarded-For: 1.2.3.4\r\nX-Request-Id: abc\r\n') +
      get('/STU3/Organization/RTG'),
  ].map((text) => Buffer.from(text));
}

export const HTTP_WORDS: readonly Buffer[] = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  '%00',
  '%',
  '%ff',
  '%c0%af',
  '%2e%2e',
  '%2F',
  '..',
  '//',
  '/../',
  ';',
  '?',
  '&',
  '=',
  '#',
  '*',
  ':',
  ',',
  '|',
  '\\',
  '"',
  "'",
  '<',
  '>',
  '{',
  '}',
  '[',
  ']',
  '&lt;',
  '&#0;',
  '&#x10FFFF;',
  '&#xD800;',
  '<![CDATA[',
  ']]>',
  '<!--',
  '-->',
  '<?x?>',
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  '__proto__',
  'constructor',
  'toString',
  '"__proto__":{"a":1},',
  '\\ud800',
  '\\u0000',
  '1e400',
  '-0',
  '9'.repeat(40),
  '\xff\xfe',
  '\xef\xbb\xbf',
  '\xed\xa0\x80',
  'NaN',
  'null',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: identity\r\n',
  'Transfer-Encoding: gzip, chunked\r\n',
  'Transfer-Encoding : chunked\r\n',
  ...['0', '-1', '+5', '99999999999999999999'].map((length) => `Content-Length: ${length}\r\n`),
  ...['100-continue', 'x'].map((value) => `Expect: ${value}\r\n`),
  'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n',
  'Upgrade: websocket\r\nConnection: Upgrade\r\n',
  ...['close', 'keep-alive, authorization'].map((value) => `Connection: ${value}\r\n`),
  ...['evil.example', ''].map((value) => `Host: ${value}\r\n`),
  'X-Forwarded-Host: evil.example\r\n',
  'X-Original-URL: /OrderResponse\r\n',
  ...['Bearer x', 'Bearer', 'Basic eDp5'].map((value) => `Authorization: ${value}\r\n`),
  'Content-Encoding: gzip\r\n',
  ...['*/*;q=x', 'text/html', ',,,;;;q=', 'application/fhir+json; fhirVersion=3.0'].map(
    (value) => `Accept: ${value}\r\n`,
  ),
  'Accept-Encoding: gzip;q=1e400\r\n',
  ...['*', 'W/"1"', ',,,'].flatMap((tag) => [`If-None-Match: ${tag}\r\n`, `If-Match: ${tag}\r\n`]),
  'If-Modified-Since: Sat, 31 Feb 2020\r\n',
  'If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT\r\n',
  ...['identifier=%', 'OrderResponse?identifier=a|b', 'http://x/OrderResponse?identifier=a|b'].map(
    (value) => `If-None-Exist: ${value}\r\n`,
  ),
  'Prefer: return=minimal; handling="strict\r\n',
  'Range: bytes=0-\r\n',
  'Cookie: a=b\r\n',
  ' folded\r\n',
  '\tfolded\r\n',
  `X-A: ${MARKER}\r\n`,
  'HTTP/1.0',
  'HTTP/1.2',
  'HTTP/2.0',
  'HTTP/0.9',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'M-SEARCH',
  'QUERY',
  'OPTIONS * HTTP/1.1\r\n',
  '_search',
  '_history',
  'metadata',
  'STU3',
  'OrderResponse',
  'Organization',
  '$validate',
  '_format=',
  '_pretty=',
  '_count=',
  '_page=',
  '_summary=',
  '_lastUpdated=',
  'name:exact=',
  'name:missing=true',
  '_count=99999999999',
  '_count=-1',
  '_count=1e3',
  '_page=0',
  '&'.repeat(300),
  ','.repeat(300),
  '%20'.repeat(100),
  'a'.repeat(3000),
  '/'.repeat(500),
  '../'.repeat(50),
  '%zz=1&'.repeat(60),
  'a%CC%96%CC%81'.repeat(100),
].map((text) => Buffer.from(text, 'latin1'));
