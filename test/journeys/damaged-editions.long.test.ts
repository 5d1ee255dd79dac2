/** A damaged list of editions, as clients and operators see it: said, not used, and never a fault. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { runInProcess } from '../cli/run-in-process.ts';
import { importedSample } from '../imported-sample.ts';
import { SAMPLE, serve } from './program.ts';

const DAMAGES: readonly string[] = [
  'UPDATE publication SET edition = 1 WHERE id = 2',
  `UPDATE edition SET difference_by_role = 'x' WHERE number = 2`,
  `UPDATE edition SET published_at = '2O26-11-22T04:48:00.000Z' WHERE number = 2`,
  `UPDATE edition_difference SET codes = x'00' WHERE edition = 2`,
];
for (const sql of DAMAGES) {
  it(`after ${sql} the server continues without the row and says so`, async (context) => {
    const data = await importedSample(context);
    assert.equal(
      (await runInProcess(['import', SAMPLE, '--again', '--data', data, '--quiet'])).code,
      0,
    );
    const database = new DatabaseSync(join(data, 'directory.db'));
    database.exec(sql);
    database.close();
    const words = ['--data', data, '--threads', '1', '--orders-enabled=false'];
    const server = await serve(context, words);
    const { finding } = await server.logged(/^the list of editions is damaged/);
    const found = await fetch(`${server.origin}/STU3/Organization?_count=1`);
    assert.equal(found.status, 200);
    assert.ok(!Number.isNaN(Date.parse(found.headers.get('last-modified') ?? '')));
    for (const path of ['/editions', '/editions/1', '/editions/2', '/statistics']) {
      const page = await fetch(server.origin + path, { headers: { accept: 'text/html' } });
      assert.ok(page.status < 500, `${path}: ${page.status}`);
    }
    const verified = await runInProcess(['verify', '--data', data]);
    assert.equal(verified.code, 1);
    assert.ok(verified.stdout.includes(`directory.db: ${finding}\n`), verified.stdout);
    await server.stop();
    assert.equal(server.log.filter(({ msg }) => msg.includes('fault')).length, 0);
  });
}
