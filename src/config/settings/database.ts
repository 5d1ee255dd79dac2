/** The settings of a database, which several machines can share. */
import { databaseUrl, file, whole } from '../setting.ts';

export const DATABASE_SETTINGS = {
  'database.url': databaseUrl(
    'The PostgreSQL database of editions, order responses and the audit log',
    {
      unset: 'all data is in the data folder',
      details:
        'Example: `postgres://gazetteer@db1:5432,db2:5432/gazetteer?sslmode=verify-full`. ' +
        'With several hosts, the server uses the one that accepts writes. ' +
        'Give the password in the variable `PGPASSWORD`, in `~/.pgpass` or in ' +
        '`database.passwordFile`: other users of the machine can see a flag.',
    },
  ),
  'database.passwordFile': file('The file with the password of the database user', {
    details: 'The file contains nothing else.',
  }),
  'database.caFile': file(
    'The PEM file of the authorities that may sign the certificate of the database server',
    {
      unset: 'the authorities that Node trusts',
    },
  ),
  'database.poolSize': whole(
    1,
    64,
    4,
    'The number of connections with which a server writes order responses',
    { details: 'A server opens a few more, to search and to read editions.' },
  ),
  'database.failoverSeconds': whole(
    1,
    600,
    10,
    'The longest time that a request for order responses waits for a lost database, in seconds',
    {
      details:
        'After it, the answer is 503 with `Retry-After`. The outcome of a write is then unknown. ' +
        'Choose less than the clients and all proxies wait: for 60 s, choose 50.',
    },
  ),
} as const;
