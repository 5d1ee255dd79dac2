/** Compares the two stores of order responses of Gazetteer with HAPI FHIR in DSTU2. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from '../figures.ts';
import { SERVER_CORES } from '../machine.ts';
import { makeToken, startProgram } from '../server.ts';
import type { Comparison } from './comparison.ts';
import type { Contestant } from './contestant.ts';
import { startHapi } from './hapi.ts';
import { CONNECTIONS, measureOrders, peerTable } from './measure.ts';
import { fillStore, ORDER_CASES } from './order-cases.ts';

export async function compareOrders(comparison: Comparison): Promise<Table[]> {
  const { options, loaders } = comparison;
  const contestants: Contestant[] = [];
  try {
    contestants.push(await startOwn(comparison, false));
    contestants.push(await startOwn(comparison, true));
    contestants.push(await startPeer(comparison));
    const filled = [];
    for (const contestant of contestants) {
      filled.push({ contestant, stored: await fillStore(contestant, options.orders) });
      const { postgres, database } = contestant;
      if (database !== undefined) await postgres?.run('VACUUM ANALYZE', database);
    }
    const rows = await measureOrders(ORDER_CASES, filled, loaders, options);
    const title = `${CONNECTIONS} connections, ${options.seconds} s of each case`;
    return [peerTable('peers-orders', title, rows)];
  } finally {
    for (const { server } of contestants) await server.stop();
  }
}

/** The store is the data folder, or a PostgreSQL database. */
async function startOwn(
  { postgres, scratch }: Comparison,
  isPostgres: boolean,
): Promise<Contestant> {
  const name = isPostgres ? 'Gazetteer, PostgreSQL' : 'Gazetteer, data folder';
  const data = join(scratch, isPostgres ? 'orders-postgres' : 'orders');
  mkdirSync(data);
  const keyFile = join(scratch, 'audit.key');
  writeFileSync(keyFile, randomBytes(32), { mode: 0o600 });
  const database = isPostgres ? await postgres.createDatabase() : undefined;
  const shared =
    database === undefined
      ? []
      : ['--database-url', postgres.url(database), '--orders-audit-key-file', keyFile];
  const token = makeToken(data);
  const server = await startProgram(
    [
      '--data',
      data,
      '--threads',
      '2',
      '--directory-enabled',
      'false',
      ...shared,
      '--log-requests',
      'false',
    ],
    { core: SERVER_CORES },
  );
  const headers = { Authorization: `Bearer ${token}` };
  const contestant = { name, product: 'gazetteer', server, base: '', headers } as const;
  return database === undefined ? contestant : { ...contestant, postgres, database };
}

async function startPeer({ classPath, postgres, options }: Comparison): Promise<Contestant> {
  const database = await postgres.createDatabase();
  const { heap } = options;
  const { port: databasePort } = postgres;
  const server = await startHapi({ classPath, version: 'dstu2', databasePort, database, heap });
  const contestant = { name: 'HAPI FHIR', product: 'hapi', server, base: '', headers: {} } as const;
  return { ...contestant, postgres, database };
}
