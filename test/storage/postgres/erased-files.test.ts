/** After an erasure, the commands of the page remove the content from the files of a database. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import pg from 'pg';
import { ROOT } from '../../tidy/source-files.ts';
import { ACCESS, createOrder, identifierOf, TYPE, updateOrder } from '../repository.contract.ts';
import { searchFor } from '../store-place.ts';
import { createPlaces } from './database-place.ts';
import { describePostgres, type PostgresServer, startPostgres } from './server.ts';

const PAGE = readFileSync(join(ROOT, 'docs/how-to/erase-order-responses.md'), 'utf8');
const NUMBER = '9434765919';

/** Too long for one row, and not compressible: PostgreSQL keeps it in a table of its own. */
const NOTE = Array.from({ length: 3000 }, (_, at) => `note ${at * 7919} of the patient`).join();

describePostgres('the files of a database', () => {
  let server: PostgresServer;
  const places = createPlaces(() => server);
  before(async () => {
    server = await startPostgres();
  });
  after(async () => {
    places.close();
    await server.stop();
  });

  it('have no erased content after the commands of the page', async (context) => {
    const place = await places.make();
    context.after(() => place.remove());
    const { store, commands, database } = place;
    // Few, because PostgreSQL compresses large rows of its statistics.
    for (let at = 0; at < 3; at++) await createOrder(store, `other-${at}`, [identifierOf(`${at}`)]);
    await createOrder(store, 'patient', [identifierOf(NUMBER)]);
    await updateOrder(store, 'patient', { entries: [identifierOf(NUMBER)], note: NOTE });
    await searchFor(store, `identifier=${NUMBER}`, { id: 'patient' });
    const access = { ...ACCESS, interaction: 'delete' } as const;
    await store.delete({ type: TYPE, id: 'patient', preconditions: {} }, access);
    // Autovacuum does this: the statistics then have the values of columns.
    await server.run('ANALYZE', database);
    await server.run('CHECKPOINT', database);
    assert.ok((await filesWith(NUMBER)).length > 0, 'the test finds the content while it is there');
    await commands.eraseContent({ id: 'patient' }, 'asked');
    await server.run('CHECKPOINT', database);
    assert.ok((await filesWith(NUMBER)).length > 0, 'the erasure alone leaves old rows');
    await server.run(
      `CREATE ROLE page_owner LOGIN; ALTER DATABASE ${database} OWNER TO page_owner`,
    );
    const owner = new pg.Client(server.url(database, 'page_owner'));
    await owner.connect();
    for (const statement of vacuumOfPage()) await owner.query(statement);
    await owner.end();
    await server.run('CHECKPOINT', database);
    assert.deepEqual(await filesWith(NUMBER), []);
    assert.deepEqual(await filesWith(NOTE.slice(-200, -100)), []);
    assert.deepEqual(await place.findings(), []);

    /** The files of the tables. The write-ahead log is recycled later, as the page says. */
    async function filesWith(text: string): Promise<readonly string[]> {
      const [row] = await server.run(
        'SELECT oid FROM pg_database WHERE datname = current_database()',
        database,
      );
      const folder = join(server.folder, 'base', String(row?.oid));
      return readdirSync(folder).filter((name) => {
        const path = join(folder, name);
        return statSync(path).isFile() && readFileSync(path).includes(text);
      });
    }
  });
});

/** The statements that the page tells the owner to run. */
function vacuumOfPage(): readonly string[] {
  const statements = PAGE.match(/^VACUUM [^;]+;/gm) ?? [];
  assert.ok(statements.length > 0, 'the page has the statements');
  return statements;
}
