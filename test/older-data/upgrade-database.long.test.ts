/** An upgrade of a PostgreSQL database: everything is served as before, also after a crash in it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it, type TestContext } from 'node:test';
import { DATABASE_MIGRATIONS } from '../../src/storage/postgres/schema/schema.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { serve } from '../journeys/program.ts';
import { tokenFor } from '../journeys/token.ts';
import {
  describePostgres,
  type PostgresServer,
  startPostgres,
} from '../storage/postgres/server.ts';
import { BASE_URL, recordAnswers, recordDirectory } from './record-answers.ts';
import { headOf, type Unpacked, unpack } from './unpack.ts';

const PROGRAM = join(import.meta.dirname, 'migrate-database-program.ts');

for (const schema of [3, 4, 8])
  describePostgres(`a database of schema ${schema}`, () => describeUpgrade(schema));

function describeUpgrade(schema: number): void {
  let postgres: PostgresServer;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  interface Restored extends Unpacked {
    readonly url: string;
    readonly database: string;
    readonly place: readonly string[];
  }

  async function restored(context: TestContext): Promise<Restored> {
    const unpacked = unpack(context, `database-schema-${schema}`);
    const database = await postgres.createDatabase();
    await postgres.run(readFileSync(join(unpacked.path, 'database.sql'), 'utf8'), database);
    const url = postgres.url(database);
    return { ...unpacked, url, database, place: ['--data', unpacked.data, '--database-url', url] };
  }

  async function run(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await runInProcess(words);
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  }

  /** Demands that nothing is lost, and that the audit log continues. */
  async function requireWhole({ path, place, expected }: Restored): Promise<void> {
    const verified = await run('verify', ...place, '--head', headOf(expected.verified));
    const counts = /^order responses: sound, .*$/m;
    assert.equal(counts.exec(verified)?.[0], counts.exec(expected.verified)?.[0]);
    const audit = readFileSync(join(path, 'audit.ndjson'), 'utf8');
    assert.ok((await run('audit', ...place)).startsWith(audit));
  }

  const TO = DATABASE_MIGRATIONS.length;

  it('is not used before its migration, which the message names', async (context) => {
    const { place } = await restored(context);
    const serving = ['serve', '--port', '0', '--metrics-port', '0', '--log-format', 'text'];
    for (const words of [serving, ['verify']]) {
      const { code, stdout, stderr } = await runInProcess([...words, ...place]);
      assert.equal(code, 1);
      assert.match(
        stdout + stderr,
        new RegExp(`has version ${schema}, .* run "gazetteer database migrate"`),
      );
    }
  });

  it('is migrated once, and served as before', async (context) => {
    const unpacked = await restored(context);
    const { url, place, data, expected } = unpacked;
    const migrate = ['database', 'migrate', '--database-url', url];
    assert.equal(
      await run(...migrate),
      `The database now has schema ${TO}. Before, it had schema ${schema}.\n`,
    );
    assert.equal(await run(...migrate), `The database already has schema ${TO}.\n`);
    for (const _start of ['first', 'second']) {
      const server = await serve(context, [...place, '--threads', '1', '--base-url', BASE_URL]);
      const token = await tokenFor(data, '--database-url', url);
      const answers = await recordAnswers(server.origin, token, expected.resources);
      assert.deepEqual(answers, expected.answers);
      assert.deepEqual(await recordDirectory(server.origin), expected.directory);
      assert.equal(await server.stop(), 0);
    }
    await requireWhole(unpacked);
  });

  it('whose migration is killed before any of its statements is migrated anew', async (context) => {
    const unpacked = await restored(context);
    const { url, database } = unpacked;
    for (let statement = 1; ; statement++) {
      const { status, signal, stderr } = spawnSync(process.execPath, [
        '--disable-warning=ExperimentalWarning',
        PROGRAM,
        url,
        String(statement),
      ]);
      if (status === 0) {
        assert.ok(statement > 8, `${statement} statements`);
        break;
      }
      assert.equal(signal, 'SIGKILL', String(stderr));
      const [row] = await postgres.run(
        'SELECT max(version) AS version FROM schema_version',
        database,
      );
      if (row?.version === TO) {
        assert.ok(statement > 5, `${statement} statements before the commit`);
      } else {
        // Each migration is a transaction.
        assert.ok(Number(row?.version) >= schema, `${row?.version}`);
      }
    }
    await requireWhole(unpacked);
  });

  it('of a newer version is refused, with what to do', async (context) => {
    const { place, url, database } = await restored(context);
    await postgres.run('INSERT INTO schema_version VALUES (99, 99, now())', database);
    for (const words of [
      ['serve', '--port', '0', '--metrics-port', '0', ...place],
      ['verify', ...place],
      ['database', 'migrate', '--database-url', url],
    ]) {
      const { code, stdout, stderr } = await runInProcess(words);
      assert.equal(code, 1);
      assert.match(
        stdout + stderr,
        /written by a newer version of Gazetteer \(schema 99, this one knows \d+\); use that version, or restore a backup from before the upgrade into another database/,
      );
    }
  });
}
