/**
 * Flips single bits in the files of a data folder: verify finds every flip that changes content.
 */
import assert from 'node:assert/strict';
import { closeSync, globSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { type Random, randomFor } from '../../scripts/release/random.ts';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import { StorageError } from '../../src/storage/files/storage-error.ts';
import { verifyEditions } from '../../src/storage/sqlite/editions/verify-editions.ts';
import { openRepositorySnapshot } from '../../src/storage/sqlite/repository-database.ts';
import { verifyRepository } from '../../src/storage/sqlite/verify-repository.ts';
import { gazetteer, SAMPLE, serve } from '../journeys/program.ts';
import { tokenFor } from '../journeys/token.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from './until.ts';
import { createWriteLoad } from './write-load.ts';

const FLIPS = Number(process.env.FAULTS_FLIPS ?? 60);
const WRITES = 60;

/** Not every byte of a database is content: some are free, or in a page that is not used. */
const DATABASES = ['directory.db', 'orders.db'];

it('verify finds every flipped bit that changes content', async (context) => {
  const data = await filledFolder(context);
  assert.deepEqual(findings(data), []);
  let flips = 0;
  for (const name of [...DATABASES, 'audit.key', 'editions/*/*']) {
    await context.test(name, () => {
      const paths = globSync(name, { cwd: data }).map((path) => join(data, path));
      const isDatabase = DATABASES.includes(name);
      const missed: string[] = [];
      for (let number = 0; number < FLIPS; number++) {
        const path = paths[randomFor(2, number).below(paths.length)] ?? '';
        const before = isDatabase ? contentOf(path) : '';
        const { text, undo } = flip(path, randomFor(3, number));
        const isChanged = !isDatabase || contentOf(path) !== before;
        if (isChanged) flips += 1;
        if (isChanged && findings(data).length === 0) missed.push(text);
        undo();
      }
      assert.deepEqual(missed, []);
    });
  }
  context.diagnostic(`figures: ${flips} flipped bits that change content`);
});

/** With order responses, versions, and two editions. */
async function filledFolder(context: TestContext): Promise<string> {
  const data = join(temporaryFolder(context), 'data');
  const load = createWriteLoad(await tokenFor(data));
  const server = await serve(context, ['--data', data, '--threads', '1']);
  const stop = load.start(server.origin, 4);
  await until('writes', () => load.acknowledged >= WRITES);
  await stop();
  await server.stop();
  for (let edition = 0; edition < 2; edition++) {
    const { code, stderr } = await gazetteer([
      'import',
      SAMPLE,
      '--again',
      '--data',
      data,
      '--quiet',
    ]);
    assert.equal(code, 0, stderr);
  }
  return data;
}

/** What verify says; a database that cannot be read is a finding too. */
function findings(data: string): string[] {
  const folder = openDataFolder(data);
  try {
    const orders = openRepositorySnapshot(folder);
    try {
      const ofEditions = [...verifyEditions(folder)].flatMap((part) => part.findings);
      return [...verifyRepository(orders).findings, ...ofEditions];
    } finally {
      orders.database.close();
    }
  } catch (error) {
    if (error instanceof StorageError || (error instanceof Error && 'errcode' in error)) {
      return [error.message];
    }
    throw error;
  }
}

function flip(path: string, random: Random) {
  const at = random.below(statSync(path).size);
  const bit = random.below(8);
  const change = () => {
    const file = openSync(path, 'r+');
    const byte = new Uint8Array(1);
    readSync(file, byte, 0, 1, at);
    byte[0]! ^= 1 << bit;
    writeSync(file, byte, 0, 1, at);
    closeSync(file);
  };
  change();
  return { text: `bit ${bit} of byte ${at} of ${path}`, undo: change };
}

/** Without what SQLite keeps for itself, such as the last number it gave out. */
const SELECT_PARTS = `
  SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY name`;

/** Without the form of the search index: a server that finds another form fills the index again. */
const COLUMNS: ReadonlyMap<string, string> = new Map([['search_index', 'indexed_to']]);

/** Tables, rows and schema; where it cannot be read, why. */
function contentOf(path: string): string {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(`file:${path}?mode=ro&immutable=1`, { readOnly: true });
    const parts = database.prepare(SELECT_PARTS).all();
    const tables = parts.filter(({ type }) => type === 'table');
    const rows = tables.map(({ name }) => {
      const columns = COLUMNS.get(String(name)) ?? '*';
      return database?.prepare(`SELECT ${columns} FROM "${name}"`).all();
    });
    return JSON.stringify([parts, rows], (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
    );
  } catch (error) {
    return String(error);
  } finally {
    database?.close();
  }
}
