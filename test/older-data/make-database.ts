/**
 * Makes a dump of a PostgreSQL database for `test/fixtures` with the program of a checkout:
 * `make-database.ts <checkout> <new folder>`. See `test/fixtures/README.md`.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { organisation, releaseXml } from '../sources/release-file/release-fixture.ts';
import { type PostgresServer, startPostgres } from '../storage/postgres/server.ts';
import { dumpOf } from './dump.ts';
import {
  olderProgram,
  SYSTEM,
  send,
  sendRefused,
  writeJson,
  writeResources,
} from './older-program.ts';
import { recordAnswers, recordDirectory } from './record-answers.ts';

const [checkout = '', target = ''] = process.argv.slice(2).map((path) => resolve(path));
const { run, serve } = olderProgram(checkout);
const postgres = await startPostgres();
try {
  mkdirSync(target);
  await makeDatabase(postgres, target);
} finally {
  await postgres.stop();
}

/** An edition, order responses with a deleted and an erased one, refused accesses and a search. */
async function makeDatabase(server: PostgresServer, folder: string): Promise<void> {
  const data = join(folder, 'data');
  const database = await server.createDatabase();
  const place = ['--data', data, '--database-url', server.url(database)];
  run('database', 'migrate', '--database-url', server.url(database));
  const release = join(folder, 'release.xml');
  const codes = ['A1', 'B2', 'C3'];
  const names = codes.map((code) => organisation(`<Name>${code} Ward Ø</Name>`, { code }));
  writeFileSync(release, releaseXml(names));
  run('import', release, ...place, '--quiet');
  rmSync(release);
  const token = run('token', '--data', data, '--make-folder').trim();
  const reader = run('token', '--data', data, '--scope', 'system/OrderResponse.read').trim();
  const { origin, stop } = await serve(...place, '--orders-allow-delete');
  const resources = await writeResources(origin, token, [1, 2, 3, 1, 2]);
  const [deleted = '', erased = '', , refused = ''] = Object.keys(resources);
  await send('DELETE', `${origin}/OrderResponse/${deleted}`, token);
  resources[deleted] = 2;
  await sendRefused(origin, token, reader, refused);
  const search = `identifier=${encodeURIComponent(`${SYSTEM}|shared`)}&_count=2`;
  await send('GET', `${origin}/OrderResponse?${search}`, token);
  run('orders', 'erase', `OrderResponse/${erased}`, '--reason', 'asked for', ...place);
  const answers = await recordAnswers(origin, token, resources);
  const directory = await recordDirectory(origin);
  await stop('SIGTERM');
  run('audit', ...place, '--output', join(folder, 'audit.ndjson'));
  const verified = run('verify', ...place);
  writeFileSync(join(folder, 'database.sql'), dumpOf(server.url(database)));
  rmSync(join(data, 'cache'), { recursive: true, force: true });
  writeJson(join(folder, 'expected.json'), { resources, verified, answers, directory });
}
