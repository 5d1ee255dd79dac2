/** The OpenAPI description holds together, and names everything that the services declare. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SEARCH_PARAMETERS } from '../../src/directory/parameters.ts';
import { ERROR_ROWS } from '../../src/fhir/outcome.ts';
import { type DirectoryServer, startDirectory } from '../directory/directory-server.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, { schema: FormSchema }> };
  readonly responses: Record<string, Response>;
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
  readonly content?: Record<string, object>;
}

interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Record<string, Record<string, object>>;
}

describe('the OpenAPI description', () => {
  let server: DirectoryServer;
  let openApi: OpenApi;
  before(async () => {
    server = await startDirectory();
    const answer = await server.get('/fhir/openapi.json');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    openApi = JSON.parse(answer.text);
  });
  after(() => server.close());

  const operations = () =>
    Object.entries(openApi.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    );

  it('is of version 3.1 and has what that demands', () => {
    assert.match(openApi.openapi, /^3\.1\.\d+$/);
    assert.deepEqual(openApi.servers, [{ url: 'http://directory.test/fhir' }]);
    assert.equal(typeof openApi.info.title, 'string');
    assert.equal(typeof openApi.info.version, 'string');
    const ids = operations().map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, ids.length);
    for (const { path, method, operation } of operations()) {
      assert.match(path, /^\/[\w./{}-]+$/);
      assert.match(method, /^(get|post)$/);
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
    const { rest } = JSON.parse((await server.get('metadata')).text);
    const expected: string[] = ['get /STU3/metadata', 'get /editions/current.ndjson'];
    for (const { type, interaction } of rest[0].resource) {
      for (const { code } of interaction) {
        if (code === 'read') expected.push(`get /STU3/${type}/{id}`);
        else expected.push(`get /STU3/${type}`, `post /STU3/${type}/_search`);
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
    const declared = SEARCH_PARAMETERS.flatMap(({ name, modifiers }) => [
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
    for (const { name, documentation } of SEARCH_PARAMETERS) {
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
        assert.deepEqual(types, ['application/fhir+json', 'application/fhir+xml'], path);
      }
      assert.ok('500' in operation.responses);
    }
    // A method that is not offered has no operation that could say so.
    const answered = Object.values(ERROR_ROWS)
      .filter(({ status }) => status !== 405)
      .map(({ status, detail }) => `${status} ${detail}`);
    assert.deepEqual([...described].sort(), [...new Set(answered)].sort());
  });

  it('lists the ids of what is few', () => {
    const [id] = openApi.paths['/STU3/CodeSystem/{id}']!.get!.parameters ?? [];
    assert.deepEqual(id?.schema.enum, [
      'ODSAPI-OrganizationRole-1',
      'ODSAPI-OrganizationRecordClass-1',
    ]);
  });
});
