/** Operations: their input by GET and POST, their errors, and the descriptions that name them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  FHIR_VERSIONS,
  type FhirVersion,
  R4,
  STU3,
} from '../../src/fhir/definitions/fhir-version.ts';
import { decodeJson } from '../../src/fhir/format/json.ts';
import { encodeXml } from '../../src/fhir/format/xml.ts';
import { createHandle } from '../../src/fhir/handle.ts';
import { operation } from '../../src/fhir/interactions/operation.ts';
import { read } from '../../src/fhir/interactions/read.ts';
import type { Service } from '../../src/fhir/service/interaction.ts';
import { capabilities, capabilityStatement } from '../../src/fhir/statement/capabilities.ts';
import { openApi } from '../../src/fhir/statement/open-api.ts';
import { SPINE_ERRORS } from '../../src/nhs/spine-errors.ts';

const BASE = 'http://a.test';
const SOFTWARE = { name: 'Gazetteer', version: '0.0.0', releaseDate: '2026-01-01' };
const JSON_TYPE = 'application/fhir+json';

/** Returns the input that it gets. */
const ECHO = operation({
  name: '$echo',
  definition: 'http://example.test/OperationDefinition/echo',
  documentation: 'Returns its input.',
  levels: ['type', 'instance'],
  parameters: [
    { name: 'code', type: 'code', documentation: 'A code.' },
    { name: 'count', type: 'integer', documentation: 'A number.' },
    { name: 'property', type: 'string', isRepeatable: true, documentation: 'Names.' },
    { name: 'coding', type: 'Coding', documentation: 'A Coding.' },
  ],
  returns: 'Parameters',
  run: (input, { id }) => {
    const coding = input.object('coding');
    return {
      resourceType: 'Parameters',
      ...(id !== '' && { id }),
      parameter: [
        ...['code', 'count', 'property'].flatMap((name) =>
          input.texts(name).map((text) => ({ name, valueString: text })),
        ),
        ...(coding === undefined ? [] : [{ name: 'coding', valueCoding: coding }]),
      ],
    };
  },
});

function serviceOf(version: FhirVersion): Service {
  return {
    name: 'Echo',
    title: 'Echo',
    description: 'Operations.',
    version,
    serverUrl: BASE,
    baseUrl: `${BASE}/fhir`,
    defaultFormat: 'json',
    interactions: [capabilities],
    types: [
      {
        name: 'Basic',
        documentation: 'Anything.',
        notFound: 'There is nothing.',
        interactions: [read, ...ECHO],
        read: () => undefined,
      },
    ],
    errorDetails: SPINE_ERRORS,
    headers: [],
    gzipMinBytes: 0,
    downloads: [],
  };
}

async function send(
  target: string,
  {
    body,
    type = JSON_TYPE,
    version = STU3,
  }: { body?: string; type?: string; version?: FhirVersion } = {},
) {
  const handle = createHandle({
    services: [serviceOf(version)],
    software: SOFTWARE,
    onFault: (fault) => {
      throw fault;
    },
  });
  const [path = '', query = ''] = target.split('?');
  const answer = await handle({
    method: body === undefined ? 'GET' : 'POST',
    path: `/fhir/${path}`,
    query,
    headers:
      body === undefined
        ? {}
        : { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) },
    id: 'request-1',
    readBody: async () => Buffer.from(body ?? ''),
  });
  return { ...answer, text: Buffer.from(answer.body ?? '').toString() };
}

function parametersBody(parameter: readonly object[]): string {
  return JSON.stringify({ resourceType: 'Parameters', parameter });
}

async function diagnosticsOf(...request: Parameters<typeof send>): Promise<string[]> {
  const { status, text } = await send(...request);
  assert.equal(status, 400);
  return JSON.parse(text).issue.map(({ diagnostics }: { diagnostics: string }) => diagnostics);
}

describe('an operation', () => {
  it('takes parameters of the URL by GET, for the type and for a resource', async () => {
    const parameter = [
      { name: 'code', valueString: 'a b' },
      { name: 'count', valueString: '3' },
      { name: 'property', valueString: 'x' },
      { name: 'property', valueString: 'y,z' },
    ];
    const query = 'code=a+b&count=3&property=x&property=y,z&_format=json&_pretty=false';
    const ofType = await send(`Basic/$echo?${query}`);
    assert.equal(ofType.status, 200);
    assert.equal(ofType.interaction, 'operation');
    assert.deepEqual(JSON.parse(ofType.text), { resourceType: 'Parameters', parameter });
    const ofInstance = JSON.parse((await send(`Basic/b1/%24echo?${query}`)).text);
    assert.deepEqual(ofInstance, { resourceType: 'Parameters', id: 'b1', parameter });
  });

  for (const version of FHIR_VERSIONS) {
    it(`takes a Parameters resource of ${version.name} by POST, in JSON and XML, beside the URL`, async () => {
      const coding = { system: 'urn:s', code: 'c' };
      const sent = [
        { name: 'code', valueCode: 'a' },
        { name: 'count', valueInteger: 12 },
        { name: 'coding', valueCoding: coding },
      ];
      const resource = { resourceType: 'Parameters', parameter: sent };
      const xml = encodeXml(resource, version.definitions);
      const { json: jsonType, xml: xmlType } = version.mediaTypes;
      for (const [body, type] of [
        [JSON.stringify(resource), jsonType],
        [xml, xmlType],
      ] as const) {
        const target = 'Basic/$echo?property=u&_format=json';
        const { text } = await send(target, { body, type, version });
        assert.deepEqual(JSON.parse(text).parameter, [
          { name: 'code', valueString: 'a' },
          { name: 'count', valueString: '12' },
          { name: 'property', valueString: 'u' },
          { name: 'coding', valueCoding: coding },
        ]);
      }
      const { text } = await send('Basic/$echo', { body: xml, type: xmlType, version });
      assert.match(text, /^<\?xml/);
    });
  }

  it('answers with an entity tag, and with 304', async () => {
    const { headers } = await send('Basic/$echo?code=a');
    assert.match(headers[headers.indexOf('ETag') + 1] ?? '', /^W\/"[0-9a-f]{16}"$/);
  });

  const BAD_QUERIES: readonly (readonly [query: string, ...diagnostics: string[]])[] = [
    [
      'colour=red',
      'Unknown parameter "colour" of $echo. The parameters are code, count, property, coding.',
    ],
    ['code=a&code=b', 'Send the parameter code only once.'],
    ['code=', 'The parameter code must be a code. Got "".'],
    ['count=-1', 'The parameter count must be a whole number from 0 to 999999999. Got "-1".'],
    ['coding=a', 'Send the parameter coding as valueCoding of a Parameters resource.'],
    ['_format=pdf', 'Unknown content type specified "pdf"'],
    [
      'count=x&y=1',
      'The parameter count must be a whole number from 0 to 999999999. Got "x".',
      'Unknown parameter "y" of $echo. The parameters are code, count, property, coding.',
    ],
    [
      'code=%ff',
      'The query parameter "code=%ff" is not percent-encoded UTF-8. Write a percent sign as %25 and other characters as UTF-8 escapes.',
    ],
    ['code=a%01b', 'The parameter code has a character that XML cannot hold.'],
    ['property=%EF%BF%BE', 'The parameter property has a character that XML cannot hold.'],
    ['property=a&'.repeat(51), 'More than 50 parameters were supplied; at most 50 are allowed.'],
  ];
  for (const [query, ...diagnostics] of BAD_QUERIES) {
    it(`refuses the query ${query.slice(0, 30)} with every problem`, async () => {
      assert.deepEqual(await diagnosticsOf(`Basic/$echo?${query}`), diagnostics);
    });
  }

  const OTHER_TYPE = /^The body is of type Nope\. Send Parameters\.$/;

  it('says which type to send in place of one that is unknown, also in XML and in R4', async () => {
    const xml = '<Nope xmlns="http://hl7.org/fhir"/>';
    assert.match(
      (await send('Basic/$echo', { body: xml, type: 'text/xml' })).text,
      /Send Parameters\./,
    );
    const body = '{"resourceType":"Patient"}';
    const { text } = await send('Basic/$echo', { body, version: R4 });
    assert.equal(
      JSON.parse(text).issue[0].diagnostics,
      'The body is of type Patient. Send Parameters.',
    );
  });

  const BAD_BODIES: readonly (readonly [name: string, body: string, diagnostics: RegExp])[] = [
    [
      'another type',
      '{"resourceType":"Basic","code":{"text":"a"}}',
      /^The body is of type Basic\. Send Parameters\.$/,
    ],
    ['a type that is unknown', '{"resourceType":"Nope"}', OTHER_TYPE],
    [
      'a resource of another type in a parameter',
      parametersBody([{ name: 'code', resource: { resourceType: 'Nope' } }]),
      /^"Nope" is not a resource type that this server knows in FHIR STU3\.$/,
    ],
    ['damaged JSON', '{"resourceType":', /line 1/],
    ['unknown elements', parametersBody([{ name: 'code', colour: 'red' }]), /colour/],
    [
      'a value of another type',
      parametersBody([{ name: 'code', valueCoding: { code: 'a' } }]),
      /^The parameter code must have a value of the type code\.$/,
    ],
    [
      'another complex type',
      parametersBody([{ name: 'coding', valueCodeableConcept: { text: 'a' } }]),
      /^Send the parameter coding as valueCoding of a Parameters resource\.$/,
    ],
    [
      'no value',
      parametersBody([{ name: 'code' }]),
      /^The parameter code must have a value of the type code\.$/,
    ],
    [
      'too many parameters',
      parametersBody(Array.from({ length: 51 }, () => ({ name: 'property', valueString: 'a' }))),
      /^More than 50 parameters/,
    ],
  ];
  for (const [name, body, diagnostics] of BAD_BODIES) {
    it(`refuses a body with ${name}`, async () => {
      const [first = ''] = await diagnosticsOf('Basic/$echo', { body });
      assert.match(first, diagnostics);
    });
  }

  it('takes all parameters from the URL if the body is empty, of any type', async () => {
    for (const type of ['', JSON_TYPE, 'text/plain']) {
      const { status, text } = await send('Basic/$echo?code=a', { body: '', type });
      assert.equal(status, 200, text);
      const same = await send('Basic/$echo?code=a');
      assert.equal(text, same.text);
    }
  });

  it('refuses a body without parameters only if it is not a resource', async () => {
    const { status, text } = await send('Basic/$echo', { body: '{"resourceType":"Parameters"}' });
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(text).parameter, []);
    assert.equal((await send('Basic/$echo', { body: 'code=a', type: 'text/plain' })).status, 415);
  });
});

describe('the descriptions of a service', () => {
  for (const version of FHIR_VERSIONS) {
    it(`name the operation in the statement of ${version.name}`, () => {
      const statement = JSON.parse(
        JSON.stringify(capabilityStatement(serviceOf(version), SOFTWARE)),
      );
      const [{ operation: ofAll, resource }] = statement.rest;
      const url = 'http://example.test/OperationDefinition/echo';
      const listed = [{ name: 'echo', definition: version === R4 ? url : { reference: url } }];
      assert.deepEqual(version === R4 ? resource[0].operation : ofAll, listed);
      assert.equal(version === R4 ? ofAll : resource[0].operation, undefined);
      assert.deepEqual(resource[0].interaction, [{ code: 'read' }]);
      const bytes = Buffer.from(JSON.stringify(statement));
      assert.deepEqual(decodeJson(bytes, version.definitions).findings, []);
    });
  }

  it('describe each form of the operation in OpenAPI', () => {
    const { paths } = JSON.parse(JSON.stringify(openApi([serviceOf(STU3)], SOFTWARE)));
    const { get, post } = paths['/fhir/Basic/$echo'];
    assert.equal(get.operationId, 'echoBasic');
    assert.equal(post.operationId, 'echoBasicByParameters');
    assert.equal(paths['/fhir/Basic/{id}/$echo'].get.operationId, 'echoOneBasic');
    const described = get.parameters.map(({ name, schema }: { name: string; schema: object }) => [
      name,
      schema,
    ]);
    assert.deepEqual(described.slice(0, 3), [
      ['code', { type: 'string' }],
      ['count', { type: 'integer' }],
      ['property', { type: 'array', items: { type: 'string' } }],
    ]);
  });

  it('name the operations for an unknown one', async () => {
    const { status, text } = await send('Basic/$lookup');
    assert.equal(status, 404);
    assert.match(
      JSON.parse(text).issue[0].diagnostics,
      /^Unknown operation "\$lookup" of \S+\. The operations are Basic\/\$echo, Basic\/\{id\}\/\$echo\.$/,
    );
  });
});
