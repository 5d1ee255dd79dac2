/** URLs of databases: what they may say, and which ones are refused. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import {
  hostText,
  parseDatabaseUrl,
} from '../../../src/storage/postgres/connection/database-url.ts';

describe('the URL of a database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-database-url-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('names hosts, user, password, database and parameters', () => {
    const address = parseDatabaseUrl(
      'postgres://gaz:p%40ss@db1:5433,db2,[::1]:5434/orders?sslmode=require&target_session_attrs=any&connect_timeout=2',
    );
    assert.deepEqual(address.hosts.map(hostText), ['db1:5433', 'db2:5432', '[::1]:5434']);
    const { hosts: _, ...rest } = address;
    assert.deepEqual(rest, {
      user: 'gaz',
      password: 'p@ss',
      database: 'orders',
      sslMode: 'require',
      mustAcceptWrites: false,
      connectTimeoutMs: 2000,
    });
  });

  it('has safe defaults', () => {
    const address = parseDatabaseUrl('postgresql://db1');
    const { username } = userInfo();
    assert.deepEqual([address.user, address.database], [username, username]);
    assert.equal(address.sslMode, 'verify-full');
    assert.equal(address.mustAcceptWrites, true);
    for (const local of ['localhost', '127.0.0.1:5555', '%2Frun%2Fpostgresql', '[::1]']) {
      assert.equal(parseDatabaseUrl(`postgres://${local}/a`).sslMode, 'disable', local);
    }
    assert.equal(parseDatabaseUrl('postgres://localhost,db2/a').sslMode, 'verify-full');
  });

  it('can leave the password to a file', () => {
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, 'secret word\n');
    const address = parseDatabaseUrl('postgres://gaz@db/orders', { passwordFile });
    assert.equal(address.password, 'secret word');
    const own = parseDatabaseUrl('postgres://gaz:own@db/orders', { passwordFile });
    assert.equal(own.password, 'own');
    assert.throws(
      () => parseDatabaseUrl('postgres://gaz@db/a', { passwordFile: join(folder, 'none') }),
      /none: /,
    );
  });

  const refused: readonly (readonly [string, RegExp])[] = [
    ['http://db/a', /must have the form postgres:/],
    ['postgres://a:SECRET@b@db/a', /must have the form/],
    ['postgres:///a', /names no host/],
    ['postgres://db:0/a', /the port 0/],
    ['postgres://db:99999/a', /the port 99999/],
    ['postgres://db:x/a', /a host that is not HOST or HOST:PORT/],
    ['postgres://u:SECRET/a', /a host that is not HOST or HOST:PORT/],
    ['postgres://u:a@SECRET/SECRET@db/a', /must have the form/],
    ['postgres://u:a@SECRET?SECRET@db/a', /must have the form/],
    ['postgres://u:SECRET%@db/a', /% in the password without/],
    ['postgres://u:SECRET@db/a?sslmode=prefer', /sslmode "prefer". Use disable, require/],
    ['postgres://u:SECRET@db/a?sslcert=x', /unknown parameter sslcert. Use only sslmode/],
    ['postgres://db/a?target_session_attrs=standby', /Use read-write or any/],
    ['postgres://db/a?connect_timeout=0', /Use 1 to 999 seconds/],
  ];
  for (const [url, message] of refused) {
    it(`is refused as ${url}, without its password`, () => {
      assert.throws(
        () => parseDatabaseUrl(url),
        (error: Error) => {
          assert.match(error.message, message);
          assert.doesNotMatch(error.message, /SECRET/);
          return true;
        },
      );
    });
  }
});
