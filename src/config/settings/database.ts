/** The settings of a database, which several machines can share. */
import { databaseUrl, file, whole } from './setting.ts';

export const DATABASE_SETTINGS = {
  'database.url': databaseUrl(
    'The PostgreSQL database of editions, order responses and the audit log',
    'all data is in the data folder',
  ),
  'database.passwordFile': file('The file with the password of the database user'),
  'database.caFile': file(
    'The PEM file of the authorities that may sign the certificate of the database server',
    'the authorities that Node trusts',
  ),
  'database.poolSize': whole(
    { min: 1, max: 64, default: 4 },
    'The number of connections with which a server writes order responses',
  ),
  'database.failoverSeconds': whole(
    { min: 1, max: 600, default: 10 },
    'The longest time that a request for order responses waits for a lost database, in seconds',
  ),
} as const;
