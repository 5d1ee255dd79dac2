/** The model of followers with many sequences, in a data folder and in a database. */
import { after, before, it } from 'node:test';
import { parseDatabaseUrl } from '../../src/storage/postgres/connection/database-url.ts';
import { migrateDatabase } from '../../src/storage/postgres/schema/schema.ts';
import {
  describePostgres,
  type PostgresServer,
  startPostgres,
} from '../storage/postgres/server.ts';
import { openDatabasePlaces, openFolderPlace, withArraysInMemory } from './followed-places.ts';
import { checkFollowers } from './run-model.ts';

it('every follower ends with the content of a data folder, in 300 sequences', async () => {
  await checkFollowers(withArraysInMemory(openFolderPlace), 300);
});

it('every follower ends with the content of the files of a data folder, in 40 sequences', async () => {
  await checkFollowers(openFolderPlace, 40);
});

describePostgres('followers of a database', () => {
  let server: PostgresServer;
  let template: string;
  before(async () => {
    server = await startPostgres();
    template = await server.createDatabase();
    await migrateDatabase(parseDatabaseUrl(server.url(template)));
  });
  after(() => server.stop());

  it('every follower ends with the content of the database, in 60 sequences', async () => {
    await checkFollowers(withArraysInMemory(openDatabasePlaces(server, template)), 60);
  });

  it('every follower ends with the content of the chunks of a database, in 10 sequences', async () => {
    await checkFollowers(openDatabasePlaces(server, template), 10);
  });
});
