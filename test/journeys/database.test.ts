/** Two servers on one PostgreSQL database, as two machines would be. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, it, type TestContext } from 'node:test';
import {
  describePostgres,
  type PostgresServer,
  startPostgres,
} from '../storage/postgres/server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { gazetteer, SAMPLE, type Server, serve } from './program.ts';

describePostgres('two servers on one database', () => {
  let postgres: PostgresServer;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  /** A database, and machines with data folders of their own that use it. */
  async function installation(context: TestContext) {
    const folder = temporaryFolder(context);
    const url = postgres.url(await postgres.createDatabase());
    const wordsOf = (machine: string) => ['--data', join(folder, machine), '--database-url', url];
    return {
      serve: (machine: string, ...words: string[]) =>
        serve(context, [...wordsOf(machine), '--orders-enabled=false', ...words]),
      run: (machine: string, ...words: string[]) => gazetteer([...words, ...wordsOf(machine)]),
    };
  }

  async function total(server: Server, query = ''): Promise<unknown> {
    const response = await fetch(`${server.origin}/STU3/Organization?_summary=count${query}`);
    const body: { total?: number } = Object(await response.json());
    return response.status === 200 ? body.total : response.status;
  }

  it('serve an edition that a third machine imports', async (context) => {
    const { serve, run } = await installation(context);
    const servers = [await serve('a'), await serve('b')];
    for (const server of servers) assert.equal(await total(server), 503);
    const imported = await run('c', 'import', SAMPLE);
    assert.equal(imported.code, 0, imported.stderr);
    for (const server of servers) {
      const { edition } = await server.logged(/^serving edition$/);
      assert.equal(edition, 1);
      assert.ok(Number(await total(server)) > 0);
    }
    const listed = await run('d', 'editions', '--json');
    assert.equal(JSON.parse(listed.stdout)[0].isCurrent, true);
  });
});
