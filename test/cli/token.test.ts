/** `gazetteer token` makes a key once, and signs what was asked for. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { decodeJwt } from 'jose';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

it('signs tokens with the key of the folder, which it makes only where it may', async (context) => {
  const data = join(temporaryFolder(context), 'data');
  const refused = await runInProcess(['token', '--data', data]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /does not exist\. Name the folder of the server with --data, or/);
  assert.equal(existsSync(data), false);
  const first = await runInProcess(['token', '--data', data, '--make-folder']);
  assert.match(first.stderr, /Created the key \S+ and signed the token with it\.\n$/);
  const words = ['--scope', 'system/OrderResponse.read', '--expires', '7d', '--client', 'ward'];
  const second = await runInProcess(['token', '--data', data, ...words]);
  assert.match(second.stderr, /^Signed with the key \S+\.\n$/);
  const [one, other] = [first, second].map(({ stdout }) => decodeJwt(stdout.trim()));
  assert.deepEqual([one?.scope, one?.sub], ['system/OrderResponse.*', 'operator']);
  assert.deepEqual([other?.scope, other?.client_id], ['system/OrderResponse.read', 'ward']);
  assert.equal(Number(other?.exp) - Number(other?.iat), 7 * 86_400);
  assert.equal(other?.iss, one?.iss);
});

it('refuses a scope of a type that no interaction needs, and names the nearest one', async () => {
  const refused = await runInProcess(['token', '--scope', 'system/OrderRespones.read']);
  assert.equal(refused.code, 2);
  assert.match(
    refused.stderr,
    /Unknown type "OrderRespones" of the scope system\/OrderRespones\.read\. Did you mean "OrderResponse"\? The types are OrderResponse, /,
  );
  assert.equal(refused.stdout, '');
});
