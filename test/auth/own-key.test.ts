/** The installation's own key: made once, for its user only, and counting where it should. */
import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createAuthenticator } from '../../src/auth/authenticator.ts';
import { openOwnKey, publicKeyOf, signToken } from '../../src/auth/own-key.ts';
import type { AuthSettings } from '../../src/auth/settings.ts';
import { writeKeyFile } from '../../src/storage/files/key-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createClock, NO_SETTINGS } from './clock.ts';
import { startKeyServer } from './key-server.ts';
import { reasonOf, refusalOf } from './refused.ts';

describe('the own key', () => {
  it('is made once, in a file that only its user can read', (context) => {
    const file = temporaryFile(context);
    const key = openOwnKey(file, writeKeyFile);
    assert.deepEqual(openOwnKey(file, writeKeyFile), key);
    assert.deepEqual(readdirSync(dirname(file)), ['key.json']);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.notEqual(openOwnKey(temporaryFile(context), writeKeyFile).issuer, key.issuer);
    assert.deepEqual(Object.keys(publicKeyOf(key).publicKey).sort(), ['crv', 'kty', 'x']);
  });

  it('is one for all that open it at the same time', async (context) => {
    const file = temporaryFile(context);
    const modules = ['auth/own-key.ts', 'storage/files/key-file.ts'].map(
      (path) => new URL(`../../src/${path}`, import.meta.url).href,
    );
    const code = `
      const { parentPort, workerData } = require('node:worker_threads');
      const load = workerData.modules.map((module) => import(module));
      Promise.all(load).then(([{ openOwnKey }, { writeKeyFile }]) => {
        Atomics.add(workerData.ready, 0, 1);
        while (Atomics.load(workerData.ready, 0) < workerData.count);
        parentPort.postMessage(openOwnKey(workerData.file, writeKeyFile).issuer);
      });`;
    const count = 4;
    const ready = new Int32Array(new SharedArrayBuffer(4));
    const issuers = await Promise.all(
      Array.from({ length: count }, () => {
        const worker = new Worker(code, {
          eval: true,
          workerData: { file, modules, ready, count },
        });
        return new Promise((resolve, reject) => {
          worker.once('message', resolve);
          worker.once('error', reject);
        });
      }),
    );
    assert.equal(new Set(issuers).size, 1);
    assert.deepEqual(readdirSync(dirname(file)), ['key.json']);
  });

  it('is refused if other users may read it, or if it is damaged', (context) => {
    const file = temporaryFile(context);
    openOwnKey(file, writeKeyFile);
    chmodSync(file, 0o640);
    assert.throws(() => openOwnKey(file, writeKeyFile), {
      name: 'AuthError',
      message: /^\S+key\.json: other users can read this key\. .*chmod 600/,
    });
    chmodSync(file, 0o600);
    const whole = readFileSync(file, 'utf8');
    const { installation, key } = JSON.parse(whole);
    for (const text of [
      '',
      '{}',
      'null',
      whole.slice(0, 50),
      JSON.stringify({ installation: 'x', key }),
      JSON.stringify({ installation, key: { ...key, d: undefined } }),
      JSON.stringify({ installation, key: { kty: 'oct', k: 'AAAA' } }),
    ]) {
      writeFileSync(file, text);
      assert.throws(
        () => openOwnKey(file, writeKeyFile),
        { name: 'AuthError', message: /does not contain a key/ },
        text,
      );
    }
  });

  it('signs tokens that are valid only at this installation, for every address', async (context) => {
    const key = openOwnKey(temporaryFile(context), writeKeyFile);
    const { authenticator, clock } = authenticatorWith(key);
    const token = await signToken(key, { ...REQUEST, now: clock.now });
    assert.deepEqual(await authenticator.authenticate(`Bearer ${token}`, '127.0.0.1'), {
      identity: { subject: 'operator', client: 'demo' },
      scopes: [
        { type: 'OrderResponse', action: '*' },
        { type: 'Organization', action: 'read' },
      ],
    });
    const other = authenticatorWith(openOwnKey(temporaryFile(context), writeKeyFile));
    assert.equal(
      await reasonOf(other.authenticator, token),
      'Its signature is not valid. Check that the issuer that this server trusts signed it.',
    );
  });

  it('signs tokens that end at their time, known or not, whatever the clock of an issuer may differ', async (context) => {
    const key = openOwnKey(temporaryFile(context), writeKeyFile);
    const { authenticator, clock } = authenticatorWith(key);
    const unknown = authenticatorWith(key);
    const token = await signToken(key, { ...REQUEST, expiresInSeconds: 40, now: clock.now });
    assert.equal(await reasonOf(authenticator, token), undefined);
    clock.pass(39);
    assert.ok(!(authenticator.authenticate(`Bearer ${token}`, '127.0.0.1') instanceof Promise));
    clock.pass(1);
    assert.equal(await reasonOf(authenticator, token), 'It has expired.');
    unknown.clock.pass(40);
    assert.equal(await reasonOf(unknown.authenticator, token), 'It has expired.');
  });

  it('has its tokens checked again after a minute', async (context) => {
    const key = openOwnKey(temporaryFile(context), writeKeyFile);
    const { authenticator, clock } = authenticatorWith(key);
    const token = await signToken(key, { ...REQUEST, now: clock.now });
    await authenticator.authenticate(`Bearer ${token}`, '127.0.0.1');
    clock.pass(59.9);
    assert.ok(!(authenticator.authenticate(`Bearer ${token}`, '127.0.0.1') instanceof Promise));
    clock.pass(0.1);
    const again = authenticator.authenticate(`Bearer ${token}`, '127.0.0.1');
    assert.ok(again instanceof Promise);
    await again;
    authenticator.reload();
    assert.ok(authenticator.authenticate(`Bearer ${token}`, '127.0.0.1') instanceof Promise);
  });

  it('is not used with an issuer, unless a setting enables it', async (context) => {
    const key = openOwnKey(temporaryFile(context), writeKeyFile);
    const server = await startKeyServer(context);
    server.publish({ ...key.publicKey });
    const secretFile = temporaryFile(context);
    writeFileSync(secretFile, 'secret\n');
    const named: readonly Partial<AuthSettings>[] = [
      { issuer: 'https://issuer.example', jwksUrl: server.url },
      {
        introspectionUrl: `${server.url}?active`,
        introspectionClient: 'gazetteer',
        introspectionSecretFile: secretFile,
      },
    ];
    for (const settings of named) {
      const closed = authenticatorWith(key, settings);
      const token = await signToken(key, { ...REQUEST, now: closed.clock.now });
      const refusal = await refusalOf(closed.authenticator, `Bearer ${token}`);
      // Introspection is asked, and this server does not answer it.
      const kind = settings.jwksUrl === undefined ? 'unavailable' : 'unauthorized';
      assert.equal(refusal?.kind, kind);
      const open = authenticatorWith(key, { ...settings, ownKey: true });
      assert.equal(await reasonOf(open.authenticator, token), undefined);
    }
  });
});

const REQUEST = {
  scopes: ['system/OrderResponse.*', 'user/Organization.read'],
  expiresInSeconds: 3600,
  subject: 'operator',
  client: 'demo',
};

function authenticatorWith(
  key: ReturnType<typeof openOwnKey>,
  settings: Partial<AuthSettings> = {},
) {
  const clock = createClock();
  const authenticator = createAuthenticator(
    { ...NO_SETTINGS, ...settings },
    {
      audienceDefault: 'https://gazetteer.example',
      ownKey: publicKeyOf(key),
      now: clock.now,
      onProblem: () => {},
    },
  );
  return { authenticator, clock };
}

function temporaryFile(context: TestContext): string {
  const folder = temporaryFolder(context);
  return join(folder, 'key.json');
}
