/** Order responses that cannot be stored: the answers to clients and probes, and the parts that continue. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { runInProcess } from '../cli/run-in-process.ts';
import { importedSample } from '../imported-sample.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { serve } from './program.ts';
import { tokenFor } from './token.ts';

it('order responses are not ready while they cannot be stored, and the directory stays so', async (context) => {
  const data = await importedSample(context);
  const server = await serve(context, ['--data', data, '--threads', '1']);
  const token = await tokenFor(data);
  const read = () =>
    fetch(`${server.origin}/OrderResponse/a`, { headers: { authorization: `Bearer ${token}` } });
  const probe = async (path: string) => {
    const answer = await fetch(server.operation + path);
    return `${answer.status} ${await answer.text()}`;
  };
  assert.equal((await read()).status, 404);
  assert.equal(await probe('/readyz/orders'), '200 ok\n');

  const other = new DatabaseSync(join(data, 'orders.db'));
  context.after(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  const refused = await read();
  assert.equal(refused.status, 503);
  assert.match(await refused.text(), /have locked the order responses\. Try again/);
  assert.match(
    await probe('/readyz/orders'),
    /^503 .*orders\.db: another process is writing to it/,
  );
  assert.match(await probe('/readyz'), /^200 ok\norders: .*another process is writing to it/);
  assert.equal(await probe('/readyz/directory'), '200 ok\n');
  assert.equal((await fetch(`${server.origin}/STU3/Organization/RTG`)).status, 200);
  const metrics = await (await fetch(`${server.operation}/metrics`)).text();
  assert.match(metrics, /^gazetteer_order_wal_bytes [1-9]\d*$/m);

  other.exec('ROLLBACK');
  await server.logged(/^order responses can be stored again$/);
  assert.equal(await probe('/readyz/orders'), '200 ok\n');
  assert.equal(await server.stop(), 0);
  const heads = server.log.filter(({ msg }) => msg === 'audit head').map(({ head }) => head);
  assert.equal(heads.length, 2);
  const verified = await runInProcess(['verify', '--data', data, '--head', String(heads[1])]);
  assert.equal(verified.code, 0, verified.stderr);
  assert.ok(verified.stdout.includes(`audit head ${heads[1]}\n`));
});

it('order responses that a thread cannot read are a line of the log, with the reason', async (context) => {
  const data = temporaryFolder(context);
  const server = await serve(context, ['--data', data, '--threads', '1']);
  const token = await tokenFor(data);
  const get = (path: string) =>
    fetch(`${server.origin}/OrderResponse${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
  assert.equal((await get('/_history')).status, 200);
  for (const file of ['orders.db', 'orders.db-wal']) {
    writeFileSync(join(data, file), 'not a database '.repeat(100_000));
  }
  assert.equal((await get('?_count=1')).status, 503);
  const { problem } = await server.logged(/^order responses cannot be read$/);
  assert.match(String(problem), /orders\.db: the database is damaged/);
});

it('a service that is switched off has no probe', async (context) => {
  const words = ['--data', temporaryFolder(context), '--threads', '1', '--orders-enabled=false'];
  const { operation } = await serve(context, words);
  assert.equal((await fetch(`${operation}/readyz/orders`)).status, 404);
  assert.equal((await fetch(`${operation}/readyz`)).status, 503);
});
