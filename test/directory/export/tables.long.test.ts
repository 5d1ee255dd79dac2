/** Other programs read the files for analysis: the program sqlite3, DuckDB, pandas and pyarrow. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ColumnType } from '../../../src/interfaces/files/tables/table.ts';
import { TABLES } from '../../../src/interfaces/files/tables/tables.ts';
import { runInProcess } from '../../cli/run-in-process.ts';
import { isInstalled } from '../../documents/terminal.ts';
import { importedSample } from '../../imported-sample.ts';
import { gazetteer, SAMPLE, serve } from '../../journeys/program.ts';
import { ownerOfSuite } from '../../owner.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { ROOT } from '../../tidy/source-files.ts';
import { type ReadTables, readSqlite, unzip } from './read-tables.ts';

const run = promisify(execFile);

const PYTHON = !isInstalled('python3') && 'there is no python3';
const SQLITE = !isInstalled('sqlite3') && 'there is no sqlite3';

/** The types of pyarrow. */
const ARROW_TYPES: Readonly<Record<ColumnType, string>> = {
  string: 'string',
  integer: 'int64',
  number: 'double',
  boolean: 'bool',
  date: 'date32[day]',
  datetime: 'timestamp[ms, tz=UTC]',
};

describe('the files for analysis of the sample', () => {
  const owner = ownerOfSuite();
  let folder = '';
  let database = '';
  let known: ReadTables['tables'];

  before(async () => {
    const data = await importedSample(owner);
    folder = temporaryFolder(owner);
    database = join(folder, 'directory.sqlite');
    for (const [format, path] of [
      ['sqlite', database],
      ['parquet', join(folder, 'directory.zip')],
    ] as const) {
      const words = ['export', '--data', data, '--format', format, '--output', path];
      const { code, stdout, stderr } = await runInProcess(words);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /: wrote 793 organisations of edition 1\.\n$/);
    }
    for (const [name, bytes] of await unzip(readFileSync(join(folder, 'directory.zip')))) {
      writeFileSync(join(folder, name), bytes);
    }
    known = readSqlite(database).tables;
  });

  it('are read by the program sqlite3', { skip: SQLITE }, async () => {
    const sql =
      'PRAGMA integrity_check; PRAGMA foreign_key_check; SELECT count(*) FROM relationship; ' +
      'SELECT count(*) FROM role LEFT JOIN organisation ON code = organisation WHERE code IS NULL;';
    const { stdout } = await run('sqlite3', ['-readonly', database, sql]);
    assert.equal(stdout, `ok\n${known.relationship?.length}\n0\n`);
  });

  it('are read by DuckDB, pandas and pyarrow', { skip: PYTHON }, async (context) => {
    const python = await installedPython(join(folder, 'python'));
    if (typeof python === 'object') return context.skip(python.problem);
    const script = join(ROOT, 'test/directory/export/read_tables.py');
    const { stdout } = await run(python, [script, database, folder]);
    const { counts, joins, types } = JSON.parse(stdout);
    const lengths = Object.fromEntries(TABLES.map(({ name }) => [name, known[name]?.length]));
    assert.deepEqual(counts, { sqlite: lengths, duckdb: lengths, pandas: lengths });
    assert.ok(joins.sqlite.length > 10);
    assert.deepEqual(joins.duckdb, joins.sqlite);
    assert.deepEqual(joins.pandas, joins.sqlite);
    for (const { name, columns } of TABLES) {
      const expected = columns.map((column) => [
        column.name,
        [ARROW_TYPES[column.type], !column.isRequired],
      ]);
      assert.deepEqual(types[name], Object.fromEntries(expected));
    }
  });
});

it('a server makes each file once for its threads, and removes it in time', async (context) => {
  const data = await importedSample(context);
  const tables = join(data, 'tables');
  mkdirSync(tables, { mode: 0o700 });
  writeFileSync(join(tables, '1.sqlite'), 'of a server that died');
  const server = await serve(context, ['--data', data, '--threads', '2']);
  assert.ok(!existsSync(tables));
  for (const [format, ending] of [
    ['sqlite', 'sqlite'],
    ['parquet', 'parquet.zip'],
  ] as const) {
    const file = join(temporaryFolder(context), 'exported');
    const words = ['export', '--data', data, '--format', format, '--output', file];
    assert.equal((await runInProcess(words)).code, 0);
    const exported = readFileSync(file);
    for (let i = 0; i < 8; i++) {
      // A new connection each time, so that both threads answer.
      const headers = { connection: 'close' };
      const answer = await fetch(`${server.origin}/editions/current.${ending}`, { headers });
      assert.equal(answer.status, 200);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), exported);
    }
  }
  const made = server.log.filter(({ msg }) => msg.startsWith('made the file of the edition'));
  assert.equal(made.length, 2);
  assert.deepEqual(readdirSync(tables).sort(), ['1.parquet.zip', '1.sqlite']);
  const imported = await gazetteer(['import', SAMPLE, '--again', '--data', data]);
  assert.equal(imported.code, 0, imported.stderr);
  while (existsSync(tables)) await sleep(50);
  const url = `${server.origin}/editions/current.sqlite`;
  let next = await fetch(url);
  // The threads learn of the new edition a moment later.
  while (next.status === 503) next = await fetch(url);
  assert.equal(next.status, 200);
  assert.deepEqual(readdirSync(tables), ['2.sqlite']);
  assert.equal(await server.stop(), 0);
  assert.ok(!existsSync(tables));
});

/** A Python with the packages of the script, or why there is none. It needs the network. */
async function installedPython(path: string): Promise<string | { readonly problem: string }> {
  mkdirSync(path);
  const python = join(path, 'bin', 'python');
  const install = ['-m', 'pip', 'install', '--quiet', '--only-binary', ':all:'];
  try {
    await run('python3', ['-m', 'venv', path]);
    await run(python, [...install, 'duckdb', 'pandas', 'pyarrow'], { timeout: INSTALL_MS_MAX });
    return python;
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : error;
    return { problem: `DuckDB, pandas and pyarrow cannot be installed: ${reason}` };
  }
}

const INSTALL_MS_MAX = 300_000;
