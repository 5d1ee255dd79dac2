/** The databases of all earlier versions: migrated, verified, served, written and rolled back. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it, type TestContext } from 'node:test';
import { DATABASE_MIGRATIONS } from '../../../src/storage/postgres/schema/schema.ts';
import { runInProcess } from '../../cli/run-in-process.ts';
import {
  describePostgres,
  type PostgresServer,
  startPostgres,
} from '../../storage/postgres/server.ts';
import { unpackFiles } from '../unpack.ts';
import type { VersionContent } from './content.ts';
import { fixtureOf, PAST_VERSIONS, type PastVersion } from './past-versions.ts';
import { requireUsable, requireVerified, run, type Upgraded } from './upgraded.ts';

const PROGRAM = join(import.meta.dirname, '../migrate-database-program.ts');
const NEWEST = DATABASE_MIGRATIONS.length;

for (const version of PAST_VERSIONS)
  describePostgres(`a database of version ${version.version}`, () => describeVersion(version));

function describeVersion(version: PastVersion): void {
  const { databaseSchema } = version;
  let postgres: PostgresServer;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  interface Restored extends Upgraded {
    readonly url: string;
    readonly database: string;
  }

  async function restored(context: TestContext, template?: Restored): Promise<Restored> {
    const unpacked =
      template ?? unpackFiles<VersionContent>(context, fixtureOf(version, 'database'));
    const { path, data } = unpacked;
    const content = 'content' in unpacked ? unpacked.content : unpacked.expected;
    const database = await postgres.createDatabase(template?.database);
    if (template === undefined) {
      await postgres.run(readFileSync(join(path, 'database.sql'), 'utf8'), database);
    }
    const url = postgres.url(database);
    return { path, data, content, url, database, words: ['--data', data, '--database-url', url] };
  }

  it('is migrated, served as before, written and rolled back, and is verified then', async (context) => {
    const upgraded = await restored(context);
    assert.equal(
      await run('database', 'migrate', '--database-url', upgraded.url),
      databaseSchema === NEWEST
        ? `The database already has schema ${NEWEST}.\n`
        : `The database now has schema ${NEWEST}. Before, it had schema ${databaseSchema}.\n`,
    );
    await requireVerified(upgraded);
    await requireUsable(context, upgraded);
  });

  it('whose migration is killed before any of its statements is migrated anew', async (context) => {
    const original = await restored(context);
    let last: Restored | undefined;
    for (let statement = 1; ; statement += 1) {
      const upgraded = await restored(context, original);
      const { status, signal, stderr } = spawnSync(process.execPath, [
        '--disable-warning=ExperimentalWarning',
        PROGRAM,
        upgraded.url,
        String(statement),
      ]);
      if (status === 0) {
        assert.ok(statement > 3, `${statement} statements`);
        break;
      }
      assert.equal(signal, 'SIGKILL', String(stderr));
      await run('database', 'migrate', '--database-url', upgraded.url);
      await requireVerified(upgraded);
      last = upgraded;
    }
    assert.ok(last);
    await requireUsable(context, last);
  });

  if (databaseSchema === NEWEST) return;
  it('is not used before its migration, which the message names', async (context) => {
    const { words } = await restored(context);
    const { code, stdout, stderr } = await runInProcess(['verify', ...words]);
    assert.equal(code, 1);
    assert.match(stdout + stderr, /run "gazetteer database migrate"/);
  });
}
