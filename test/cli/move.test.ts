/** `gazetteer move` carries a data folder to an empty database, and refuses mistakes. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import { importedSample } from '../imported-sample.ts';
import { describePostgres, startPostgres } from '../storage/postgres/server.ts';
import { createOperation, openStore, updateOperation } from '../storage/repository-place.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

it('refuses a place of the same kind', async (context) => {
  const data = temporaryFolder(context);
  const url = 'postgres://db1/gazetteer';
  const cases: readonly (readonly [words: string[], RegExp])[] = [
    [[], /Name an empty database or folder with --to/],
    [['--to', join(data, 'x')], /Name the database with --database-url/],
    [['--database-url', url, '--to', url], /Leave --database-url out/],
  ];
  for (const [words, message] of cases) {
    const { code, stderr } = await runInProcess(['move', '--data', data, ...words]);
    assert.equal(code, 2);
    assert.match(stderr, message);
  }
});

describePostgres('gazetteer move to a database', () => {
  it('carries editions and order responses, and checks the copy', async (context) => {
    const postgres = await startPostgres();
    context.after(() => postgres.stop());
    const data = await importedSample(context);
    const store = openStore(openDataFolder(data));
    store.runBatch([createOperation('a', 'one'), updateOperation('a')]);
    store.close();
    const url = postgres.url(await postgres.createDatabase());
    const move = () => runInProcess(['move', '--data', data, '--to', url]);
    const { code, stdout, stderr } = await move();
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Moved 1 edition\.\nMoved the order responses and their audit log\.\n/);
    assert.match(stdout, /^order responses: 1 order responses, 2 versions\nThe copy is sound\./m);
    assert.match((await move()).stderr, /the database has data already; name an empty one/);
  });
});
