/** Many order responses move to a database in little memory. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import {
  describePostgres,
  type PostgresServer,
  startPostgres,
} from '../storage/postgres/server.ts';
import { createOperation, openStore } from '../storage/repository-place.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { gazetteer } from './program.ts';

const RESOURCES = 20_000;
const IN_BATCH = 500;

/** All rows together need more memory than the command may use. */
const NOTE = 'Zoë '.repeat(250);
const HEAP_MIB = 56;

describePostgres('gazetteer move', () => {
  let postgres: PostgresServer;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  it(`carries ${RESOURCES} order responses in little memory`, async (context) => {
    const data = temporaryFolder(context);
    fill(data);
    const url = postgres.url(await postgres.createDatabase());
    const { code, stdout, stderr } = await gazetteer(['move', '--data', data, '--to', url], {
      environment: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` },
    });
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`: ${RESOURCES} order responses, ${RESOURCES} versions$`, 'm'));
  });
});

function fill(path: string): void {
  const store = openStore(openDataFolder(path));
  for (let first = 0; first < RESOURCES; first += IN_BATCH) {
    const operations = Array.from({ length: IN_BATCH }, (_, at) =>
      createOperation(`r-${first + at}`, `number-${first + at}`, NOTE),
    );
    store.runBatch(operations);
  }
  store.close();
}
