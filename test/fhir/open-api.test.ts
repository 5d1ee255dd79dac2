/** The OpenAPI description holds together, and names everything that the services declare. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DSTU2 } from '../../src/fhir/definitions/fhir-version.ts';
import { decodeXml } from '../../src/fhir/format/xml.ts';
import { ERROR_ROWS } from '../../src/fhir/request/fhir-error.ts';
import { STU3_SEARCH_PARAMETERS } from '../../src/interfaces/stu3/parameters.ts';
import { SPINE_ERRORS } from '../../src/nhs/spine-errors.ts';
import {
  EXAMPLE,
  EXAMPLE_XML,
  type OrderServer,
  startOrders,
} from '../order-response/order-server.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Record<string, { schema: FormSchema; example?: unknown }>;
  };
  readonly responses: Record<string, Response>;
  readonly description?: string;
}

interface FormSchema {
  readonly properties: Record<string, { readonly description: string }>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: { readonly type: string; readonly enum?: readonly string[] };
}

interface Response {
  readonly description: string;
  readonly content?: Record<string, { readonly schema?: object }>;
}

interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Record<string, Record<string, object>>;
}

const STU3_TYPES = ['application/fhir+json', 'application/fhir+xml'];
const DSTU2_TYPES = ['application/json+fhir', 'application/xml+fhir'];

/** Methods and paths of each interaction, as a capability statement calls it. */
const PATHS_OF: Readonly<Record<string, readonly string[]>> = {
  read: ['get */{id}'],
  'search-type': ['get *', 'post */_search'],
  create: ['post *'],
  update: ['put */{id}'],
  vread: ['get */{id}/_history/{version}'],
  'history-instance': ['get */{id}/_history'],
  'history-type': ['get */_history'],
};

describe('the OpenAPI description', () => {
  let server: OrderServer;
  let openApi: OpenApi;
  before(async () => {
    server = await startOrders();
    const answer = await server.send('GET', 'openapi.json');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    openApi = JSON.parse(answer.text);
  });
  after(() => server.close());

  const operations = () =>
    Object.entries(openApi.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    );

  it('is a valid description of version 3.1', () => {
    assert.match(openApi.openapi, /^3\.1\.\d+$/);
    assert.deepEqual(openApi.servers, [{ url: 'http://orders.test/base' }]);
    assert.equal(typeof openApi.info.title, 'string');
    assert.equal(typeof openApi.info.version, 'string');
    const ids = operations().map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, ids.length);
    for (const { path, method, operation } of operations()) {
      assert.match(path, /^\/[\w./{}$-]*$/);
      assert.match(method, /^(get|post|put)$/);
      assert.match(operation.operationId, /^[\w.]+$/);
      assert.ok(operation.summary.length > 0);
      const named = (operation.parameters ?? []).filter((one) => one.in === 'path');
      assert.deepEqual(
        named.map(({ name }) => `{${name}}`),
        path.match(/\{\w+\}/g) ?? [],
      );
      assert.ok(named.every(({ required }) => required === true));
      const keys = (operation.parameters ?? []).map((one) => `${one.in} ${one.name}`);
      assert.equal(new Set(keys).size, keys.length);
      for (const parameter of operation.parameters ?? []) {
        assert.match(parameter.in, /^(query|path|header)$/);
        assert.match(parameter.schema.type, /^(string|integer|boolean|array)$/);
      }
      for (const [status, response] of Object.entries(operation.responses)) {
        assert.match(status, /^[2-5]\d\d$/);
        assert.ok(response.description.length > 0, `${path} ${status}`);
      }
    }
  });

  it('says which operations need no token, and has only the schemes that some operation uses', () => {
    const securityOf = (path: string) => openApi.paths[path]!.get!.security;
    assert.deepEqual(securityOf('/OrderResponse/{id}'), [{ bearer: [] }]);
    assert.deepEqual(securityOf('/metadata'), []);
    assert.deepEqual(securityOf('/STU3/Organization'), []);
    assert.deepEqual(securityOf('/editions/current.ndjson'), []);
    assert.deepEqual(Object.keys(openApi.components.securitySchemes!), ['bearer']);
  });

  it('refers to nothing that it does not have', () => {
    const references = [...JSON.stringify(openApi).matchAll(/"\$ref":"#\/([^"]+)"/g)];
    assert.ok(references.length > 0);
    for (const [, path = ''] of references) {
      let at: unknown = openApi;
      for (const step of path.split('/')) at = (at as Record<string, unknown>)[step];
      assert.equal(typeof at, 'object', path);
    }
  });

  it('has every interaction of the capability statement, and every document', async () => {
    const offered = async (path: string) =>
      JSON.parse((await server.send('GET', path, { accept: 'application/json' })).text).rest[0]
        .resource;
    const expected = [
      'get /STU3/metadata',
      'get /metadata',
      'get /editions/current.ndjson',
      'get /editions/current.xml',
      'get /_history',
      'post /',
      'post /OrderResponse/$validate',
      'post /OrderResponse/{id}/$validate',
    ];
    for (const [base, path] of [
      ['/STU3', 'STU3/metadata'],
      ['', 'metadata'],
    ] as const) {
      for (const { type, interaction, conditionalUpdate } of await offered(path)) {
        if (conditionalUpdate) expected.push(`put ${base}/${type}`);
        for (const { code } of interaction) {
          expected.push(
            ...(PATHS_OF[code]?.map((each) => each.replace('*', `${base}/${type}`)) ?? []),
          );
        }
      }
    }
    assert.deepEqual(
      operations()
        .map(({ path, method }) => `${method} ${path}`)
        .sort(),
      expected.sort(),
    );
  });

  it('has every search parameter with its modifiers and what it is for, in URL and form', () => {
    const declared = STU3_SEARCH_PARAMETERS.flatMap(({ name, modifiers }) => [
      name,
      ...modifiers.map((modifier) => `${name}:${modifier}`),
    ]);
    const { parameters = [] } = openApi.paths['/STU3/Organization']!.get!;
    const queries = parameters.filter((one) => one.in === 'query');
    assert.deepEqual(
      queries.map(({ name }) => name),
      declared,
    );
    const { requestBody } = openApi.paths['/STU3/Organization/_search']!.post!;
    const form = requestBody?.content['application/x-www-form-urlencoded']?.schema.properties ?? {};
    assert.deepEqual(Object.keys(form), declared);
    for (const { name, documentation } of STU3_SEARCH_PARAMETERS) {
      assert.equal(queries.find((one) => one.name === name)?.description, documentation);
      assert.equal(form[name]?.description, documentation);
    }
  });

  it('has every status and code that can be answered, in the media types of FHIR', () => {
    const described = new Set<string>();
    for (const { path, operation } of operations()) {
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue;
        for (const code of description.split(', ')) described.add(`${status} ${code}`);
        const types = Object.keys(content ?? {});
        const isStu3 = /^\/(STU3|editions)\//.test(path);
        assert.deepEqual(types, isStu3 ? STU3_TYPES : DSTU2_TYPES, path);
      }
      assert.ok('500' in operation.responses);
    }
    const codes = new Map(Object.entries(SPINE_ERRORS).map(([kind, { code }]) => [kind, code]));
    const answered = Object.entries(ERROR_ROWS).map(
      ([kind, { status }]) => `${status} ${codes.get(kind)}`,
    );
    assert.deepEqual([...described].sort(), [...new Set(answered)].sort());
  });

  it('describes every operation, and XML as a text, which tools send unchanged', () => {
    for (const { path, operation } of operations()) {
      assert.match(operation.description ?? '', /^[^:]+: .*\.$/, path);
      const bodies = [operation.requestBody, ...Object.values(operation.responses)];
      for (const body of bodies) {
        const content: Record<string, { schema?: object }> = body?.content ?? {};
        for (const [type, { schema }] of Object.entries(content)) {
          if (/fhir.*xml|xml.*fhir/.test(type)) assert.deepEqual(schema, { type: 'string' }, path);
        }
      }
    }
  });

  it('has the answers of reads and updates of what clients write', () => {
    for (const type of ['OrderResponse', 'Subscription']) {
      const item = openApi.paths[`/${type}/{id}`];
      if (item === undefined) continue;
      for (const method of ['get', 'put'] as const) {
        assert.ok('410' in (item[method]?.responses ?? {}), `${type} ${method}`);
      }
      assert.ok('405' in (item.put?.responses ?? {}), type);
    }
    assert.ok('410' in openApi.paths['/OrderResponse/{id}/_history/{version}']!.get!.responses);
    assert.ok(!('410' in openApi.paths['/STU3/Organization/{id}']!.get!.responses));
  });

  it('has an order response that can be created unchanged, in JSON and in XML', async () => {
    const { requestBody } = openApi.paths['/OrderResponse']!.post!;
    for (const type of DSTU2_TYPES) {
      const example = requestBody?.content[type]?.example;
      assert.ok(example !== undefined, type);
      const body = typeof example === 'string' ? example : JSON.stringify(example);
      const headers = { 'content-type': type };
      const { status, text } = await server.send('POST', 'OrderResponse', headers, body);
      assert.equal(status, 201, text);
    }
  });

  it('shows the example that is in the folder of samples', () => {
    const { resource } = decodeXml(Buffer.from(EXAMPLE_XML), DSTU2.definitions);
    assert.deepEqual(JSON.parse(JSON.stringify(resource)), EXAMPLE);
  });

  it('lists the ids of what is few', () => {
    const [id] = openApi.paths['/STU3/CodeSystem/{id}']!.get!.parameters ?? [];
    assert.deepEqual(id?.schema.enum, [
      'ODSAPI-OrganizationRole-1',
      'ODSAPI-OrganizationRecordClass-1',
    ]);
  });
});
