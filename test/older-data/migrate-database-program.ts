/**
 * A program for tests that die: `migrate-database-program.ts <url> <n>` migrates a database, and
 * kills itself before its statement n.
 */
import pg from 'pg';
import { parseDatabaseUrl } from '../../src/storage/postgres/connection/database-url.ts';
import { migrateDatabase } from '../../src/storage/postgres/schema/schema.ts';

const [url = '', last = ''] = process.argv.slice(2);
let statements = 0;

const { query } = pg.Client.prototype;
pg.Client.prototype.query = new Proxy(query, {
  apply: (target, client, words) => {
    statements += 1;
    if (statements === Number(last)) process.kill(process.pid, 'SIGKILL');
    return Reflect.apply(target, client, words);
  },
});

await migrateDatabase(parseDatabaseUrl(url));
