/** All data of a folder moves to a database, and back to another folder. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it, type TestContext } from 'node:test';
import { runInProcess } from '../cli/run-in-process.ts';
import { importedSample } from '../imported-sample.ts';
import {
  describePostgres,
  type PostgresServer,
  startPostgres,
} from '../storage/postgres/server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { resourceWith } from './orders-load.ts';
import { SAMPLE, serve } from './program.ts';
import { tokenFor } from './token.ts';

describePostgres('gazetteer move', () => {
  let postgres: PostgresServer;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  async function run(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await runInProcess(words);
    assert.equal(code, 0, stderr);
    return stdout;
  }

  /** Two editions; order responses of which one has an erased version, one is erased, one held. */
  async function usedFolder(context: TestContext): Promise<string> {
    const data = await importedSample(context);
    await run('import', SAMPLE, '--include-archive', '--data', data, '--editions-keep', '1');
    const server = await serve(context, ['--data', data, '--threads', '1']);
    const headers = {
      Authorization: `Bearer ${await tokenFor(data)}`,
      'Content-Type': 'application/json+fhir',
    };
    const paths: string[] = [];
    for (const mark of ['one', 'two', 'three']) {
      const body = JSON.stringify(resourceWith(mark));
      const answer = await fetch(`${server.origin}/OrderResponse`, {
        method: 'POST',
        headers,
        body,
      });
      assert.equal(answer.status, 201, await answer.text());
      const location = new URL(answer.headers.get('location') ?? '').pathname;
      paths.push(location.replace(/\/_history.*/, ''));
    }
    const [first = '', second = '', third = ''] = paths.map((path) => path.slice(1));
    const id = first.split('/')[1];
    const body = JSON.stringify({ ...resourceWith('changed'), id });
    const updated = await fetch(`${server.origin}/${first}`, { method: 'PUT', headers, body });
    assert.equal(updated.status, 200, await updated.text());
    await fetch(`${server.origin}/OrderResponse?_count=1`, { headers });
    assert.equal(await server.stop(), 0);
    const superseded = ['--version', '1', '--reason', 'another patient'];
    await run('orders', 'erase', first, ...superseded, '--data', data);
    await run('orders', 'erase', second, '--reason', 'a test', '--data', data);
    await run('orders', 'hold', third, '--reason', 'a test', '--data', data);
    return data;
  }

  /** What people can see of a store. */
  async function contentsOf(...place: string[]) {
    const audit = (await run('audit', ...place)).trim().split('\n');
    return {
      editions: JSON.parse(await run('editions', '--json', ...place)),
      organizations: await run('export', '--format', 'ndjson', ...place),
      versions: await run('orders', 'export', ...place),
      holds: await run('orders', 'holds', ...place),
      // Commands that read are accesses themselves.
      audit: audit.map((line) => JSON.parse(line).event).slice(0, AUDITED),
    };
  }

  /** Accesses before the first export. */
  const AUDITED = 8;

  it('carries everything to a database and back, and checks it', async (context) => {
    const data = await usedFolder(context);
    const url = postgres.url(await postgres.createDatabase());
    const before = await contentsOf('--data', data);
    assert.match(await run('move', '--data', data, '--to', url), /The copy is sound\./);
    const inDatabase = ['--database-url', url, '--data', data];
    assert.deepEqual(await contentsOf(...inDatabase), before);
    assert.match(
      await run('verify', ...inDatabase),
      /^order responses: sound, 3 order responses, 4/m,
    );

    const again = await runInProcess(['move', '--data', data, '--to', url]);
    assert.match(again.stderr, /the database has data already; name an empty one/);

    const back = join(temporaryFolder(context), 'back');
    await run('move', ...inDatabase, '--to', back);
    assert.deepEqual(await contentsOf('--data', back), before);
    assert.match(await run('verify', '--data', back), /^orders\.db: sound, 3 order responses, 4/m);
  });

  it('takes the settings of the database that it moves to', async (context) => {
    const data = await importedSample(context);
    const url = postgres.url(await postgres.createDatabase());
    const certificate = join(data, 'authorities.pem');
    writeFileSync(certificate, '');
    const words = ['move', '--data', data, '--to', url];
    assert.match(await run(...words, '--database-ca-file', certificate), /The copy is sound\./);
  });

  it('refuses a place of the same kind, and one in use', async (context) => {
    const data = temporaryFolder(context);
    const url = postgres.url(await postgres.createDatabase());
    const cases: readonly (readonly [words: string[], RegExp])[] = [
      [['--data', data], /Name an empty database or folder with --to/],
      [['--data', data, '--to', join(data, 'x')], /Name the database with --database-url/],
      [['--database-url', url, '--to', url], /Leave --database-url out/],
    ];
    for (const [words, message] of cases) {
      const { code, stderr } = await runInProcess(['move', ...words]);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
  });
});
