/** An upgrade of a data folder: everything is served as before, once and for good. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { decodeJwt } from 'jose';
import { openOwnKey } from '../../src/auth/own-key.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { type Server, serve } from '../journeys/program.ts';
import { tokenFor } from '../journeys/token.ts';
import { BASE_URL, recordAnswers, recordDirectory, recordSearch } from './record-answers.ts';
import { headOf, type Unpacked, unpack } from './unpack.ts';

async function run(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(words);
  assert.equal(code, 0, stdout + stderr);
  return stdout;
}

function start(context: TestContext, data: string): Promise<Server> {
  return serve(context, ['--data', data, '--threads', '1', '--base-url', BASE_URL]);
}

/** Demands that the server answers as the version that made the data did. */
async function requireSameAnswers({ origin }: Server, { data, expected }: Unpacked): Promise<void> {
  const token = await tokenFor(data);
  const answers = await recordAnswers(origin, token, expected.resources);
  assert.deepEqual(answers, expected.answers);
  if (expected.directory !== undefined) {
    assert.deepEqual(await recordDirectory(origin), expected.directory);
  }
  if (expected.search !== undefined) {
    assert.deepEqual(await recordSearch(origin, token, expected.search.path), expected.search);
  }
}

const MIGRATES = /^migrating orders\.db/;

for (const name of ['0.1.0', 'schema-5', 'schema-6']) {
  describe(`a data folder of ${name}`, () => {
    it('is verified as it is', async (context) => {
      const { data, expected } = unpack(context, name);
      const head = headOf(expected.verified);
      assert.equal(await run('verify', '--data', data, '--head', head), expected.verified);
    });

    it('is served as before, also after a second start, which does not migrate', async (context) => {
      const unpacked = unpack(context, name);
      const { data, path, expected } = unpacked;
      keepSearches(data);
      const first = await start(context, data);
      await requireSameAnswers(first, unpacked);
      assert.equal(await first.stop(), 0);
      assert.ok(first.log.some(({ msg }) => MIGRATES.test(msg)));

      const second = await start(context, data);
      await requireSameAnswers(second, unpacked);
      assert.equal(await second.stop(), 0);
      assert.equal(
        second.log.some(({ msg }) => MIGRATES.test(msg)),
        false,
      );

      const verified = await run('verify', '--data', data, '--head', headOf(expected.verified));
      const counts = /^orders\.db: sound, .*$/m;
      assert.equal(counts.exec(verified)?.[0], counts.exec(expected.verified)?.[0]);
      const audit = readFileSync(join(path, 'audit.ndjson'), 'utf8');
      assert.ok((await run('audit', '--data', data)).startsWith(audit));
    });

    it('keeps the key of its tokens', async (context) => {
      const { data, expected } = unpack(context, name);
      const refuse = () => assert.fail('a new key');
      const { issuer } = openOwnKey(join(data, 'token-key.json'), refuse);
      assert.equal(decodeJwt(expected.token ?? '').iss, issuer);
    });
  });
}

/** The links of searches expire, and the data is older than that. */
function keepSearches(data: string): void {
  const database = new DatabaseSync(join(data, 'orders.db'));
  const tables = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'kept_search'");
  if (tables.get() !== undefined) {
    database.prepare('UPDATE kept_search SET expires_at = ?').run(Date.now() + 3_600_000);
  }
  database.close();
}
