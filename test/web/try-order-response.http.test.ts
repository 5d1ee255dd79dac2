/** The page that tries order responses over HTTP: who gets a token, and who does not. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { gazetteer, serve } from '../journeys/program.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const PAGE = '/try-order-response';
const TOKEN = `${PAGE}/token`;

async function post(port: number, headers: Record<string, string> = {}, body = '') {
  const sent = request({ port, path: TOKEN, method: 'POST', headers });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
}

describe('the page that tries order responses', () => {
  it('gives tokens where the operator wants it, and only at its own address', async (context) => {
    const data = temporaryFolder(context);
    const words = ['--data', data, '--threads', '1', '--base-url', 'https://gazetteer.example'];
    const server = await serve(context, [...words, '--pages-give-tokens']);
    await server.logged(/the pages give everyone a token/);
    const page = await fetch(server.origin + PAGE);
    assert.match(
      await page.text(),
      /Create a token[\s\S]*&quot;resourceType&quot;: &quot;OrderResponse/,
    );
    assert.match(page.headers.get('content-security-policy') ?? '', /connect-src 'self'/);

    const { status, headers, text: body } = await post(server.port);
    assert.deepEqual([status, headers['cache-control']], [201, 'no-store']);
    assert.equal(headers['access-control-allow-origin'], undefined);
    assert.equal(headers.etag, undefined);
    const { token } = JSON.parse(body);
    const [, claims = ''] = token.split('.');
    const { scope, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    assert.deepEqual([scope, exp - iat], ['system/OrderResponse.*', 3600]);
    const read = await fetch(`${server.origin}/OrderResponse/none`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(read.status, 404);

    // The name of another website can mean the address of this server.
    for (const [host, expected] of [
      ['gazetteer.example', 201],
      ['localhost:80', 201],
      ['[::1]:80', 201],
      ['10.1.2.3', 201],
      ['evil.example', 403],
      ['localhost.evil.example', 403],
      ['127.0.0.1.evil.example', 403],
      ['gazetteer.example.evil', 403],
    ] as const) {
      assert.equal((await post(server.port, { host })).status, expected, host);
    }
    assert.equal((await post(server.port, { 'content-type': 'foo' }, 'body')).status, 201);
    assert.equal((await fetch(server.origin + TOKEN, { method: 'PUT' })).status, 405);
    assert.equal((await fetch(server.origin + PAGE, { method: 'POST' })).status, 405);
    assert.doesNotMatch(JSON.stringify(server.log), new RegExp(token));
  });

  it('gives nobody a token by default', async (context) => {
    const server = await serve(context, ['--data', temporaryFolder(context), '--threads', '1']);
    assert.doesNotMatch(await (await fetch(server.origin + PAGE)).text(), /Create a token/);
    const { status, text: body } = await post(server.port);
    assert.equal(status, 404);
    assert.doesNotMatch(body, /eyJ/);
  });

  it('is not there without order responses', async (context) => {
    const words = ['--data', temporaryFolder(context), '--threads', '1'];
    const none = ['--orders-enabled=false', '--pages-give-tokens'];
    const server = await serve(context, [...words, ...none]);
    assert.equal((await fetch(server.origin + PAGE)).status, 404);
    assert.equal((await post(server.port)).status, 404);
  });

  it('cannot give tokens that the server does not accept', async (context) => {
    const issuer = ['--auth-issuer', 'https://issuer.example'];
    const keys = ['--auth-jwks-url', 'https://issuer.example/keys'];
    const words = ['serve', '--data', temporaryFolder(context), ...issuer, ...keys];
    const { stderr, code } = await gazetteer([...words, '--pages-give-tokens']);
    assert.equal(code, 2);
    assert.match(stderr, /pages\.giveTokens .* Set pages\.giveTokens to false, or auth\.ownKey/);
  });
});
