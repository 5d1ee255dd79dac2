/** Opaque tokens: what their issuer says about them, and what happens while it says nothing. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { createAuthenticator } from '../../src/auth/authenticator.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createClock, NO_SETTINGS } from './clock.ts';
import { type KeyServer, startKeyServer } from './key-server.ts';
import { reasonOf, refusalOf } from './refused.ts';

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'https://gazetteer.example';
const JSON_TYPE = 'application/json';
const NOT_ACTIVE = 'Its issuer reports that it is not active.';
const NOT_TRUSTED = 'Its issuer (iss) is not the one that this server trusts.';
const nowSeconds = Math.floor(createClock().now() / 1000);

const ACTIVE = { active: true, sub: 'clinic', scope: 'system/OrderResponse.write' };

describe('an opaque token', () => {
  it('is asked about with our credentials, once for many requests', async (context) => {
    const { server, authenticator } = await setUp(context);
    const asked: { authorization?: string | undefined; body: string }[] = [];
    server.answer(async (request, response) => {
      const { authorization } = request.headers;
      asked.push({ authorization, body: await text(request) });
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(ACTIVE));
    });
    const expected = {
      identity: { subject: 'clinic' },
      scopes: [{ type: 'OrderResponse', action: 'write' }],
    };
    const answers = await Promise.all([
      authenticator.authenticate('Bearer opaque~1', '127.0.0.1'),
      authenticator.authenticate('Bearer opaque~1', '127.0.0.1'),
    ]);
    assert.deepEqual(answers, [expected, expected]);
    const credentials = Buffer.from('gazetteer:s%3Aecret').toString('base64');
    assert.deepEqual(asked, [
      {
        authorization: `Basic ${credentials}`,
        body: 'token_type_hint=access_token&token=opaque%7E1',
      },
    ]);
  });

  it('is asked about again after half a minute, or when it ends', async (context) => {
    const { server, authenticator, clock, say } = await setUp(context);
    say(ACTIVE);
    assert.equal(await reasonOf(authenticator, 'a'), undefined);
    clock.pass(29);
    assert.equal(await reasonOf(authenticator, 'a'), undefined);
    assert.equal(server.requests(), 1);
    clock.pass(1);
    say({ active: false });
    assert.equal(await reasonOf(authenticator, 'a'), NOT_ACTIVE);
    assert.equal(server.requests(), 2);
    say({ ...ACTIVE, exp: Math.floor(clock.now() / 1000) + 5 });
    assert.equal(await reasonOf(authenticator, 'b'), undefined);
    clock.pass(4);
    say({ active: false });
    assert.equal(await reasonOf(authenticator, 'b'), undefined);
    clock.pass(1);
    assert.equal(await reasonOf(authenticator, 'b'), NOT_ACTIVE);
  });

  it('that is not active is remembered for a while', async (context) => {
    const { server, authenticator, clock, say } = await setUp(context);
    say({ active: false });
    for (let i = 0; i < 3; i++) assert.equal(await reasonOf(authenticator, 'a'), NOT_ACTIVE);
    assert.equal(server.requests(), 1);
    clock.pass(30);
    assert.equal(await reasonOf(authenticator, 'a'), NOT_ACTIVE);
    assert.equal(server.requests(), 2);
  });

  const cases: readonly (readonly [what: string, changes: object, reason?: string])[] = [
    ['of our issuer and for us', { iss: ISSUER, aud: AUDIENCE }],
    ['for several services', { aud: ['https://other.example', AUDIENCE] }],
    ['named a bearer token', { token_type: 'bearer' }],
    ['of a client alone', { sub: undefined, client_id: 'ordering' }],
    ['valid within the skew', { nbf: nowSeconds + 30 }],
    ['expired within the skew', { exp: nowSeconds - 29 }],
    ['issued at no time', { iat: 'today' }, 'Its iat is not a time in seconds since 1970.'],
    ['of another issuer', { iss: 'https://other.example' }, NOT_TRUSTED],
    [
      'for another service',
      { aud: 'https://other.example' },
      'Its audience (aud) is another service.',
    ],
    ['for nobody', { aud: [] }, 'It has no audience (aud).'],
    ['expired', { exp: nowSeconds - 30 }, 'It has expired.'],
    ['ending in words', { exp: 'never' }, 'It has expired.'],
    ['that begins later', { nbf: nowSeconds + 31 }, 'It is not valid yet.'],
    ['of another type', { token_type: 'DPoP' }, 'Its type (token_type) is not Bearer.'],
    ['of nobody', { sub: undefined }, 'It names neither a subject nor a client.'],
    [
      'bound to a certificate',
      { cnf: { 'x5t#S256': 'x' } },
      'It is bound to a key of its sender, which this server cannot check.',
    ],
  ];
  for (const [what, changes, reason] of cases) {
    it(`${what} ${reason === undefined ? 'counts' : 'is refused'}`, async (context) => {
      const { authenticator, say } = await setUp(context);
      say({ ...ACTIVE, ...changes });
      assert.equal(await reasonOf(authenticator, 'opaque'), reason);
    });
  }

  const failures: readonly (readonly [
    what: string,
    answer: Parameters<Awaited<ReturnType<typeof startKeyServer>>['answer']>[0],
  ])[] = [
    ['fails', (_, response) => response.writeHead(500).end()],
    [
      'does not know us',
      (_, response) => response.writeHead(401).end('{"error":"invalid_client"}'),
    ],
    ['redirects', (_, response) => response.writeHead(307, { Location: '/other' }).end()],
    ['breaks off', (_, response) => response.destroy()],
    ['speaks in riddles', (_, response) => response.end('<html>')],
    ['does not say', (_, response) => response.setHeader('Content-Type', JSON_TYPE).end('{}')],
    [
      'says so in words',
      (_, response) => response.setHeader('Content-Type', JSON_TYPE).end('{"active":"true"}'),
    ],
    [
      'says too much',
      (_, response) =>
        response
          .setHeader('Content-Type', JSON_TYPE)
          .end(JSON.stringify({ ...ACTIVE, more: 'x'.repeat(1024 ** 2) })),
    ],
  ];
  for (const [what, answer] of failures) {
    it(`refuses unknown tokens while the issuer ${what}, and accepts known ones for a while`, async (context) => {
      const { server, authenticator, clock, say, problems } = await setUp(context);
      say(ACTIVE);
      assert.equal(await reasonOf(authenticator, 'known'), undefined);
      server.answer(answer);
      for (const token of ['a-token-unseen', 'another-token']) {
        assert.deepEqual(await refusalOf(authenticator, `Bearer ${token}`), {
          kind: 'unavailable',
          diagnostics:
            'The server cannot check tokens now, because their issuer does not answer. Try again.',
          headers: { 'retry-after': '5' },
        });
      }
      assert.equal(await reasonOf(authenticator, 'known'), undefined);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', /^Cannot check tokens\. [^\n]+$/);
      assert.ok(!problems[0]?.includes('token-unseen'));
      clock.pass(30);
      assert.equal((await refusalOf(authenticator, 'Bearer known'))?.kind, 'unavailable');
      assert.equal(problems.length, 2);
      assert.equal(problems[1]?.split(server.url).length, 2);
      say(ACTIVE);
      assert.equal(await reasonOf(authenticator, 'known'), undefined);
    });
  }

  it('is not asked about while 64 others wait', async (context) => {
    const { server, authenticator, problems } = await setUp(context);
    const held = holdQuestions(server, 64);
    const asked = Array.from({ length: 64 }, (_, i) =>
      refusalOf(authenticator, `Bearer token${i}`, `10.0.0.${i}`),
    );
    await held.arrived;
    assert.equal((await refusalOf(authenticator, 'Bearer more', '10.0.0.1'))?.kind, 'unavailable');
    assert.match(problems[0] ?? '', /more than 64 requests wait for an answer/);
    held.answerWith(ACTIVE);
    for (const refusal of await Promise.all(asked)) assert.equal(refusal, undefined);
  });

  it('counts while another address has all of its share of questions waiting', async (context) => {
    const { server, authenticator, problems } = await setUp(context);
    const held = holdQuestions(server, 33);
    const bad = Array.from({ length: 40 }, (_, i) =>
      refusalOf(authenticator, `Bearer made-up-${i}`, '10.0.0.1'),
    );
    const good = refusalOf(authenticator, 'Bearer good', '10.0.0.2');
    await held.arrived;
    for (const refused of await Promise.all(bad.slice(32))) {
      assert.equal(refused?.kind, 'throttled');
      assert.equal(refused?.headers['retry-after'], '5');
    }
    held.answerWith(ACTIVE);
    assert.equal(await good, undefined);
    assert.deepEqual(await Promise.all(bad.slice(0, 32)), Array(32).fill(undefined));
    assert.deepEqual(problems, []);
    const next = Array.from({ length: 32 }, (_, i) =>
      refusalOf(authenticator, `Bearer next-${i}`, '10.0.0.1'),
    );
    assert.deepEqual(await Promise.all(next), Array(32).fill(undefined));
  });

  it('may look like a JWT where only introspection is set up', async (context) => {
    const { authenticator, say } = await setUp(context);
    say(ACTIVE);
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    assert.equal(await reasonOf(authenticator, `${header}.e30.`), undefined);
  });

  it('needs a secret, which is read again on reload', async (context) => {
    const { server, authenticator, secretFile, problems } = await setUp(context);
    const seen: string[] = [];
    server.answer((request, response) => {
      seen.push(Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64').toString());
      response.setHeader('Content-Type', JSON_TYPE).end(JSON.stringify(ACTIVE));
    });
    writeFileSync(secretFile, 'new');
    assert.equal(await reasonOf(authenticator, 'a'), undefined);
    authenticator.reload();
    assert.equal(await reasonOf(authenticator, 'a'), undefined);
    writeFileSync(secretFile, '\n');
    authenticator.reload();
    assert.equal(await reasonOf(authenticator, 'a'), undefined);
    assert.deepEqual(seen, ['gazetteer:s%3Aecret', 'gazetteer:new', 'gazetteer:new']);
    assert.match(problems.join('\n'), /is empty\. .* The server keeps the secret that it has\.$/);
    assert.throws(() => authenticatorFor(server.url, secretFile), {
      name: 'AuthError',
      message: /is empty. Write the client's secret to it/,
    });
  });
});

/** The issuer says nothing until the test does: `arrived` when so many questions are there. */
function holdQuestions(server: KeyServer, count: number) {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answerWith } = Promise.withResolvers<object>();
  let questions = 0;
  server.answer(async (_, response) => {
    questions += 1;
    if (questions === count) resolve();
    response.setHeader('Content-Type', JSON_TYPE).end(JSON.stringify(await answered));
  });
  return { arrived, answerWith };
}

async function setUp(context: TestContext) {
  const server = await startKeyServer(context);
  const folder = temporaryFolder(context);
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, 's:ecret\n');
  const say = (answer: object) =>
    server.answer((_, response) => {
      response.setHeader('Content-Type', JSON_TYPE).end(JSON.stringify(answer));
    });
  return { server, secretFile, say, ...authenticatorFor(server.url, secretFile) };
}

function authenticatorFor(url: string, secretFile: string) {
  const clock = createClock();
  const problems: string[] = [];
  const authenticator = createAuthenticator(
    {
      ...NO_SETTINGS,
      issuer: ISSUER,
      introspectionUrl: url,
      introspectionClient: 'gazetteer',
      introspectionSecretFile: secretFile,
    },
    { audienceDefault: AUDIENCE, now: clock.now, onProblem: (problem) => problems.push(problem) },
  );
  return { authenticator, clock, problems };
}
