/** Nothing that a client sends gets into the log: a marker in every part of requests is not found there. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { importedSample } from '../imported-sample.ts';
import { ROOT } from '../tidy/source-files.ts';
import { serve } from './program.ts';
import { tokenFor } from './token.ts';

/** As much a name of XML and of a header's parts as it is text. */
const MARKER = 'Beeblebrox';

const XML = readFileSync(join(ROOT, 'sample/order-response.xml'), 'utf8');
const RESPONSE = {
  resourceType: 'OrderResponse',
  text: { status: 'generated', div: '<div>a</div>' },
  contained: [
    {
      resourceType: 'Organization',
      id: 'a',
      name: 'a',
      telecom: [{ system: 'phone', value: 'a' }],
    },
  ],
  identifier: [{ system: 'urn:a', value: 'a' }],
  request: { display: 'a' },
  date: '2017-06-15',
  who: { reference: '#a' },
  orderStatus: 'review',
  description: 'a',
  extension: [{ url: 'urn:a', valueDecimal: 1.5 }],
};

/** The resource with each of its texts replaced one after the other, and each of its names. */
function* marked(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) {
    yield* [MARKER, `${MARKER}\ud800`, { [MARKER]: MARKER }, [MARKER], null];
    return;
  }
  const entries = Object.entries(value);
  const made = (changed: [string, unknown][]) =>
    Array.isArray(value) ? changed.map(([, item]) => item) : Object.fromEntries(changed);
  for (const [place, [name, inner]] of entries.entries()) {
    for (const one of marked(inner)) yield made(entries.with(place, [name, one]));
    yield made(entries.with(place, [`${name}${MARKER}`, inner]));
  }
}

const NARRATIVES = [
  `<div>${MARKER}&nbsp;</div>`,
  `<div>&${MARKER};</div>`,
  `<div><${MARKER}:p/></div>`,
  `<div><${MARKER}></div>`,
  `<div ${MARKER}:a="b">${MARKER}</div>`,
  `<div xmlns:o="urn:${MARKER}" o:${MARKER}="1" ${MARKER}="2">a</div>`,
  `<div><p style="${MARKER}: ${MARKER}" class="${MARKER}\ud800">${MARKER}</p></div>`,
  `<div><a href="javascript:${MARKER}">${MARKER}</a><!-- ${MARKER} --></div>`,
  `<!DOCTYPE ${MARKER}><div/>`,
  `<div>${MARKER}`,
];

const JSON_BODIES = [
  ...[...marked(RESPONSE)].map((resource) => JSON.stringify(resource)),
  ...NARRATIVES.map((div) => JSON.stringify({ ...RESPONSE, text: { status: 'generated', div } })),
  MARKER,
  `{"${MARKER}`,
  `{"a":"${MARKER}`,
  `{"a":${MARKER}}`,
  `${JSON.stringify(RESPONSE)} ${MARKER}`,
];
const XML_BODIES = [
  ...NARRATIVES.map((div) =>
    XML.replace(/(<OrderResponse[^>]*>)/, `$1<text><status value="generated"/>${div}</text>`),
  ),
  XML.replaceAll(/value="[^"]*"/g, `value="${MARKER}"`),
  XML.replace('<request>', `<request ${MARKER}="${MARKER}">${MARKER}<${MARKER}/>`),
  XML.replace('<request>', `<request>&${MARKER};`),
  `<!DOCTYPE a [<!ENTITY ${MARKER} "${MARKER}">]>${XML}`,
  `<?xml version="1.0" encoding="${MARKER}"?>${XML}`,
  `<${MARKER} xmlns="urn:${MARKER}"/>`,
  MARKER,
];

const QUERIES = [
  `name=${MARKER}`,
  `${MARKER}=a`,
  `name:${MARKER}=a`,
  MARKER,
  `_format=${MARKER}`,
  `_pretty=${MARKER}`,
  `name=${MARKER}%zz`,
  `%zz${MARKER}`,
  `address-city=${MARKER}&address-postalcode=${MARKER}&_lastUpdated=${MARKER}&_id=${MARKER}!`,
  `ods-org-role=${MARKER}|1&identifier=${MARKER}|1&active=${MARKER}&_count=${MARKER}`,
  `q=${MARKER}&role=${MARKER}&town=${MARKER}&as=${MARKER}`,
  `access_token=${MARKER}`,
];
const PATHS = [
  `/${MARKER}`,
  `/STU3/${MARKER}`,
  `/STU3/Organization/${MARKER}`,
  `/STU3/Organization/${MARKER}/_history/${MARKER}`,
  `/STU3/$${MARKER}`,
  `/OrderResponse/${MARKER}`,
  `/OrderResponse/${MARKER}/_history/${MARKER}`,
  `/organizations/${MARKER}`,
  `/organizations/${MARKER}/`,
  `/editions/${MARKER}`,
  `/statistics/${MARKER}`,
  `/assets/${MARKER}`,
  `/suggestions/${MARKER}`,
  `/%zz${MARKER}`,
];
const HEADERS = [
  ['accept', `${MARKER}/${MARKER}`],
  ['prefer', `handling=${MARKER}; ${MARKER}="${MARKER}`],
  ['if-match', `W/"${MARKER}"`],
  ['if-none-match', `"${MARKER}"`],
  ['if-modified-since', MARKER],
  ['if-unmodified-since', MARKER],
  ['if-none-exist', `identifier=${MARKER}|`],
  ['if-none-exist', `http://${MARKER}/OrderResponse?identifier=a|${MARKER}`],
  ['content-type', `application/${MARKER}`],
  ['content-type', `application/json+fhir; charset=${MARKER}`],
  ['content-encoding', MARKER],
  ['x-request-id', `${MARKER}!`],
  ['x-forwarded-for', MARKER],
  ['forwarded', `for=${MARKER}`],
  ['origin', `https://${MARKER}.example`],
  ['referer', `https://${MARKER}.example`],
  ['cookie', `${MARKER}=${MARKER}`],
  ['user-agent', MARKER],
  ['authorization', MARKER],
  ['authorization', `Basic ${MARKER}`],
  ['authorization', `Bearer ${MARKER}`],
  ['authorization', `Bearer ${jwt({ alg: MARKER }, { sub: MARKER })}`],
  ['authorization', `Bearer ${jwt({ alg: 'ES256', kid: MARKER, typ: MARKER }, { iss: MARKER })}`],
  ['authorization', `Bearer ${MARKER}.${MARKER}.${MARKER}`],
] as const;

function jwt(...parts: object[]): string {
  const encoded = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return [...encoded, MARKER].join('.');
}

it('nothing that a client sends is logged', async (context) => {
  const folder = await importedSample(context);
  const server = await serve(context, ['--data', folder, '--threads', '1']);
  const token = await tokenFor(folder, '--scope', 'system/OrderResponse.*');
  const statuses = new Set<number>();
  const send = async (
    method: string,
    target: string,
    headers: Record<string, string>,
    body?: string,
  ) => {
    const answer = await fetch(server.origin + target, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
    await answer.arrayBuffer();
    assert.ok(answer.status < 500, `${method} ${target} ${body}: ${answer.status}`);
    statuses.add(answer.status);
  };
  const json = { 'content-type': 'application/json+fhir' };
  const xml = { 'content-type': 'application/xml+fhir' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  for (const body of JSON_BODIES) await send('POST', '/OrderResponse', json, body);
  for (const body of XML_BODIES) await send('POST', '/OrderResponse', xml, body);
  for (const query of QUERIES) {
    for (const path of ['/', '/STU3/Organization', '/STU3/metadata', '/OrderResponse/a/_history']) {
      await send('GET', `${path}?${query}`, {});
    }
    await send('POST', '/STU3/Organization/_search', form, query);
    await send('GET', `/suggestions?${query}`, {});
  }
  for (const path of PATHS) {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) await send(method, path, {});
    await send('GET', path, { accept: 'text/html' });
    await send('PUT', path, json, JSON.stringify(RESPONSE));
  }
  for (const [name, value] of HEADERS) {
    await send('GET', '/STU3/Organization/RTG', { [name]: value });
    await send('GET', '/', { accept: 'text/html', [name]: value });
    await send('POST', '/OrderResponse', { ...json, [name]: value }, JSON.stringify(RESPONSE));
    await send('PUT', '/OrderResponse/a', { ...json, [name]: value }, JSON.stringify(RESPONSE));
  }

  for (const status of [200, 400, 401, 404, 405, 406, 415, 422]) {
    assert.ok(statuses.has(status), `some are answered with ${status}`);
  }
  assert.equal(await server.stop(), 0);
  const lines = server.log.map((line) => JSON.stringify(line));
  assert.ok(lines.length > JSON_BODIES.length);
  const pattern = new RegExp(MARKER, 'i');
  assert.deepEqual(
    lines.filter((line) => pattern.test(line) || pattern.test(decoded(line))),
    [],
  );
});

/** What is in base64 in a line, such as the claims of a token. */
function decoded(line: string): string {
  return [...line.matchAll(/[\w-]{12,}/g)]
    .map(([text]) => Buffer.from(text, 'base64url').toString('latin1'))
    .join(' ');
}
