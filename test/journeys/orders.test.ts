/** Order responses as their users meet them: a token, a create, updates, a restart, and what is kept. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';
import { gazetteer, type Server, serve } from './program.ts';
import { tokenFor } from './token.ts';

const EXAMPLE = readFileSync(join(ROOT, 'sample/order-response.xml'), 'utf8');

/** Words of the example that tell who the patient is. */
const PATIENT = ['Kanfeld', '1234DEF', '1998-03-19'];

async function started(context: TestContext, words: readonly string[] = []) {
  const folder = temporaryFolder(context);
  const server = await serve(context, ['--data', folder, '--threads', '2', ...words]);
  const token = await tokenFor(folder, '--scope', 'system/OrderResponse.*');
  return { folder, server, token };
}

function post(server: Server, token: string, body = EXAMPLE, headers = {}) {
  return fetch(`${server.origin}/OrderResponse`, {
    method: 'POST',
    headers: {
      authorization: `BEARER ${token}`,
      'content-type': 'application/xml+fhir',
      ...headers,
    },
    body,
  });
}

/** The address of a version as this server has it, whatever its base URL. */
function pathOf(answer: Response): string {
  return new URL(answer.headers.get('location') ?? '').pathname;
}

it('a response is created, updated twice, and is there after kill -9, with all its versions', async (context) => {
  const { folder, server, token } = await started(context);
  const created = await post(server, token);
  assert.equal(created.status, 201, await created.text());
  const first = pathOf(created);
  const item = first.replace(/\/_history.*/, '');
  const id = item.split('/').at(-1);
  for (const [status, version] of [
    ['review', 2],
    ['accepted', 3],
  ] as const) {
    const body = EXAMPLE.replace('<contained>', `<id value="${id}"/><contained>`).replace(
      'orderStatus value="completed"',
      `orderStatus value="${status}"`,
    );
    const updated = await fetch(server.origin + item, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/xml+fhir',
        'if-match': `W/"${version - 1}"`,
      },
      body,
    });
    assert.equal(updated.status, 200, await updated.text());
    assert.equal(updated.headers.get('etag'), `W/"${version}"`);
  }
  await server.stop('SIGKILL');
  const again = await serve(context, ['--data', folder]);
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json+fhir' };
  const history = await fetch(`${again.origin + item}/_history`, { headers });
  const { total, entry } = JSON.parse(await history.text());
  assert.equal(total, 3);
  assert.deepEqual(
    entry.map(({ resource }: { resource: { orderStatus: string } }) => resource.orderStatus),
    ['accepted', 'review', 'completed'],
  );
  const version = await fetch(again.origin + first, { headers });
  assert.equal(JSON.parse(await version.text()).orderStatus, 'completed');
});

it('both services run in one server, and each can be switched off', async (context) => {
  const folder = temporaryFolder(context);
  const answers = async (words: readonly string[]) => {
    const server = await serve(context, ['--data', folder, ...words]);
    const statuses = await Promise.all(
      ['/STU3/metadata', '/metadata', '/OrderResponse/x'].map(
        async (path) => (await fetch(server.origin + path)).status,
      ),
    );
    await server.stop();
    return statuses;
  };
  assert.deepEqual(await answers([]), [200, 200, 401]);
  assert.deepEqual(await answers(['--orders-enabled', 'false']), [200, 404, 404]);
  assert.deepEqual(await answers(['--directory-enabled', 'false']), [404, 200, 401]);
  const neither = await gazetteer([
    'serve',
    '--data',
    folder,
    '--orders-enabled',
    'false',
    '--directory-enabled',
    'false',
  ]);
  assert.equal(neither.code, 2);
  assert.match(neither.stderr, /orders\.enabled/);
  const words = ['--mcp-enabled', '--directory-enabled', 'false'];
  const toolsAlone = await gazetteer(['serve', '--data', folder, ...words]);
  assert.equal(toolsAlone.code, 2);
  assert.match(toolsAlone.stderr, /mcp\.enabled is set.*directory\.enabled/s);
});

it('a setting requires a bearer token for the directory too, and for all of it at once', async (context) => {
  const folder = temporaryFolder(context);
  const server = await serve(context, [
    '--data',
    folder,
    '--directory-authenticate',
    'true',
    '--mcp-enabled',
  ]);
  const reader = await tokenFor(folder, '--scope', 'system/Organization.read');
  const other = await tokenFor(folder, '--scope', 'system/OrderResponse.*');
  for (const path of ['/STU3/Organization', '/STU3/Organization/RR8', '/editions/current.ndjson']) {
    const status = async (headers: Record<string, string>) =>
      (await fetch(server.origin + path, { headers })).status;
    assert.equal(await status({}), 401, path);
    assert.equal(await status({ authorization: `Bearer ${other}` }), 403, path);
    // Without an edition there is nothing to read, which is told to those who may.
    assert.equal(await status({ authorization: `Bearer ${reader}` }), 503, path);
  }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'reports' } };
  const call = (headers: Record<string, string>) =>
    fetch(`${server.origin}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(message),
    });
  assert.equal((await call({})).status, 401);
  assert.equal((await call({ authorization: `Bearer ${other}` })).status, 403);
  const answer = await call({ authorization: `Bearer ${reader}` });
  const { result } = JSON.parse(await answer.text());
  assert.match(result.content[0].text, /no edition yet\. Import one/);
  assert.equal((await fetch(`${server.origin}/STU3/metadata`)).status, 200);
  const edition = `${server.origin}/editions/current.ndjson`;
  assert.equal((await fetch(edition, { method: 'OPTIONS' })).status, 204, 'a browser may ask');
  assert.equal((await fetch(edition, { method: 'POST' })).status, 405, 'before the token counts');
});

it('no line of the log has a token, or a word about the patient', async (context) => {
  const { folder, server, token } = await started(context, ['--log-parameters', 'true']);
  const created = await post(server, token);
  const item = pathOf(created).replace(/\/_history.*/, '');
  await post(server, token, EXAMPLE.replace('female', 'unknowable Kanfeld'));
  await post(server, token, EXAMPLE.slice(0, 900));
  await post(server, token, EXAMPLE, { 'if-none-exist': 'identifier=Kanfeld|1234DEF' });
  await post(server, 'not.a.token');
  await post(server, `${token}x`);
  for (const headers of [{ authorization: `Bearer ${token}` }, {}]) {
    await fetch(server.origin + item, { headers });
    await fetch(`${server.origin + item}/_history`, { headers });
  }
  const code = await server.stop();
  assert.equal(code, 0);
  const lines = JSON.stringify(server.log);
  assert.match(lines, /"POST"/, 'requests are logged');
  for (const word of [...PATIENT, token, token.split('.').at(-1) ?? '', 'not.a.token']) {
    assert.ok(!lines.includes(word), `${word} is in the log`);
  }
  const verified = await runInProcess(['verify', '--data', folder]);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
});
