/** The digests of base images: they come from a registry, which first asks for a token. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { serveOnLoopback } from '../loopback.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';

const DIGEST = `sha256:${'ab'.repeat(32)}`;

it('each base image gets its current digest, also in place of an older one', async (context) => {
  const asked: (string | undefined)[] = [];
  const registry = createServer(({ url, method, headers }, response) => {
    const { origin, pathname } = new URL(url ?? '', `http://${headers.host}`);
    asked.push(`${method} ${url}`);
    if (pathname === '/token') {
      response.end(JSON.stringify({ token: 'of-anyone' }));
    } else if (headers.authorization !== 'Bearer of-anyone') {
      const challenge = `Bearer realm="${origin}/token",service="registry",scope="pull"`;
      response.writeHead(401, { 'WWW-Authenticate': challenge }).end();
    } else response.writeHead(200, { 'Docker-Content-Digest': DIGEST }).end();
  });
  const port = await serveOnLoopback(context, registry);
  const file = join(temporaryFolder(context), 'Dockerfile');
  const image = (digest: string) =>
    `FROM docker.io/library/node:24-slim${digest} AS build\nRUN true\nFROM docker.io/library/debian:slim${digest}\n` +
    `services:\n  a:\n    image: postgres:17${digest}\n  b:\n    image: postgres:17${digest}\n`;

  for (const before of ['', `@sha256:${'00'.repeat(32)}`]) {
    writeFileSync(file, image(before));
    const words = ['--registry', `http://127.0.0.1:${port}`, '--file', file];
    const script = join(ROOT, 'scripts/pin-images.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...words]);
    assert.match(stdout, /^library\/node:24-slim is sha256:abab/);
    assert.equal(readFileSync(file, 'utf8'), image(`@${DIGEST}`));
  }
  assert.ok(asked.includes('HEAD /v2/library/postgres/manifests/17'));
  assert.ok(asked.includes('GET /token?service=registry&scope=pull'));
  assert.ok(asked.includes('HEAD /v2/library/debian/manifests/slim'));
});
