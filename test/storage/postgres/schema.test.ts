/** The schema of a PostgreSQL database: migrations, who may use it, and what nobody may change. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { withConnection } from '../../../src/storage/postgres/connection/connection.ts';
import { parseDatabaseUrl } from '../../../src/storage/postgres/connection/database-url.ts';
import { grantsSql, requireRights } from '../../../src/storage/postgres/schema/grants.ts';
import {
  DATABASE_MIGRATIONS,
  migrateDatabase,
  requireDatabaseSchema,
} from '../../../src/storage/postgres/schema/schema.ts';
import { MOVED_TABLES } from '../../../src/storage/store/store-contents.ts';
import { describePostgres, type PostgresServer, startPostgres } from './server.ts';

const VERSION = DATABASE_MIGRATIONS.length;

const ORDER_OF_WRITING = ['key', 'epoch', 'xid'].map((column) => `resource_version.${column}`);

describePostgres('the schema of a PostgreSQL database', () => {
  let server: PostgresServer;
  let roles = 0;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  const addressOf = (database: string, user?: string) =>
    parseDatabaseUrl(server.url(database, user));
  const use = (database: string, user?: string, migrations = DATABASE_MIGRATIONS) =>
    withConnection(addressOf(database, user), { name: 'test' }, (connection) =>
      requireDatabaseSchema(connection, { migrations }),
    );
  const makeRole = async () => {
    const name = `role_${++roles}`;
    await server.run(`CREATE ROLE ${name} LOGIN`);
    return name;
  };

  it('is made by one of several programs that begin at the same time', async () => {
    const database = await server.createDatabase();
    const migrated = await Promise.all(
      Array.from({ length: 3 }, () => migrateDatabase(addressOf(database))),
    );
    assert.deepEqual(migrated.map(({ from }) => from).sort(), [0, VERSION, VERSION]);
    await use(database);
  });

  it('is made in an empty database by its first user, but not beside other tables', async () => {
    await use(await server.createDatabase());
    const other = await server.createDatabase();
    await server.run('CREATE TABLE invoice (n int)', other);
    await assert.rejects(use(other), /tables of another program, such as invoice; name an empty/);
    const role = await makeRole();
    const empty = await server.createDatabase();
    await assert.rejects(
      use(empty, role),
      /may not create tables; run "gazetteer database migrate"/,
    );
  });

  it('never exists without the note of its search index', async () => {
    const database = await server.createDatabase();
    await use(database);
    const [row] = await withConnection(addressOf(database), { name: 'test' }, (connection) =>
      connection.query(
        `SELECT count(DISTINCT made) AS transactions FROM (
           SELECT xmin::text AS made FROM schema_version
           UNION ALL SELECT xmin::text FROM search_index) AS rows`,
      ),
    );
    assert.equal(Number(row?.transactions), 1);
  });

  it('has no column of a moved table that a move leaves out', async () => {
    const database = await server.createDatabase();
    await migrateDatabase(addressOf(database));
    for (const [table, moved] of Object.entries(MOVED_TABLES)) {
      const columns = await server.run(
        `SELECT column_name FROM information_schema.columns WHERE table_name = '${table}'`,
        database,
      );
      const madeAnew = new Set(['audit_entry.mac', ...ORDER_OF_WRITING]);
      const carried = columns
        .map(({ column_name }) => `${column_name}`)
        .filter((column) => !madeAnew.has(`${table}.${column}`));
      assert.deepEqual(carried.toSorted(), moved.toSorted(), table);
    }
  });

  it('has no part of the first tables if one of them fails', async () => {
    const database = await server.createDatabase();
    const broken = { sql: 'SELECT 1/0', oldestProgram: 1 };
    await assert.rejects(
      migrateDatabase(addressOf(database), [...DATABASE_MIGRATIONS, broken]),
      /division by zero/,
    );
    assert.deepEqual(await server.run(`SELECT to_regclass('schema_version') AS a`, database), [
      { a: null },
    ]);
  });

  it('is used by the program before while its migration allows that', async () => {
    const database = await server.createDatabase();
    await migrateDatabase(addressOf(database));
    const wider = { sql: 'CREATE TABLE wider (n int)', oldestProgram: VERSION };
    const next = [...DATABASE_MIGRATIONS, wider];
    await assert.rejects(use(database, undefined, next), /run "gazetteer database migrate"/);
    assert.deepEqual(await migrateDatabase(addressOf(database), next), {
      from: VERSION,
      to: VERSION + 1,
    });
    await use(database);
    const narrower = { sql: 'DROP TABLE wider', oldestProgram: VERSION + 2 };
    await migrateDatabase(addressOf(database), [...next, narrower]);
    await assert.rejects(use(database), /written by a newer version of Gazetteer/);
    await assert.rejects(migrateDatabase(addressOf(database)), /written by a newer version/);
  });

  it('is used by the programs of schema 8, beside which servers can run, and by no older ones', async () => {
    const database = await server.createDatabase();
    await migrateDatabase(addressOf(database));
    await use(database, undefined, DATABASE_MIGRATIONS.slice(0, 8));
    for (let schema = 1; schema < 8; schema++) {
      const older = use(database, undefined, DATABASE_MIGRATIONS.slice(0, schema));
      await assert.rejects(older, /written by a newer version of Gazetteer/, `schema ${schema}`);
    }
  });

  it('stays as it was where a migration fails', async () => {
    const database = await server.createDatabase();
    await migrateDatabase(addressOf(database));
    const broken = { sql: 'CREATE TABLE a (n int); SELECT 1/0', oldestProgram: 1 };
    await assert.rejects(
      migrateDatabase(addressOf(database), [...DATABASE_MIGRATIONS, broken]),
      /division by zero/,
    );
    await use(database);
    assert.deepEqual(await server.run(`SELECT to_regclass('a') AS a`, database), [{ a: null }]);
  });

  it('is used by roles with the rights that "database grants" prints, and no others', async () => {
    const database = await server.createDatabase();
    await migrateDatabase(addressOf(database));
    const [serve, erase] = [await makeRole(), await makeRole()];
    const need = (user: string, role: 'serve' | 'erase') =>
      withConnection(addressOf(database, user), { name: 'test' }, (connection) =>
        requireRights(connection, role),
      );
    await assert.rejects(need(serve, 'serve'), /lacks the rights SELECT on schema_version, /);
    await server.run(grantsSql({ serve, erase }), database);
    await use(database, serve);
    await need(serve, 'serve');
    await need(erase, 'erase');
    await assert.rejects(
      need(serve, 'erase'),
      /lacks the rights UPDATE on resource_version, INSERT on erasure, INSERT on version_erasure, DELETE on audit_parameters; connect as the role that erases/,
    );
    await server.run(`REVOKE INSERT ON audit_entry FROM ${serve}`, database);
    await assert.rejects(
      need(serve, 'serve'),
      /the user role_\d lacks the rights INSERT on audit_entry/,
    );
  });

  it('refuses changes of what was written, also for its owner', async () => {
    const database = await server.createDatabase();
    await migrateDatabase(addressOf(database));
    await server.run(
      `INSERT INTO resource (resource_type, id, current_version) VALUES ('A', 'a', 1);
       INSERT INTO resource_version (resource, version, written_at, method, audit_writer,
         audit_number, epoch, text) VALUES (1, 1, '', 'POST', 1, 1, 1, 'x')`,
      database,
    );
    for (const [sql, message] of [
      [`UPDATE resource_version SET text = ''`, /versions are never changed/],
      ['DELETE FROM resource_version', /versions are never removed/],
      ['TRUNCATE resource_version CASCADE', /versions are never removed/],
      [`UPDATE audit_entry SET entry = ''`, /audit entries are never changed/],
      ['DELETE FROM audit_entry', /audit entries are never changed/],
      ['DELETE FROM audit_writer', /writers of the audit log are never changed/],
      ['DELETE FROM resource', /resources are never removed/],
      [`UPDATE resource SET id = 'b'`, /resources are never renamed/],
      ['DELETE FROM erasure', /erasures are never changed/],
      ['DELETE FROM version_erasure', /erasures are never changed/],
    ] as const) {
      await assert.rejects(server.run(sql, database), message);
    }
  });
});
