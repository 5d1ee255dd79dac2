/** The store of editions in PostgreSQL: the contract, and what is its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { openDataFolder } from '../../../src/storage/data-folder.ts';
import { parseDatabaseUrl } from '../../../src/storage/postgres/database-url.ts';
import { openDatabaseEditions } from '../../../src/storage/postgres/editions/database-editions.ts';
import { describeEditionStore, type EditionPlace } from '../edition-store.contract.ts';
import { describePostgres, type PostgresServer, startPostgres } from './server.ts';

describePostgres('the PostgreSQL store of editions', () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  describeEditionStore(async (): Promise<EditionPlace> => {
    const path = mkdtempSync(join(tmpdir(), 'gazetteer-editions-'));
    const address = parseDatabaseUrl(server.url(await server.createDatabase()));
    return {
      open: (now) => openDatabaseEditions({ address, openFolder: () => openDataFolder(path), now }),
      remove: () => rmSync(path, { recursive: true }),
    };
  });
});
