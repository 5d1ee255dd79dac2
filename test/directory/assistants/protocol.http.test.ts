/** The Model Context Protocol over HTTP, message by message: versions, headers, and what is not valid. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadConfig } from '../../../src/config/load-config.ts';
import { FhirError } from '../../../src/fhir/request/fhir-error.ts';
import { createAssistantsService } from '../../../src/interfaces/assistants/service.ts';
import { createTool } from '../../../src/interfaces/assistants/tools/tool.ts';
import {
  type Answer,
  BASE,
  type DirectoryServer,
  PAGE_ORIGIN,
  SETTINGS,
  startDirectory,
} from '../directory-server.ts';

const NO_EDITIONS = { current: () => undefined, byNumber: () => undefined };

const MODERN = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const TYPES = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

type Headers = Record<string, string>;

/** JSON as a test reads it. */
type Json = ReturnType<typeof JSON.parse>;

let server: DirectoryServer;

before(async () => {
  server = await startDirectory();
});
after(() => server.close());

function send(message: unknown, headers: Headers = {}): Promise<Answer> {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return server.post('/fhir/mcp', body, { ...TYPES, ...headers });
}

async function ask(method: string, params?: object, headers?: Headers): Promise<Json> {
  const { status, text } = await send({ jsonrpc: '2.0', id: 7, method, params }, headers);
  const body = JSON.parse(text);
  assert.equal(body.id, 7);
  return { status, ...body };
}

function modern(method: string, name?: string): Headers {
  const named = name !== undefined && { 'mcp-name': name };
  return { 'mcp-protocol-version': MODERN, 'mcp-method': method, ...named };
}

describe('the Model Context Protocol over HTTP', () => {
  it('agrees on the version in the handshake: the one of the client, or the newest that has it', async () => {
    const versions = [
      ['2024-11-05', '2024-11-05'],
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['2026-07-28', '2025-11-25'],
      ['1999-01-01', '2025-11-25'],
    ];
    for (const [protocolVersion, agreed] of versions) {
      const { status, result } = await ask('initialize', { protocolVersion, capabilities: {} });
      assert.equal(status, 200);
      assert.equal(result.protocolVersion, agreed);
      assert.deepEqual(result.capabilities, { tools: {} });
      assert.deepEqual(result.serverInfo, { name: 'Gazetteer', version: '0.0.0' });
    }
  });

  it('needs no handshake and no session', async () => {
    const listed = await ask('tools/list', {}, { 'mcp-session-id': 'x', 'last-event-id': '3' });
    assert.equal(listed.status, 200);
    const { result } = await ask('tools/call', { name: 'reports' });
    assert.equal(result.isError, false);
    assert.equal(result.resultType, undefined);
  });

  it('answers clients of the revision without a handshake, which say their version each time', async () => {
    const discovered = await ask('server/discover', { _meta: META }, modern('server/discover'));
    assert.equal(discovered.status, 200);
    assert.equal(discovered.result.supportedVersions[0], MODERN);
    assert.equal(discovered.result.resultType, 'complete');
    const listed = await ask('tools/list', { _meta: META }, modern('tools/list'));
    assert.equal(listed.result.cacheScope, 'public');
    assert.ok(listed.result.ttlMs > 0);
    const params = { name: 'reports', arguments: {}, _meta: META };
    const called = await ask('tools/call', params, modern('tools/call', 'reports'));
    assert.equal(called.result.resultType, 'complete');
    assert.equal(called.result._meta['io.modelcontextprotocol/serverInfo'].name, 'Gazetteer');
    const encoded = `=?base64?${Buffer.from('reports').toString('base64')}?=`;
    assert.equal((await ask('tools/call', params, modern('tools/call', encoded))).status, 200);
  });

  const WITHOUT_CAPABILITIES = { 'io.modelcontextprotocol/protocolVersion': MODERN };
  const OTHER_VERSION = { ...META, 'io.modelcontextprotocol/protocolVersion': '1900-01-01' };

  /** The method, the parameters, the headers; the status, the code and the text of the error. */
  const REFUSED: readonly (readonly [string, object, Headers, number, number, RegExp])[] = [
    [
      'tools/lst',
      {},
      {},
      200,
      -32601,
      /Unknown method "tools\/lst"\. Did you mean "tools\/list"\?/,
    ],
    ['resources/list', {}, {}, 200, -32601, /Unknown method/],
    ['server/discover', {}, {}, 200, -32601, /Unknown method/],
    ['tools/call', { name: 'match' }, {}, 200, -32602, /Unknown tool "match"/],
    ['tools/call', {}, {}, 200, -32602, /params\.name must be the name of a tool/],
    ['tools/call', { name: ['near'] }, {}, 200, -32602, /params\.name must be/],
    ['tools/list', {}, { 'mcp-protocol-version': '1900-01-01' }, 400, -32022, /"1900-01-01"/],
    ['tools/list', { _meta: OTHER_VERSION }, {}, 400, -32022, /Use one of 2026-07-28/],
    ['tools/list', { _meta: META }, {}, 400, -32020, /MCP-Protocol-Version/],
    ['tools/list', { _meta: META }, modern('tools/call'), 400, -32020, /Mcp-Method/],
    ['tools/list', {}, modern('tools/list'), 400, -32020, /MCP-Protocol-Version/],
    [
      'tools/call',
      { name: 'near', _meta: META },
      modern('tools/call', 'x'),
      400,
      -32020,
      /Mcp-Name/,
    ],
    ['tools/call', { name: 'near', _meta: META }, modern('tools/call'), 400, -32020, /Got none/],
    ['tools/list', { _meta: WITHOUT_CAPABILITIES }, modern('tools/list'), 400, -32602, /clientCap/],
    ['ping', { _meta: META }, modern('ping'), 404, -32601, /Unknown method "ping"/],
    ['x'.repeat(500), { _meta: META }, modern('x'.repeat(500)), 404, -32601, /x…/],
  ];
  for (const [method, params, headers, status, code, text] of REFUSED) {
    it(`refuses ${method.slice(0, 20)} ${JSON.stringify(params)} ${JSON.stringify(headers).slice(0, 80)}`, async () => {
      const answer = await ask(method, params, headers);
      assert.equal(answer.status, status);
      assert.equal(answer.error.code, code);
      assert.match(answer.error.message, text);
    });
  }

  it('names the versions that it has to a client of another one', async () => {
    const { error } = await ask('tools/list', { _meta: OTHER_VERSION });
    assert.equal(error.data.requested, '1900-01-01');
    assert.ok(error.data.supported.includes(MODERN));
  });

  const MALFORMED: readonly (readonly [string, number, RegExp])[] = [
    ['', -32700, /not JSON/],
    ['{"jsonrpc"', -32700, /not JSON/],
    ['\u0000', -32700, /not JSON/],
    ['[]', -32600, /batch\. Send each of its messages alone/],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, /batch/],
    ['5', -32600, /must be an object, such as/],
    ['null', -32600, /must be an object/],
    ['{}', -32600, /jsonrpc must be "2\.0"/],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, /jsonrpc/],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, /id must be/],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, /id must be/],
    ['{"jsonrpc":"2.0","id":1}', -32600, /method must be a text/],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', -32600, /sends no requests/],
    ['{"jsonrpc":"2.0","id":1,"method":["ping"]}', -32600, /method must be a text/],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32602, /params must be an object/],
    ['['.repeat(60_000), -32700, /not JSON/],
    [`${'['.repeat(30_000)}${']'.repeat(30_000)}`, -32600, /batch/],
  ];
  for (const [body, code, problem] of MALFORMED) {
    it(`refuses the message ${body.slice(0, 50)}`, async () => {
      const { status, text } = await send(body);
      assert.equal(status, 400);
      const { error } = JSON.parse(text);
      assert.equal(error.code, code);
      assert.match(error.message, problem);
    });
  }

  it('takes notifications, and answers none', async () => {
    const message = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const { status, text } = await send(message);
    assert.deepEqual([status, text], [202, '']);
  });

  it('takes arguments of every kind, and names what is wrong with each', async () => {
    const wrong: readonly unknown[] = ['x', [], 5, { __proto__: null, toString: 1 }, { code: {} }];
    for (const given of [...wrong, JSON.parse('{"__proto__": {"code": "RR8"}}')]) {
      const { status, result } = await ask('tools/call', {
        name: 'get_organisation',
        arguments: given,
      });
      assert.equal(status, 200);
      assert.equal(result.isError, true);
      assert.match(result.content[0].text, /must be|Unknown argument/);
      assert.equal(result.structuredContent, undefined);
    }
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`a${i}`, 1]));
    const { result } = await ask('tools/call', { name: 'reports', arguments: many });
    assert.ok(result.content[0].text.length < 1000);
  });

  it('refuses other methods, media types and large bodies with the remedy', async () => {
    const get = await server.get('/fhir/mcp', { accept: 'text/event-stream' });
    assert.equal(get.status, 405);
    assert.match(JSON.parse(get.text).error.message, /Use POST/);
    assert.equal((await server.get('/fhir/mcp', {}, 'DELETE')).status, 405);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    assert.equal((await send('a=b', form)).status, 415);
    const notJson = await send('{}', { accept: 'text/event-stream' });
    assert.equal(notJson.status, 406);
    assert.match(JSON.parse(notJson.text).error.message, /Accept: application\/json/);
    const { 'limits.formBytes': bytesMax } = loadConfig({ flags: {}, environment: {} });
    assert.equal((await send(`"${'x'.repeat(bytesMax)}"`)).status, 413);
    assert.equal((await server.post('/fhir/mcp/tools', '{}', TYPES)).status, 404);
  });

  it('answers pages of the server and of the named origins alone', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const origins: readonly (readonly [string, number])[] = [
      [new URL(BASE).origin, 200],
      [PAGE_ORIGIN, 200],
      ['https://evil.example', 403],
      [`${PAGE_ORIGIN}.evil.example`, 403],
      ['null', 403],
    ];
    for (const [origin, status] of origins) {
      const answer = await send(message, { origin });
      assert.equal(answer.status, status, origin);
      const allowed = status === 200 ? origin : null;
      assert.equal(answer.headers.get('access-control-allow-origin'), allowed);
    }
    const preflight = await server.get(
      '/fhir/mcp',
      { origin: PAGE_ORIGIN, 'access-control-request-method': 'POST' },
      'OPTIONS',
    );
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Mcp-Method/);
  });

  it('asks for a token where reads of the directory need one', async () => {
    const service = createAssistantsService({
      settings: SETTINGS,
      serverUrl: BASE,
      editions: NO_EDITIONS,
      authorize: () => {
        throw FhirError.of(
          'unauthorized',
          'The token is missing. Send Authorization: Bearer TOKEN.',
        );
      },
      tools: [],
      identity: { name: '', version: '' },
      origins: [],
    });
    const answer = await service.handle(plainRequest({}), failOn);
    assert.equal(answer.status, 401);
    assert.match(String(answer.body), /The token is missing/);
  });

  it('reports a fault of a tool, and tells the client no more than that it happened', async () => {
    const faults: unknown[] = [];
    const tool = createTool({
      name: 'broken',
      title: '',
      description: '',
      inputs: {},
      output: {},
      answer: () => {
        throw new TypeError('a secret');
      },
    });
    const service = createAssistantsService({
      settings: SETTINGS,
      serverUrl: BASE,
      editions: NO_EDITIONS,
      tools: [tool],
      identity: { name: '', version: '' },
      origins: [],
    });
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'broken' } };
    const answer = await service.handle(plainRequest(message), (fault) => faults.push(fault));
    const body = Buffer.concat(await Array.fromAsync(answer.pieces ?? [])).toString();
    assert.match(JSON.parse(body).result.content[0].text, /^The tool failed/);
    assert.doesNotMatch(body, /secret/);
    assert.equal(faults.length, 1);
  });

  it('stops a call when its client has left', async () => {
    let pauses = 0;
    const started = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<unknown>();
    const tool = createTool({
      name: 'long',
      title: '',
      description: '',
      inputs: {},
      output: {},
      answer: async (_, call) => {
        try {
          for (;;) {
            await call.pause();
            await new Promise(setImmediate);
            pauses += 1;
            started.resolve();
          }
        } catch (error) {
          ended.resolve(error);
          throw error;
        }
      },
    });
    const service = createAssistantsService({
      settings: SETTINGS,
      serverUrl: BASE,
      editions: NO_EDITIONS,
      tools: [tool],
      identity: { name: '', version: '' },
      origins: [],
    });
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'long' } };
    const answer = await service.handle(plainRequest(message), failOn);
    const read = Array.fromAsync(answer.pieces ?? []);
    await started.promise;
    answer.onClosed?.();
    assert.equal(((await ended.promise) as Error).name, 'AbortError');
    assert.deepEqual(await read, []);
    assert.ok(pauses > 0);
  });
});

function plainRequest(message: object) {
  return {
    method: 'POST',
    path: '/fhir/mcp',
    query: '',
    headers: { 'content-type': 'application/json', 'content-length': '9' },
    id: 'test',
    readBody: async () => Buffer.from(JSON.stringify(message)),
  };
}

function failOn(fault: unknown): void {
  throw fault;
}
