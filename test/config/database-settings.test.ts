/** The settings of a database: which go together, and that no password is shown. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/load-config.ts';
import { withoutPassword } from '../../src/config/settings/addresses.ts';
import { runInProcess } from '../cli/run-in-process.ts';

const URL = 'postgres://user:secret@db1:5432,db2/gazetteer?sslmode=verify-full';

describe('the settings of a database', () => {
  const sound: readonly Record<string, string>[] = [
    { 'database.url': URL },
    { 'database.url': 'postgresql:///gazetteer?host=/run/postgresql' },
    { 'database.url': URL, 'database.passwordFile': 'p', 'database.caFile': 'c' },
    { 'database.url': URL, 'orders.auditKeyFile': 'k' },
  ];
  for (const flags of sound) {
    it(`may be ${JSON.stringify(flags)}`, () => {
      assert.ok(loadConfig({ flags, environment: {} }));
    });
  }

  const refused: readonly (readonly [flags: Record<string, string>, problem: RegExp])[] = [
    [{ 'database.passwordFile': 'p' }, /^database\.passwordFile is set, but database\.url is not/],
    [{ 'database.caFile': 'c' }, /^database\.caFile is set, but database\.url is not/],
    [{ 'orders.auditKeyFile': 'k' }, /^orders\.auditKeyFile is set, but database\.url is not/],
    [{ 'database.url': URL, 'database.poolSize': '0' }, /must be a whole number from 1 to 64/],
  ];
  for (const [flags, message] of refused) {
    it(`may not be ${JSON.stringify(flags)}`, () => {
      assert.throws(() => loadConfig({ flags, environment: {} }), { name: 'ConfigError', message });
    });
  }

  it('are refused without showing a URL that is not valid', () => {
    for (const value of ['mysql://user:secret@h/d', 'postgres://user:sec ret@h/d', 'secret']) {
      assert.throws(() => loadConfig({ flags: { 'database.url': value }, environment: {} }), {
        message: '--database-url must be a URL that begins with postgres://.',
      });
    }
  });

  it('are printed without the password', async () => {
    const words = ['serve', '--print-config', '--database-url', URL];
    const { stdout } = await runInProcess(words, {});
    assert.match(
      stdout,
      /^database\.url +--database-url +"postgres:\/\/user@db1:5432,db2\/gazetteer"$/m,
    );
    assert.doesNotMatch(stdout, /secret/);
  });
});

describe('a shown URL', () => {
  const cases: readonly (readonly [url: string, shown: string])[] = [
    ['postgres://h/d', 'postgres://h/d'],
    ['postgres://u@h1:1,h2:2/d', 'postgres://u@h1:1,h2:2/d'],
    ['postgres://u:p@h/d', 'postgres://u@h/d'],
    ['postgres://u:p@q/r?s@h/d', 'postgres://u@h/d'],
    ['postgres://u:p/d', 'postgres://u'],
    ['postgres://h:1,h2/d', 'postgres://h:1,h2/d'],
    ['postgres://[::1]:1/d', 'postgres://[::1]:1/d'],
    ['postgres:///d?user=u&password=p', 'postgres:///d'],
  ];
  for (const [url, shown] of cases) {
    it(`of ${url} is ${shown}`, () => assert.equal(withoutPassword(url), shown));
  }
});
