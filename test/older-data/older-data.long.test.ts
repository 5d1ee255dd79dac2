/** Data folders of earlier versions of the program: they are read, migrated and written. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { acquireLock } from '../../src/storage/files/lock.ts';
import { REPOSITORY_MIGRATIONS } from '../../src/storage/sqlite/repository-database.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { resourceWith } from '../journeys/orders-load.ts';
import { serve } from '../journeys/program.ts';
import { tokenFor } from '../journeys/token.ts';
import { BASE_URL, recordAnswers } from './record-answers.ts';
import { headOf, type Unpacked, unpack } from './unpack.ts';

async function run(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(words);
  assert.equal(code, 0, stdout + stderr);
  return stdout;
}

function schemaOf(data: string): number {
  const database = new DatabaseSync(join(data, 'orders.db'), { readOnly: true });
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  database.close();
  return version;
}

/** Serves the folder, compares every answer, updates each order response, and stops the server. */
async function serveAndUpdate(context: TestContext, { data, expected }: Unpacked): Promise<void> {
  const token = await tokenFor(data);
  const words = ['--data', data, '--threads', '1', '--base-url', BASE_URL];
  const { origin, stop } = await serve(context, words);
  const answers = await recordAnswers(origin, token, expected.resources);
  assert.equal(answers.length, expected.answers.length);
  answers.forEach((answer, at) => {
    assert.deepEqual(answer, expected.answers[at]);
  });
  for (const [id, versions] of Object.entries(expected.resources)) {
    const { status, headers } = await fetch(`${origin}/OrderResponse/${id}`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json+fhir',
        'if-match': `W/"${versions}"`,
      },
      body: JSON.stringify({ ...resourceWith('updated'), id }),
    });
    assert.deepEqual([status, headers.get('etag')], [200, `W/"${versions + 1}"`]);
  }
  assert.equal(await stop(), 0);
}

for (const name of ['schema-1', 'schema-1-killed']) {
  describe(`the data folder ${name}`, () => {
    it('is verified and exported before the migration, and not changed by it', async (context) => {
      const { data, expected } = unpack(context, name);
      assert.equal(await run('verify', '--data', data), expected.verified);
      await run('verify', '--data', data, '--head', headOf(expected.verified));
      await run('audit', '--data', data);
      assert.equal(schemaOf(data), 1);
    });

    it('is served as before, and continues', async (context) => {
      const unpacked = unpack(context, name);
      const { data, expected } = unpacked;
      await serveAndUpdate(context, unpacked);
      assert.equal(schemaOf(data), REPOSITORY_MIGRATIONS.length);
      const resources = Object.keys(expected.resources).length;
      const versions = Object.values(expected.resources).reduce((sum, each) => sum + each, 0);
      const verified = await run('verify', '--data', data, '--head', headOf(expected.verified));
      assert.match(
        verified,
        new RegExp(
          `^orders\\.db: sound, ${resources} order responses, ${versions + resources} versions$`,
          'm',
        ),
      );
    });

    it('is backed up and restored before the migration and after it', async (context) => {
      const unpacked = unpack(context, name);
      const { data, path, expected } = unpacked;
      const restore = async (file: string, versions: number) => {
        const other = join(path, `of-${file}`);
        const backup = join(path, file);
        await run('backup', backup, '--data', data);
        const restored = await run('restore', backup, '--data', other);
        assert.match(restored, new RegExp(` ${versions} versions`));
        await run('verify', '--data', other, '--head', headOf(expected.verified));
        return other;
      };
      const versions = Object.values(expected.resources).reduce((sum, each) => sum + each, 0);
      const other = await restore('before', versions);
      await serveAndUpdate(context, { ...unpacked, data: other });
      await serveAndUpdate(context, unpacked);
      await restore('after', versions + Object.keys(expected.resources).length);
    });
  });
}

describe('the files that an earlier version wrote', () => {
  it('are what exports of the migrated folder begin with', async (context) => {
    const unpacked = unpack(context, 'schema-1');
    const { data, path } = unpacked;
    const written = (name: string) => readFileSync(join(path, name), 'utf8');
    assert.equal(await run('orders', 'export', '--data', data), written('versions.ndjson'));
    await serveAndUpdate(context, unpacked);
    const versions = await run('orders', 'export', '--data', data);
    assert.ok(versions.startsWith(written('versions.ndjson')));
    const audit = await run('audit', '--data', data);
    assert.ok(audit.startsWith(written('audit.ndjson')));
  });

  it('are restored where they are a backup', async (context) => {
    const unpacked = unpack(context, 'schema-1');
    const { path } = unpacked;
    const data = join(path, 'restored');
    const restored = await run('restore', join(path, 'backup.db'), '--data', data);
    assert.match(restored, /^Restored 12 order responses with 30 versions\.$/m);
    await serveAndUpdate(context, { ...unpacked, data });
    await run('verify', '--data', data);
  });
});

it('a command that writes does not migrate beneath a server', async (context) => {
  const { data, path } = unpack(context, 'schema-1');
  const lock = acquireLock(data, 'serve');
  for (const words of [
    ['backup', join(path, 'new.db')],
    ['orders', 'export'],
  ]) {
    const { code, stderr } = await runInProcess([...words, '--data', data]);
    assert.equal(code, 1);
    assert.match(stderr, /^gazetteer: .*orders\.db: .*restart it with this version[^\n]*\n$/);
  }
  lock.release();
  assert.equal(schemaOf(data), 1);
});

it('a data folder of a newer version is refused with what to do', async (context) => {
  const { data, path } = unpack(context, 'schema-1');
  const database = new DatabaseSync(join(data, 'orders.db'));
  database.exec('PRAGMA user_version = 99');
  database.close();
  for (const words of [
    ['serve', '--port', '0', '--metrics-port', '0', '--log-format', 'text'],
    ['backup', join(path, 'new.db')],
    ['orders', 'export'],
  ]) {
    const { code, stderr } = await runInProcess([...words, '--data', data]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^gazetteer: .*orders\.db: written by a newer version of Gazetteer \(schema 99, [^\n]*; use that version, or another data folder\n$/,
    );
  }
  assert.equal(schemaOf(data), 99);
});
