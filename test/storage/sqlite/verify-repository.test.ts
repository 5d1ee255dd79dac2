/** The audit log's chain: every kind of tampering shows. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type DataFolder, openDataFolder } from '../../../src/storage/files/data-folder.ts';
import { headText, parseHead } from '../../../src/storage/repository/audit-chain.ts';
import { EDITION_MIGRATIONS } from '../../../src/storage/sqlite/editions/edition-catalogue.ts';
import { createFileStore } from '../../../src/storage/sqlite/file-store.ts';
import { REPOSITORY_MIGRATIONS } from '../../../src/storage/sqlite/repository-database.ts';
import {
  createOperation,
  openStore,
  readOperation,
  tamperWith,
  temporaryPlace,
  updateOperation,
  verdictOf,
} from '../repository-place.ts';

const keyOf = (id: string) => `(SELECT key FROM resource WHERE id = '${id}')`;

describe('verifying order responses', () => {
  let place: ReturnType<typeof temporaryPlace>;
  let folder: DataFolder;

  beforeEach(() => {
    place = temporaryPlace();
    folder = openDataFolder(join(place.path, 'data'));
    const store = openStore(folder);
    store.runBatch([createOperation('a', 'one'), createOperation('b', 'two')]); // entries 1, 2
    store.runBatch([updateOperation('a', 'one'), readOperation('a')]); // 3, 4
    store.runBatch([readOperation('b'), updateOperation('b', 'three')]); // 5, 6
    store.close();
  });
  afterEach(() => place.remove());

  const tamper = (sql: string) => tamperWith(folder, sql);

  it('finds nothing where nothing was done', () => {
    const verdict = verdictOf(folder);
    assert.deepEqual(verdict.findings, []);
    assert.equal(verdict.orderResponses, 2);
    assert.equal(verdict.versions, 4);
    assert.equal(verdict.head.number, 6);
    const again = parseHead(headText(verdict.head));
    assert.deepEqual(verdictOf(folder, again).findings, []);
  });

  it('finds what is no part of the schema, and what was taken from it', () => {
    const database = new DatabaseSync(folder.ordersDatabase);
    const [trigger] = database
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`)
      .all();
    database.exec(`DROP TRIGGER ${trigger?.name}`);
    database.exec(
      'CREATE TRIGGER zz AFTER INSERT ON audit_entry BEGIN DELETE FROM search_entry; END',
    );
    database.close();
    assert.deepEqual(verdictOf(folder).findings, [
      `the trigger ${trigger?.name} of the schema was changed or removed`,
      'the trigger zz is not part of the schema',
    ]);
  });

  const cases: readonly [string, string, RegExp][] = [
    [
      'a changed text',
      `UPDATE resource_version SET text = replace(text, 'one', 'eno') WHERE version = 1`,
      /the text of version 1 of a was changed/,
    ],
    [
      'a changed time of writing',
      `UPDATE resource_version SET written_at = '2020-01-01T00:00:00.000+00:00'
       WHERE resource = ${keyOf('b')} AND version = 2`,
      /the date of version 2 of b was changed/,
    ],
    [
      'a changed method',
      `UPDATE resource_version SET method = 'PUT' WHERE resource = ${keyOf('a')} AND version = 1`,
      /version 1 of a differs from audit entry 1/,
    ],
    [
      'a removed version',
      'DELETE FROM resource_version WHERE audit_number = 2',
      /version 1 of b is missing, but audit entry 2 records it/,
    ],
    [
      'an added version',
      `INSERT INTO resource_version
       SELECT 9, resource, 3, written_at, method, 1, 4, text
       FROM resource_version WHERE audit_number = 3;
       UPDATE resource SET current_version = 3 WHERE id = 'a'`,
      /version 3 of a differs from audit entry 4/,
    ],
    [
      'a version without an entry',
      `INSERT INTO resource_version
       SELECT 9, resource, 3, written_at, method, 1, 9, text
       FROM resource_version WHERE audit_number = 3`,
      /version 3 of a has no audit entry/,
    ],
    [
      'another current version',
      `UPDATE resource SET current_version = 1 WHERE id = 'a'`,
      /a has 2 versions up to 2, and its current version is recorded as 1/,
    ],
    [
      'an order response that is not listed',
      `DELETE FROM resource WHERE id = 'a'`,
      /the resource with key 1 has 2 versions up to 2, and its current version is recorded as none/,
    ],
    [
      'a removed search entry',
      `DELETE FROM search_entry WHERE resource = ${keyOf('a')}`,
      /the search entries of a are not those of its current version/,
    ],
    [
      'a changed search entry',
      `UPDATE search_entry SET detail = 'x' WHERE resource = ${keyOf('a')}`,
      /the search entries of a are not those of its current version/,
    ],
    [
      'changed parameters of a search',
      `INSERT INTO audit_parameters VALUES (1, 4, '', x'00', 'code=x')`,
      /the parameters of audit entry 4 were changed/,
    ],
    [
      'versions that changed places in the feed',
      `UPDATE resource_version SET written_at = '2020-01-01T00:00:00.000+00:00' WHERE key = 1;
       UPDATE resource_version SET key = 99 WHERE key = 1;
       UPDATE resource_version SET key = 1 WHERE key = 4;
       UPDATE resource_version SET key = 4 WHERE key = 99`,
      /the order of version 1 of a was changed/,
    ],
    [
      'a note of a set-back clock that nobody set back',
      'INSERT INTO set_back_version VALUES (1)',
      /the order of version 1 of a was changed/,
    ],
    [
      'search entries removed from an index that a server would fill only in part',
      `DELETE FROM search_entry; UPDATE search_index SET indexed_to = 1`,
      /the search entries of a are not those of its current version/,
    ],
    [
      'a stray search entry',
      `INSERT INTO search_entry VALUES (1, 'v', 99, 's')`,
      /a search entry names 99, which does not exist/,
    ],
    [
      'a changed entry',
      `UPDATE audit_entry SET entry = replace(entry, 'dr-1', 'dr-2') WHERE number = 4`,
      /audit entry 4 or the one before it was changed, removed or moved/,
    ],
    [
      'a changed time of an entry',
      `UPDATE audit_entry SET recorded_at = '2020-01-01T00:00:00.000+00:00' WHERE number = 5`,
      /audit entry 5 or the one before it/,
    ],
    [
      'a changed code of an entry',
      `UPDATE audit_entry SET mac = zeroblob(32) WHERE number = 5`,
      /audit entry 5 or the one before it/,
    ],
    ['a removed entry', 'DELETE FROM audit_entry WHERE number = 4', /audit entry 4 is missing/],
    [
      'a removed entry whose number was closed up',
      `DELETE FROM audit_entry WHERE number = 4;
       UPDATE audit_entry SET number = 4 WHERE number = 5;
       UPDATE audit_entry SET number = 5 WHERE number = 6;
       UPDATE resource_version SET audit_number = 5 WHERE audit_number = 6`,
      /audit entry 4 or the one before it/,
    ],
    [
      'entries that changed places',
      `UPDATE audit_entry SET number = 99 WHERE number = 4;
       UPDATE audit_entry SET number = 4 WHERE number = 5;
       UPDATE audit_entry SET number = 5 WHERE number = 99`,
      /audit entry 4 or the one before it/,
    ],
    [
      'an entry at the beginning that is gone',
      `DELETE FROM audit_entry WHERE number = 1`,
      /audit entry 1 is missing/,
    ],
    [
      'a changed type',
      `UPDATE resource SET resource_type = 'Order' WHERE id = 'a'`,
      /version 1 of a differs from audit entry 1/,
    ],
    [
      'a chain that was given to another writer',
      `UPDATE audit_entry SET writer = 2`,
      /audit entry 6 of writer 2 is of another writer/,
    ],
    [
      'an entry that cannot be read',
      `UPDATE audit_entry SET entry = 'null' WHERE number = 5`,
      /audit entry 5 cannot be read/,
    ],
    [
      'an entry made up at the end',
      `INSERT INTO audit_entry SELECT 1, 7, recorded_at, entry, mac FROM audit_entry WHERE number = 5`,
      /audit entry 7 or the one before it/,
    ],
  ];
  for (const [what, sql, finding] of cases) {
    it(`finds ${what}`, () => {
      tamper(sql);
      const { findings } = verdictOf(folder);
      assert.ok(
        findings.some((each) => finding.test(each)),
        findings.join('\n'),
      );
    });
  }

  for (const [file, own] of [
    ['ordersDatabase', REPOSITORY_MIGRATIONS.length],
    ['directoryDatabase', EDITION_MIGRATIONS.length],
  ] as const) {
    it(`reports another number of the schema of ${file}`, async () => {
      const store = createFileStore(folder.path);
      (await store.openEditions()).close();
      for (let version = 0; version <= own + 1; version++) {
        const database = new DatabaseSync(folder[file]);
        database.exec(`PRAGMA user_version = ${version}`);
        database.close();
        const parts = await Array.fromAsync(store.verify({}));
        const findings = parts.flatMap((part) => part.findings);
        assert.equal(findings.length > 0, version !== own, `${version}: ${findings.join()}`);
      }
    });
  }

  it('reports bytes where a text belongs', async () => {
    const store = createFileStore(folder.path);
    (await store.openEditions()).close();
    tamper('UPDATE search_entry SET value = CAST(value AS BLOB)');
    const parts = await Array.fromAsync(store.verify({}));
    assert.equal(parts.flatMap(({ findings }) => findings).length, 1);
  });

  it('finds an end that was cut off if it gets an earlier head', () => {
    const { head } = verdictOf(folder);
    tamper(`DELETE FROM resource_version WHERE audit_number = 6;
      DELETE FROM audit_entry WHERE number >= 5;
      UPDATE resource SET current_version = 1 WHERE id = 'b';
      UPDATE search_index SET form = 'not filled';
      UPDATE audit_index SET indexed_to = 0`);
    assert.deepEqual(verdictOf(folder).findings, []);
    assert.deepEqual(verdictOf(folder, head).findings, [
      'the audit log ends with entry 4, and had 6: its end was cut off',
    ]);
    const store = openStore(folder);
    store.runBatch(Array.from({ length: 5 }, () => readOperation('a')));
    store.close();
    assert.deepEqual(verdictOf(folder, head).findings, [
      'audit entry 6 is not the one that --head names',
    ]);
  });

  it('continues after a head that is older', () => {
    const { head } = verdictOf(folder);
    const store = openStore(folder);
    store.runBatch([readOperation('a')]);
    store.close();
    assert.deepEqual(verdictOf(folder, head).findings, []);
  });

  it('lists a hundred findings and counts the rest', () => {
    const store = openStore(folder);
    store.runBatch(Array.from({ length: 150 }, (_, at) => createOperation(`c${at}`)));
    store.close();
    tamper(`UPDATE resource_version SET text = '{}'`);
    const { findings, findingsTotal } = verdictOf(folder);
    assert.equal(findings.length, 100);
    assert.equal(findingsTotal, 154 + 2); // the two with identifiers lack them too
  });
});
