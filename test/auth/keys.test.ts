/** Where an issuer's keys come from, and what happens when they change or cannot be had. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type JWK, SignJWT } from 'jose';
import { createAuthenticator } from '../../src/auth/authenticator.ts';
import { createOutgoing } from '../../src/auth/outgoing.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createClock, NO_SETTINGS } from './clock.ts';
import { startKeyServer } from './key-server.ts';
import { reasonOf, refusalOf } from './refused.ts';

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'https://gazetteer.example';
const UNKNOWN_KEY = 'It is signed with an unknown key.';

const first = generateKeyPairSync('ed25519');
const second = generateKeyPairSync('ed25519');

describe('keys at an address', () => {
  it('are fetched once for many requests, and not for a token seen before', async (context) => {
    const { server, authenticator } = await issuer(context);
    server.publish(jwk(first, 'a'));
    const tokens = await Promise.all([1, 2, 3, 4].map(() => tokenOf(first, 'a')));
    for (const reason of await Promise.all(tokens.map((one) => reasonOf(authenticator, one)))) {
      assert.equal(reason, undefined);
    }
    assert.equal(server.requests(), 1);
    assert.ok(!(authenticator.authenticate(`Bearer ${tokens[0]}`, '127.0.0.1') instanceof Promise));
  });

  it('that are new are picked up, at most every half minute', async (context) => {
    const { server, authenticator, clock } = await issuer(context);
    server.publish(jwk(first, 'a'));
    assert.equal(await reasonOf(authenticator, await tokenOf(first, 'a')), undefined);
    server.publish(jwk(second, 'b'));
    const token = await tokenOf(second, 'b');
    assert.equal(await reasonOf(authenticator, token), UNKNOWN_KEY);
    assert.equal(server.requests(), 1);
    clock.pass(30);
    assert.equal(await reasonOf(authenticator, token), undefined);
    assert.equal(await reasonOf(authenticator, await tokenOf(first, 'a')), UNKNOWN_KEY);
    assert.equal(server.requests(), 2);
  });

  it('under an old name are picked up too', async (context) => {
    const { server, authenticator, clock } = await issuer(context);
    server.publish(jwk(first, 'a'));
    assert.equal(await reasonOf(authenticator, await tokenOf(first, 'a')), undefined);
    server.publish(jwk(second, 'a'));
    clock.pass(30);
    assert.equal(await reasonOf(authenticator, await tokenOf(second, 'a')), undefined);
  });

  it('are all tried for a token that names none', async (context) => {
    const { server, authenticator } = await issuer(context);
    server.publish(jwk(first, 'a'), jwk(second, 'b'));
    assert.equal(await reasonOf(authenticator, await tokenOf(second)), undefined);
    const foreign = await tokenOf(generateKeyPairSync('ed25519'));
    assert.equal(
      await reasonOf(authenticator, foreign),
      'Its signature is not valid. Check that the issuer that this server trusts signed it.',
    );
  });

  it('are all tried for a token that names none, whose claims are then judged', async (context) => {
    const { server, authenticator, clock } = await issuer(context);
    server.publish(jwk(first, 'a'), jwk(second, 'b'));
    const token = await tokenOf(second, undefined, clock);
    clock.pass(7200);
    assert.equal(await reasonOf(authenticator, token), 'It has expired.');
  });

  it('are not fetched again for a token that is wrong in another way', async (context) => {
    const { server, authenticator, clock } = await issuer(context);
    server.publish(jwk(first, 'a'));
    const token = await tokenOf(first, 'a', clock);
    clock.pass(7200);
    assert.equal(await reasonOf(authenticator, token), 'It has expired.');
    clock.pass(60);
    assert.equal(await reasonOf(authenticator, token), 'It has expired.');
    assert.equal(server.requests(), 1);
  });

  it('are fetched again after ten minutes, and withdrawn ones are then rejected', async (context) => {
    const { server, authenticator, clock } = await issuer(context);
    server.publish(jwk(first, 'a'), jwk(second, 'b'));
    assert.equal(await reasonOf(authenticator, await tokenOf(first, 'a')), undefined);
    server.publish(jwk(second, 'b'));
    clock.pass(599);
    assert.equal(await reasonOf(authenticator, await tokenOf(first, 'a')), undefined);
    clock.pass(1);
    assert.equal(await reasonOf(authenticator, await tokenOf(first, 'a')), UNKNOWN_KEY);
  });

  it('go on while the issuer fails, which is logged', async (context) => {
    const { server, authenticator, clock, problems } = await issuer(context);
    server.publish(jwk(first, 'a'));
    assert.equal(await reasonOf(authenticator, await tokenOf(first, 'a')), undefined);
    server.answer((_, response) => response.writeHead(500).end());
    for (let i = 0; i < 5; i++) {
      clock.pass(3600);
      assert.equal(await reasonOf(authenticator, await tokenOf(first, 'a', clock)), undefined);
    }
    assert.equal(await reasonOf(authenticator, await tokenOf(second, 'b', clock)), UNKNOWN_KEY);
    assert.ok(problems.length >= 1);
    for (const problem of problems) {
      assert.equal(problem, `Cannot fetch keys. ${server.url}: the answer has status 500`);
    }
    server.publish(jwk(second, 'b'));
    clock.pass(30);
    assert.equal(await reasonOf(authenticator, await tokenOf(second, 'b', clock)), undefined);
  });

  it('are waited for only once when the issuer hangs', async (context) => {
    const { server, authenticator, clock, problems } = await issuer(context);
    server.publish(jwk(first, 'a'));
    assert.equal(await reasonOf(authenticator, await tokenOf(first, 'a')), undefined);
    server.answer((_, response) => response.writeHead(500).end());
    clock.pass(600);
    assert.equal(await reasonOf(authenticator, await tokenOf(first, 'a')), undefined);
    const asked = new Promise<void>((resolve) => server.answer(() => resolve()));
    clock.pass(30);
    assert.equal(await reasonOf(authenticator, await tokenOf(first, 'a')), undefined);
    await asked;
    assert.equal(problems.length, 1);
  });

  it('are asked for again at once on reload', async (context) => {
    const { server, authenticator } = await issuer(context);
    server.publish(jwk(first, 'a'));
    const token = await tokenOf(first, 'a');
    assert.equal(await reasonOf(authenticator, token), undefined);
    server.publish(jwk(second, 'b'));
    authenticator.reload();
    assert.equal(await reasonOf(authenticator, await tokenOf(second, 'b')), undefined);
    assert.equal(await reasonOf(authenticator, token), UNKNOWN_KEY);
  });

  it('that are withdrawn are rejected after a reload', async (context) => {
    const { server, authenticator } = await issuer(context);
    server.publish(jwk(first, 'a'));
    const token = await tokenOf(first, 'a');
    assert.equal(await reasonOf(authenticator, token), undefined);
    const answered = Promise.withResolvers<void>();
    server.answer(async (_, response) => {
      await answered.promise;
      response.end(JSON.stringify({ keys: [jwk(second, 'b')] }));
    });
    const reloaded = authenticator.reload();
    // The issuer has not answered yet: the known keys go on, and nothing is remembered of it.
    assert.equal(await reasonOf(authenticator, token), undefined);
    answered.resolve();
    await reloaded;
    assert.equal(await reasonOf(authenticator, token), UNKNOWN_KEY);
  });

  it('are fetched again on reload, even if a fetch has begun', async (context) => {
    const { server, authenticator } = await issuer(context);
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    server.answer(async (_, response) => {
      asked.resolve();
      await answered.promise;
      response.end(JSON.stringify({ keys: [jwk(first, 'a')] }));
    });
    const token = await tokenOf(first, 'a');
    const checked = reasonOf(authenticator, token);
    await asked.promise;
    server.publish(jwk(second, 'b'));
    const reloaded = authenticator.reload();
    answered.resolve();
    assert.equal(await checked, undefined);
    await reloaded;
    assert.equal(server.requests(), 2);
    assert.equal(await reasonOf(authenticator, token), UNKNOWN_KEY);
  });

  const failures: readonly (readonly [
    what: string,
    answer: Parameters<Awaited<ReturnType<typeof startKeyServer>>['answer']>[0],
    problem: RegExp,
  ])[] = [
    [
      'redirect',
      (request, response) => {
        if (request.url === '/keys') response.writeHead(302, { Location: '/elsewhere' }).end();
        else response.end(JSON.stringify({ keys: [jwk(first, 'a')] }));
      },
      /the answer is a redirect, and the server does not follow redirects$/,
    ],
    [
      'are too long',
      (_, response) => {
        const keys = [jwk(first, 'a')];
        response.end(JSON.stringify({ keys, more: 'x'.repeat(1024 ** 2) }));
      },
      /the answer is longer than 1 MiB$/,
    ],
    ['are not there', (_, response) => response.writeHead(404).end(), /the answer has status 404$/],
    ['are no JSON', (_, response) => response.end('<html>'), / is not a JWK set\.$/],
    ['are none', (_, response) => response.end('{"keys":[]}'), /none of its 0 keys can be used/],
    ['break off', (_, response) => response.destroy(), /: (other side closed|socket hang up)/],
    [
      'are more than fifty',
      (_, response) => {
        const keys = Array.from({ length: 51 }, (_, i) => jwk(first, String(i)));
        response.end(JSON.stringify({ keys }));
      },
      /has more than 50 keys\.$/,
    ],
  ];
  for (const [what, answer, problem] of failures) {
    it(`that ${what} make no token valid, and the client may try again`, async (context) => {
      const { server, authenticator, clock, problems } = await issuer(context);
      server.answer(answer);
      const header = `Bearer ${await tokenOf(first, 'a')}`;
      for (let i = 0; i < 3; i++) {
        assert.deepEqual(await refusalOf(authenticator, header), {
          kind: 'unavailable',
          diagnostics:
            'The server cannot check tokens now, because their issuer does not answer. Try again.',
          headers: { 'retry-after': '5' },
        });
      }
      assert.equal(server.requests(), 1);
      assert.match(problems.join('\n'), problem);
      server.publish(jwk(first, 'a'));
      clock.pass(5);
      assert.equal(await refusalOf(authenticator, header), undefined);
    });
  }
});

describe('a request to the issuer', () => {
  it('is given up when there is no answer in time', async (context) => {
    const server = await startKeyServer(context);
    server.answer(() => {});
    await assert.rejects(createOutgoing(fetch, 50)(server.url), /: no answer in time$/);
    server.answer((_, response) => void response.write('{'));
    await assert.rejects(createOutgoing(fetch, 50)(server.url), /: no answer in time$/);
  });
});

describe('keys in a file', () => {
  it('are read again when it has changed, and known ones go on while it is broken', async (context) => {
    const file = temporaryFile(context);
    writeFileSync(file, JSON.stringify({ keys: [jwk(first, 'a')] }));
    const { authenticator, clock, problems } = authenticatorOf({ jwksFile: file });
    assert.equal(await reasonOf(authenticator, await tokenOf(first, 'a')), undefined);
    writeFileSync(file, '{');
    clock.pass(1);
    assert.equal(await reasonOf(authenticator, await tokenOf(first, 'a')), undefined);
    clock.pass(1);
    assert.equal(await reasonOf(authenticator, await tokenOf(first, 'a')), undefined);
    assert.deepEqual(problems, [
      `${file} is not a JWK set. The server keeps the keys that it has.`,
    ]);
    writeFileSync(`${file}.new`, JSON.stringify({ keys: [jwk(second, 'b')] }));
    renameSync(`${file}.new`, file);
    assert.equal(await reasonOf(authenticator, await tokenOf(second, 'b')), undefined);
    assert.equal(await reasonOf(authenticator, await tokenOf(first, 'a')), UNKNOWN_KEY);
    rmSync(file);
    clock.pass(1);
    assert.equal(await reasonOf(authenticator, await tokenOf(second, 'b')), undefined);
    assert.match(
      problems[1] ?? '',
      /^Cannot read .*it does not exist.* The server keeps the keys that it has\.$/,
    );
  });

  it('withdrawn from it are rejected after a reload', async (context) => {
    const file = temporaryFile(context);
    writeFileSync(file, JSON.stringify({ keys: [jwk(first, 'a')] }));
    const { authenticator } = authenticatorOf({ jwksFile: file });
    const token = await tokenOf(first, 'a');
    assert.equal(await reasonOf(authenticator, token), undefined);
    writeFileSync(file, JSON.stringify({ keys: [jwk(second, 'another')] }));
    assert.equal(await reasonOf(authenticator, token), undefined);
    authenticator.reload();
    assert.equal(await reasonOf(authenticator, token), UNKNOWN_KEY);
  });

  it('withdrawn while a token is checked against them let it in this once', async (context) => {
    const file = temporaryFile(context);
    writeFileSync(file, JSON.stringify({ keys: [jwk(first, 'a')] }));
    const { authenticator } = authenticatorOf({ jwksFile: file });
    const token = await tokenOf(first, 'a');
    const checking = reasonOf(authenticator, token);
    writeFileSync(file, JSON.stringify({ keys: [jwk(second, 'another')] }));
    const reloaded = authenticator.reload();
    // Nor does it wait for the check that is on its way.
    assert.equal(await reasonOf(authenticator, token), UNKNOWN_KEY);
    assert.equal(await checking, undefined);
    await reloaded;
    assert.equal(await reasonOf(authenticator, token), UNKNOWN_KEY);
  });

  it('that cannot be used stop the start', (context) => {
    const file = temporaryFile(context);
    assert.throws(() => authenticatorOf({ jwksFile: file }), {
      name: 'AuthError',
      message: /^Cannot read .*it does not exist/,
    });
    writeFileSync(file, JSON.stringify(jwk(first, 'a')));
    assert.throws(() => authenticatorOf({ jwksFile: file }), {
      name: 'AuthError',
      message: `${file} is not a JWK set.`,
    });
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
    writeFileSync(file, JSON.stringify({ keys: [jwk(weak, 'weak')] }));
    assert.throws(() => authenticatorOf({ jwksFile: file }), {
      name: 'AuthError',
      message: /none of its 1 keys can be used\. Use RSA of at least 2048 bits/,
    });
  });
});

async function issuer(context: TestContext) {
  const server = await startKeyServer(context);
  return { server, ...authenticatorOf({ jwksUrl: server.url }) };
}

function authenticatorOf(settings: { jwksUrl?: string; jwksFile?: string }) {
  const clock = createClock();
  const problems: string[] = [];
  const authenticator = createAuthenticator(
    { ...NO_SETTINGS, ...settings, issuer: ISSUER },
    {
      audienceDefault: AUDIENCE,
      now: clock.now,
      onProblem: (problem) => problems.push(problem),
    },
  );
  return { authenticator, clock, problems };
}

function temporaryFile(context: TestContext): string {
  const folder = temporaryFolder(context);
  return join(folder, 'keys.json');
}

function jwk({ publicKey }: { publicKey: KeyObject }, kid: string): JWK {
  return { ...(publicKey.export({ format: 'jwk' }) as JWK), kid };
}

let made = 0;

/** Each one is another, so that it is not known from before. */
function tokenOf(pair: { privateKey: KeyObject }, kid?: string, { now } = createClock()) {
  made += 1;
  return new SignJWT({ scope: 'system/*.*' })
    .setProtectedHeader({ alg: 'EdDSA', ...(kid !== undefined && { kid }) })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject('clinic')
    .setJti(String(made))
    .setExpirationTime(Math.floor(now() / 1000) + 3600)
    .sign(pair.privateKey);
}
