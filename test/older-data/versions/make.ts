/**
 * Makes the fixtures of versions: `make.ts <folder> [version…]`. The folder gets a checkout
 * of each version that it lacks, with its packages. See `test/fixtures/README.md`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type PostgresServer, startPostgres } from '../../storage/postgres/server.ts';
import { ROOT } from '../../tidy/source-files.ts';
import { dumpOf } from '../dump.ts';
import { olderProgram, writeJson } from '../older-program.ts';
import { fillPlace } from './content.ts';
import { install } from './installed.ts';
import { fixtureOf, PAST_VERSIONS, type PastVersion } from './past-versions.ts';

const [checkouts = '', ...wanted] = process.argv.slice(2);
if (checkouts === '') throw new Error('name a folder for the checkouts');
const chosen = PAST_VERSIONS.filter(
  ({ version }) => wanted.length === 0 || wanted.includes(version),
);
const made = mkdtempSync(join(tmpdir(), 'gazetteer-made-'));
const postgres = await startPostgres();
try {
  for (const version of chosen) {
    const checkout = join(resolve(checkouts), version.version);
    install(version, checkout);
    await makeFolder(version, checkout);
    await makeDatabase(version, checkout, postgres);
  }
} finally {
  await postgres.stop();
  rmSync(made, { recursive: true });
}

async function makeFolder(version: PastVersion, checkout: string): Promise<void> {
  const name = fixtureOf(version, 'folder');
  const folder = join(made, name);
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const program = olderProgram(checkout);
  const words = ['--data', data];
  const content = await fillPlace(program, { folder, words, parts: version.parts });
  program.run('backup', join(folder, 'backup'), ...words);
  writeJson(join(folder, 'expected.json'), content);
  pack(name);
}

async function makeDatabase(
  version: PastVersion,
  checkout: string,
  server: PostgresServer,
): Promise<void> {
  const name = fixtureOf(version, 'database');
  const folder = join(made, name);
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const url = server.url(await server.createDatabase());
  const program = olderProgram(checkout);
  program.run('database', 'migrate', '--database-url', url);
  const words = ['--data', data, '--database-url', url];
  const content = await fillPlace(program, { folder, words, parts: version.parts });
  writeFileSync(join(folder, 'database.sql'), dumpOf(url));
  rmSync(join(data, 'cache'), { recursive: true, force: true });
  writeJson(join(folder, 'expected.json'), content);
  pack(name);
}

function pack(name: string): void {
  const archive = join(ROOT, 'test/fixtures', `${name}.tar.gz`);
  execFileSync('tar', ['-C', made, '-czf', archive, name]);
}
