/** Tasks of SQL over a connection to PostgreSQL. */

import { connect } from '../../../src/storage/postgres/connection/connection.ts';
import { parseDatabaseUrl } from '../../../src/storage/postgres/connection/database-url.ts';
import { readerOf } from '../../../src/storage/postgres/tables/session.ts';
import { describeSqlReader } from '../sql-reader.contract.ts';
import { describeOnPostgres } from './database-place.ts';

describeOnPostgres('the SQL of PostgreSQL', (makePlace) => {
  describeSqlReader(async () => {
    const place = await makePlace();
    const connection = await connect(parseDatabaseUrl(place.url), { name: 'test' });
    await connection.begin();
    return {
      reader: readerOf(connection),
      close: async () => {
        await connection.close();
        await place.remove();
      },
    };
  });
});
