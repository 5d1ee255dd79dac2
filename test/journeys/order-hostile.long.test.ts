/** Order responses sent by those who mean no good, or know no better: nothing is stored, and the server lives. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';
import { BODIES, JSON_TYPE, RESPONSE, XML_TYPE } from './hostile-bodies.ts';
import { gazetteer, type Server, serve } from './program.ts';
import { tokenFor } from './token.ts';

const EXAMPLE = readFileSync(join(ROOT, 'sample/order-response.xml'), 'utf8');
const HALF = EXAMPLE.slice(0, EXAMPLE.length / 2);
const REST = EXAMPLE.slice(EXAMPLE.length / 2);

const CHUNKED = 'Transfer-Encoding: chunked';
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** A server of a busy machine may take long to read what has arrived. */
const PATIENT = ['--limits-headers-seconds', '3600', '--limits-request-seconds', '3600'];

/** More than a few hundred MiB for bodies of 1 MiB would be a leak, or a way to bring it down. */
const GROWTH_BYTES_MAX = 400 * 1024 ** 2;

interface Target {
  readonly server: Server;
  readonly folder: string;
  readonly token: string;
  /** Answers status and text. */
  send(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; text: string }>;
  /** What comes back for these bytes: all until the connection ends, or the first whole answer. */
  raw(...parts: readonly string[]): Promise<string>;
  /** The paths of versions whose writing was acknowledged. */
  readonly written: Set<string>;
  /** An open connection that has sent this. */
  open(text: string): Promise<Socket>;
}

async function started(context: TestContext, words = PATIENT): Promise<Target> {
  const folder = temporaryFolder(context);
  const server = await serve(context, ['--data', folder, '--threads', '2', ...words]);
  const token = await tokenFor(folder, '--scope', 'system/OrderResponse.*');
  const written = new Set<string>();
  const open = async (text: string) => {
    const socket = connect(server.port, '127.0.0.1');
    context.after(() => socket.destroy());
    socket.on('error', () => {
      // What is cut off is seen by what has come.
    });
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  const note = (contentLocation: string | undefined) => {
    if (contentLocation !== undefined) written.add(new URL(contentLocation).pathname);
  };
  return {
    server,
    folder,
    token,
    send: async (method, path, body, headers = {}) => {
      const answer = await fetch(server.origin + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': JSON_TYPE, ...headers },
        ...(body !== undefined && { body }),
      });
      const { status, headers: answered } = answer;
      if (method !== 'GET') note(answered.get('content-location') ?? undefined);
      return { status, headers: answered, text: await answer.text() };
    },
    written,
    open,
    raw: async (...parts) => {
      const socket = await open('');
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      for (const part of parts) if (socket.writable) socket.write(part);
      while (!socket.closed && !isWhole(received)) {
        await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      }
      socket.destroy();
      if (parts[0]?.startsWith('POST')) note(/^Content-Location: (.*)\r$/im.exec(received)?.[1]);
      return received;
    },
  };
}

function isWhole(text: string): boolean {
  const final = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const [head = '', body] = final.split('\r\n\r\n');
  const length = Number(/\r\nContent-Length: (\d+)/i.exec(head)?.[1] ?? 0);
  return body !== undefined && Buffer.byteLength(body) >= length;
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

/** What was acknowledged is stored, and nothing else; the audit log is whole. */
async function requireStored({ folder, written }: Target): Promise<void> {
  const { code, stdout, stderr } = await gazetteer(['orders', 'export', '--data', folder]);
  assert.equal(code, 0, stderr);
  const stored = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .map(({ id, meta }) => `/OrderResponse/${id}/_history/${meta.versionId}`);
  assert.deepEqual(stored.toSorted(), [...written].toSorted());
  const verified = await runInProcess(['verify', '--data', folder]);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
}

/** It answers as ever. */
async function requireAlive({ server, send }: Target): Promise<void> {
  const created = await send('POST', '/OrderResponse', EXAMPLE, { 'content-type': XML_TYPE });
  assert.equal(created.status, 201, created.text);
  await requireHealthy(server);
}

/** It lives, no thread had to be replaced, and no error is logged. */
async function requireHealthy(server: Server): Promise<void> {
  const metrics = await (await fetch(`${server.operation}/metrics`)).text();
  assert.match(metrics, /^gazetteer_replaced_threads_total 0$/m);
  assert.equal((await fetch(`${server.operation}/livez`)).status, 200);
  assert.deepEqual(
    server.log.filter(({ level }) => Number(level) >= 50),
    [],
  );
}

/** 0 where the system does not say. */
function residentBytes({ process: { pid } }: Server): number {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

it('order responses withstand what is sent to harm them', async (context) => {
  const target = await started(context);
  await requireAlive(target);
  await context.test(
    'bodies of any kind are refused with an outcome, and the server continues',
    async () => {
      await sendBodies(target);
      await requireAlive(target);
    },
  );
  await context.test('ids and versions of any kind are not found', async () => {
    await askForIds(target);
    await requireAlive(target);
  });
  await context.test('headers of any kind do no harm', async () => {
    await sendHeaders(target);
    await requireAlive(target);
  });
  await context.test('a request needs a valid token with the scope', () => sendTokens(target));
  await context.test('of a hundred simultaneous conditional creates, one creates', async () => {
    await createAtOnce(target);
    await requireAlive(target);
  });
  await context.test('of fifty simultaneous updates of one version, one succeeds', async () => {
    await updateAtOnce(target);
    await requireAlive(target);
  });
  await context.test('only acknowledged versions are stored', () => requireStored(target));
});

it('bodies that are slow, cut, chunked or of another length are stored completely or not at all', async (context) => {
  const target = await started(context);
  const length = Buffer.byteLength(EXAMPLE);
  const head = (...lines: string[]) => headOfCreate(target.token, lines);

  // The connection is cut in the middle of a body, gently and not.
  for (const text of [
    head(`Content-Length: ${length}`) + HALF,
    head(`Content-Length: ${length + 1}`) + EXAMPLE,
    head(CHUNKED) + chunk(HALF),
    head(CHUNKED) + chunk(EXAMPLE),
  ]) {
    (await target.open(text)).destroy();
    (await target.open(text)).resetAndDestroy();
    (await target.open(text)).end();
  }

  const refused: readonly Refused[] = [
    ['half a body', [head(`Content-Length: ${HALF.length}`), HALF], 400],
    ['a chunk of no length', [head(CHUNKED), `xyz\r\n${EXAMPLE}\r\n0\r\n\r\n`], 400],
    ['half a body in chunks', [head(CHUNKED), chunk(HALF), '0\r\n\r\n'], 400],
    [
      'both lengths',
      [head(CHUNKED, `Content-Length: ${length}`), chunk(EXAMPLE), '0\r\n\r\n'],
      400,
    ],
    ['two lengths', [head('Content-Length: 1', `Content-Length: ${length}`), EXAMPLE], 400],
    ['no number', [head('Content-Length: many'), EXAMPLE], 400],
    ['a length below nought', [head('Content-Length: -1'), EXAMPLE], 400],
    ['no length', [head(), EXAMPLE], 400],
    ['another coding', [head('Transfer-Encoding: gzip'), EXAMPLE], 501],
    ['a length of terabytes', [head('Content-Length: 9999999999999'), HALF], 413],
    ['too many chunks', [head(CHUNKED), ...Array(18).fill(chunk('x'.repeat(65_536)))], 413],
  ];
  await requireRefused(target, refused);

  const taken: readonly (readonly string[])[] = [
    [head(`Content-Length: ${length}`), HALF, REST],
    [head(`Content-Length: ${length}`), ...EXAMPLE],
    [head(CHUNKED), chunk(HALF), chunk(REST), '0\r\n\r\n'],
    [head(CHUNKED), ...[...EXAMPLE].map(chunk), '0\r\nTrailer-Of-Mine: a\r\n\r\n'],
    [head(`Content-Length: ${length}`, 'Expect: 100-continue'), EXAMPLE],
  ];
  for (const parts of taken) {
    const answer = (await target.raw(...parts)).replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
    assert.equal(statusOf(answer), 201, answer);
  }
  await requireAlive(target);
  await requireStored(target);
});

it('bodies that do not come in time are refused, and not stored', async (context) => {
  const target = await started(context, ['--limits-request-seconds', '2']);
  const head = (...lines: string[]) => headOfCreate(target.token, lines);
  await requireRefused(target, [
    ['no body', [head(CHUNKED)], 408],
    ['half a body', [head(`Content-Length: ${Buffer.byteLength(EXAMPLE)}`), HALF], 408],
    ['a body without its end', [head(CHUNKED), chunk(EXAMPLE)], 408],
  ]);
  await requireHealthy(target.server);
  await requireStored(target);
});

type Refused = readonly [what: string, parts: readonly string[], status: number];

async function requireRefused(target: Target, cases: readonly Refused[]): Promise<void> {
  await Promise.all(
    cases.map(async ([what, parts, status]) => {
      const answer = await target.raw(...parts);
      assert.equal(statusOf(answer), status, `${what}: ${answer}`);
      assert.match(answer, /OperationOutcome/, what);
    }),
  );
}

function headOfCreate(token: string, lines: readonly string[]): string {
  return [
    'POST /OrderResponse HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${token}`,
    `Content-Type: ${XML_TYPE}`,
    ...lines,
    '',
    '',
  ].join('\r\n');
}

async function sendBodies(target: Target): Promise<void> {
  const asItIs = await target.send('POST', '/OrderResponse', `${RESPONSE}}`);
  assert.equal(asItIs.status, 422, asItIs.text);
  const before = residentBytes(target.server);
  for (const [what, type, body] of BODIES) {
    const sent = body();
    assert.ok(Buffer.byteLength(sent) <= 1024 ** 2, what);
    const answer = await target.send('POST', '/OrderResponse', sent, { 'content-type': type });
    assert.equal(answer.status, 400, `${what}: ${answer.text.slice(0, 500)}`);
    assert.match(answer.text, /OperationOutcome/, what);
    assert.ok(answer.text.length < 200_000, `${what}: ${answer.text.length}`);
    assert.doesNotMatch(answer.text, /root:|node:internal|src\//, what);
  }
  for (const bytes of [1024 ** 2 + 1, 5 * 1024 ** 2]) {
    const { status, text } = await target.send('POST', '/OrderResponse', ' '.repeat(bytes));
    assert.equal(status, 413);
    assert.match(text, /too-long/);
  }
  assert.ok(residentBytes(target.server) - before < GROWTH_BYTES_MAX);
}

async function askForIds(target: Target): Promise<void> {
  // fetch would tidy some of these up.
  const requireAbsent = async (path: string) => {
    const answer = await target.raw(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${target.token}\r\n\r\n`,
    );
    assert.equal(statusOf(answer), 404, `${path}: ${answer}`);
    assert.match(answer, /OperationOutcome/);
  };
  const segments = [
    'a%2Fb',
    '%2e%2e',
    '..%2f..%2fetc%2fpasswd',
    '%00',
    'a%00',
    '%ff%fe',
    '%zz',
    '__proto__',
    'constructor',
    "'%20OR%201=1--",
    '%22%3Cscript%3E',
    '%E2%80%AE',
    'x'.repeat(8000),
    '..',
    '.',
    '%F0%9F%A6%86',
  ];
  for (const segment of segments) {
    const paths = [
      segment,
      `${segment}/_history`,
      `${segment}/_history/1`,
      `a/_history/${segment}`,
    ];
    for (const path of paths) {
      await requireAbsent(`/OrderResponse/${path}`);
    }
  }
  for (const path of ['/OrderResponse/..', '/OrderResponse/../metadata/..', '/OrderResponse//a']) {
    await requireAbsent(path);
  }
}

async function sendHeaders(target: Target): Promise<void> {
  const created = await target.send('POST', '/OrderResponse', EXAMPLE, {
    'content-type': XML_TYPE,
  });
  const path = new URL(created.headers.get('location') ?? '').pathname;
  const authorization = `Authorization: Bearer ${target.token}`;
  const get = (...lines: string[]) =>
    target.raw(
      [`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...lines, '', ''].join('\r\n'),
    );
  const idOf = (answer: string) => /^X-Request-Id: (.*)\r$/im.exec(answer)?.[1] ?? '';

  const twice = await get(authorization, 'X-Request-Id: one', 'X-Request-Id: two');
  assert.equal(statusOf(twice), 200);
  assert.match(idOf(twice), /^[A-Za-z0-9._-]+$/);
  assert.ok(!['one', 'two', 'one, two'].includes(idOf(twice)));
  const folded = await get(authorization, 'X-Request-Id: one\r\n two');
  assert.equal(statusOf(folded), 400);
  const injected = await get(authorization, 'X-Request-Id: one\rSet-Cookie: a=b');
  assert.equal(statusOf(injected), 400);
  const noughts = await get(authorization, 'X-Request-Id: a\0b');
  assert.equal(statusOf(noughts), 400);
  assert.doesNotMatch(folded + injected + noughts, /Set-Cookie|X-Request-Id: one/i);

  const two = await get('Authorization: Bearer nobody', authorization);
  assert.equal(statusOf(two), 400, 'there can be one token only');
  assert.equal(statusOf(await get(`Authorization: Bearer ${target.token}, Bearer nobody`)), 401);
  const long = `${target.token}${'x'.repeat(8192)}`;
  const tooLong = await get(`Authorization: Bearer ${long}`);
  assert.equal(statusOf(tooLong), 401);
  assert.match(tooLong, /error="invalid_token"/);
  assert.doesNotMatch(tooLong, /xxxxxxxx/);
  assert.equal(statusOf(await get(`Authorization: Bearer ${'x'.repeat(20_000)}`)), 431);
  for (const odd of ['Bearer', 'Bearer ', `bearer\t${target.token}x`, 'Basic YTpi', 'Bearer a b']) {
    assert.equal(statusOf(await get(`Authorization: ${odd}`)), 401, odd);
  }
  for (const scheme of ['BEARER', 'bearer', 'bEaReR']) {
    assert.equal(statusOf(await get(`Authorization: ${scheme} ${target.token}`)), 200);
  }
  const odd = [
    'If-None-Match: """"',
    `If-None-Match: ${'"a",'.repeat(2000)}`,
    'If-Modified-Since: Mon, 99 Abc 0000 00:00:00 GMT',
    `Accept: ${'application/xml;q=0.1,'.repeat(500)}`,
    `Accept: ${';'.repeat(8000)}`,
    'Prefer: return=return=minimal;;;',
    'Range: bytes=0-10',
    'Upgrade: websocket\r\nConnection: upgrade',
    'Content-Length: 0',
  ];
  for (const line of odd) assert.equal(statusOf(await get(authorization, line)), 200, line);
}

async function sendTokens({ server, folder, token }: Target): Promise<void> {
  const reader = await tokenFor(folder, '--scope', 'system/OrderResponse.read');
  const writer = await tokenFor(folder, '--scope', 'user/OrderResponse.write');
  const [head = '', payload = '', signature = ''] = token.split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const other = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const changed = Buffer.from(JSON.stringify({ ...other, sub: 'root' })).toString('base64url');
  const invalid = /^Bearer realm="gazetteer", error="invalid_token"/;
  const scope = (action: string) =>
    new RegExp(
      `^Bearer realm="gazetteer", error="insufficient_scope", scope="system/OrderResponse\\.${action}"$`,
    );
  const cases: readonly (readonly [
    authorization: string,
    method: string,
    status: number,
    challenge: RegExp,
  ])[] = [
    ['', 'GET', 401, /^Bearer realm="gazetteer"$/],
    ['Basic YTpi', 'GET', 401, /^Bearer realm="gazetteer"$/],
    ['Bearer nobody', 'GET', 401, invalid],
    [`Bearer ${none}.${payload}.`, 'GET', 401, invalid],
    [`Bearer ${none}.${payload}.${signature}`, 'GET', 401, invalid],
    [`Bearer ${head}.${changed}.${signature}`, 'GET', 401, invalid],
    [`Bearer ${head}.${payload}`, 'GET', 401, invalid],
    [`Bearer ${writer}`, 'GET', 403, scope('read')],
    [`Bearer ${reader}`, 'PUT', 403, scope('write')],
    [`BEARER ${reader}`, 'GET', 404, /^$/],
    [`bearer ${token}`, 'GET', 404, /^$/],
  ];
  for (const [authorization, method, status, challenge] of cases) {
    for (const accept of [JSON_TYPE, XML_TYPE]) {
      const answer = await fetch(`${server.origin}/OrderResponse/nobody`, {
        method,
        headers: { authorization, accept },
      });
      const text = await answer.text();
      assert.equal(answer.status, status, `${authorization} ${method}: ${text}`);
      assert.match(answer.headers.get('www-authenticate') ?? '', challenge);
      assert.match(text, /OperationOutcome/);
      for (const part of authorization.split(/[ .]/).filter(({ length }) => length > 20)) {
        assert.ok(!text.includes(part), 'an answer shows no token');
      }
    }
  }
  const open = await fetch(`${server.origin}/metadata`);
  assert.equal(open.status, 200);
  assert.match(await open.text(), /<Conformance/);
}

async function createAtOnce(target: Target): Promise<void> {
  const identifier = '<identifier><system value="u:s"/><value value="once"/></identifier>';
  const body = EXAMPLE.replace('<request>', `${identifier}<request>`);
  const answers = await Promise.all(
    Array.from({ length: 100 }, () =>
      target.send('POST', '/OrderResponse', body, {
        'content-type': XML_TYPE,
        'if-none-exist': 'identifier=u:s|once',
      }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 201).length, 1);
  assert.equal(statuses.filter((status) => status === 200).length, 99);
  assert.equal(new Set(answers.map(({ headers }) => headers.get('location'))).size, 1);
}

async function updateAtOnce(target: Target): Promise<void> {
  const created = await target.send('POST', '/OrderResponse', EXAMPLE, {
    'content-type': XML_TYPE,
  });
  const path = new URL(created.headers.get('location') ?? '').pathname.replace(/\/_history.*/, '');
  const id = path.split('/').at(-1);
  const body = EXAMPLE.replace('<contained>', `<id value="${id}"/><contained>`);
  for (const version of [1, 2, 3]) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        target.send('PUT', path, body, {
          'content-type': XML_TYPE,
          'if-match': `W/"${version}"`,
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 1);
    assert.equal(statuses.filter((status) => status === 409).length, 49);
  }
  const current = await target.send('GET', path);
  assert.equal(current.headers.get('etag'), 'W/"4"');
}
