/** Order responses in SQLite: batches, times, counted refusals, and what a disk can do to them. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { StoredVersion } from '../../../src/fhir/stored/repository.ts';
import { type DataFolder, openDataFolder } from '../../../src/storage/files/data-folder.ts';
import { StorageError } from '../../../src/storage/files/storage-error.ts';
import type { RepositoryResult } from '../../../src/storage/repository/repository-operation.ts';
import { SqliteRepository } from '../../../src/storage/sqlite/repository.ts';
import { openRepositoryDatabase } from '../../../src/storage/sqlite/repository-database.ts';
import { describeAuditSearch } from '../audit-search.contract.ts';
import { describeAuditedChanges, describeChangeFeed } from '../change-feed.contract.ts';
import { describeConditions } from '../condition.contract.ts';
import { describeCountLimits } from '../count-limits.contract.ts';
import {
  describeErasedFeed,
  describeFeedCriteria,
  describeWaitingFeed,
} from '../feed-criteria.contract.ts';
import { describeAuditedRepository, describeRepository, TYPE } from '../repository.contract.ts';
import {
  createOperation,
  entriesOf,
  kindsOf,
  openStore,
  placeInThisThread,
  readOperation,
  refusalFrom,
  temporaryPlace,
  updateOperation,
  verdictOf,
} from '../repository-place.ts';
import { describeAuditedSearch, describeSearch } from '../search.contract.ts';
import { withSteps } from '../steps.ts';
import { describeAuditedTransactions, describeTransactions } from '../transaction.contract.ts';

const PROGRAM = join(import.meta.dirname, 'repository-program.ts');

describeRepository(placeInThisThread);
describeChangeFeed(placeInThisThread);
describeAuditedChanges(placeInThisThread);
describeFeedCriteria(placeInThisThread);
describeWaitingFeed(placeInThisThread);
describeErasedFeed(placeInThisThread);
describeAuditedRepository(placeInThisThread);
describeConditions(placeInThisThread);
describeCountLimits(placeInThisThread);
describeSearch(placeInThisThread);
describeAuditedSearch(placeInThisThread);
describeAuditSearch(placeInThisThread);
describeTransactions(placeInThisThread);
describeAuditedTransactions(placeInThisThread);

describe('order responses in SQLite', () => {
  let place: ReturnType<typeof temporaryPlace>;
  let folder: DataFolder;
  let clock: Date;
  let opened: SqliteRepository[];

  beforeEach(() => {
    place = temporaryPlace();
    folder = openDataFolder(join(place.path, 'data'));
    clock = new Date('2026-11-21T09:30:00.123Z');
    opened = [];
  });
  afterEach(() => {
    for (const store of opened) store.close();
    place.remove();
  });

  const open = (onFault?: (fault: Error) => void) => {
    const store = openStore(folder, { now: () => clock, ...(onFault && { onFault }) });
    opened.push(store);
    return store;
  };
  const close = (store: SqliteRepository) => {
    store.close();
    opened = opened.filter((each) => each !== store);
  };
  const storedOf = (result: RepositoryResult | undefined): StoredVersion => {
    assert.ok(result?.kind === 'create' || result?.kind === 'update');
    assert.ok(result.value.kind === 'stored');
    return result.value.stored;
  };

  it('run a batch in one transaction, where each sees what those before it did', () => {
    const store = open();
    const steps: string[] = [];
    const results = withSteps(
      (name) => steps.push(name),
      () =>
        store.runBatch([
          createOperation('a'),
          updateOperation('a'),
          readOperation('a'),
          ...Array.from({ length: 50 }, (_, at) => createOperation(`more-${at}`)),
        ]),
    );
    assert.equal(steps.filter((step) => step === 'COMMIT').length, 1);
    const [, updated, read] = results;
    assert.equal(storedOf(updated).version, 2);
    assert.deepEqual(read, { kind: 'read', value: storedOf(updated) });
  });

  it('are written at times that never go back, for any clock', () => {
    const store = open();
    store.runBatch([createOperation('a')]);
    clock = new Date('2026-11-21T08:00:00Z');
    const [second] = store.runBatch([updateOperation('a')]);
    assert.equal(storedOf(second).writtenAt, '2026-11-21T09:30:00.123+00:00');
    clock = new Date('2026-11-21T10:00:00Z');
    const [third] = store.runBatch([updateOperation('a')]);
    assert.equal(storedOf(third).writtenAt, '2026-11-21T10:00:00.000+00:00');
    assert.deepEqual(verdictOf(folder).findings, []);
    const request = {
      type: TYPE,
      id: 'a',
      count: 5,
      lengthMax: 1e9,
      sinceMs: Date.parse('2026-11-21T10:00:00Z'),
    };
    const [page] = store.runBatch([
      { kind: 'history', args: [request, { ...clientless, interaction: 'history-instance' }] },
    ]);
    assert.ok(page?.kind === 'history');
    assert.deepEqual([page.value?.total, page.value?.versions.length], [1, 1]);
  });

  it('make a key anew that was never written, where the log is empty', () => {
    close(open());
    truncateSync(folder.auditKey, 0);
    open().runBatch([createOperation('a')]);
    assert.equal(statSync(folder.auditKey).size, 32);
    assert.deepEqual(verdictOf(folder).findings, []);
  });

  it('cannot be changed or removed, not even by SQL', () => {
    open().runBatch([createOperation('a')]);
    const database = new DatabaseSync(folder.ordersDatabase);
    for (const [sql, message] of [
      [`UPDATE resource_version SET text = ''`, /versions are never changed/],
      ['DELETE FROM resource_version', /versions are never removed/],
      [`UPDATE audit_entry SET entry = ''`, /audit entries are never changed/],
      ['DELETE FROM audit_entry', /audit entries are never removed/],
      ['DELETE FROM resource', /resources are never removed/],
      [`UPDATE resource SET id = 'b'`, /resources are never renamed/],
    ] as const) {
      assert.throws(() => database.exec(sql), message);
    }
    database.close();
  });

  it('count accesses without a token by address and minute, in one entry each', () => {
    const store = open();
    store.runBatch([refusalFrom('192.0.2.1'), createOperation('a'), refusalFrom('192.0.2.1')]);
    clock = new Date('2026-11-21T09:30:50Z');
    store.runBatch([refusalFrom('192.0.2.2')]);
    store.recordRefusals();
    assert.equal(entriesOf(folder).length, 1);
    clock = new Date('2026-11-21T09:31:00.200Z');
    store.runBatch([createOperation('b')]);
    close(store);
    const [, first, second, last] = entriesOf(folder);
    assert.deepEqual(first, {
      writer: 1,
      number: 2,
      recordedAt: '2026-11-21T09:31:00.200+00:00',
      outcome: 'unauthenticated',
      address: '192.0.2.1',
      count: 2,
      from: '2026-11-21T09:30:00.123+00:00',
    });
    assert.deepEqual([second?.address, second?.count], ['192.0.2.2', 1]);
    assert.equal(last?.resource, 'b');
    assert.equal(entriesOf(folder).length, 4);
  });

  it('sum up the addresses beyond a thousand, and count to the end', () => {
    const store = open();
    for (let at = 0; at < 1500; at++) store.runBatch([refusalFrom(`2001:db8::${at}`)]);
    close(store);
    const entries = entriesOf(folder);
    assert.equal(entries.length, 1001);
    assert.deepEqual([entries.at(-1)?.address, entries.at(-1)?.count], ['others', 500]);
    assert.deepEqual(verdictOf(folder).findings, []);
  });

  it('bound what senders choose', () => {
    const store = open();
    const access = { ...clientless, identity: { subject: 's'.repeat(100_000) } };
    store.runBatch([{ kind: 'read', args: [{ type: TYPE, id: 'a' }, access] }]);
    assert.equal(entriesOf(folder)[0]?.subject?.length, 257);
  });

  describe('on a full disk', () => {
    it('fail with a reason, store nothing, and go on when there is room again', () => {
      const orders = openRepositoryDatabase(folder);
      const faults: Error[] = [];
      const store = new SqliteRepository(orders, { onFault: (fault) => faults.push(fault) });
      opened.push(store);
      store.runBatch([createOperation('a')]);
      const pages = Number(orders.database.prepare('PRAGMA page_count').get()?.page_count);
      orders.database.exec(`PRAGMA max_page_count = ${pages + 1}`);
      const large = 'x'.repeat(100_000);
      const operations = [readOperation('a'), createOperation('b', undefined, large)];
      for (let time = 0; time < 2; time++) {
        const results = store.runBatch([...operations, refusalFrom('192.0.2.1')]);
        assert.deepEqual(kindsOf(results), ['unavailable', 'unavailable', 'recordRefusal']);
        assert.match(
          results[0]?.kind === 'unavailable' ? results[0].message : '',
          /^There is no space left .* Nothing was stored\. Try again later/,
        );
      }
      assert.match(faults[0]?.message ?? '', /there is no space left/);
      assert.equal(entriesOf(folder).length, 1);
      orders.database.exec('PRAGMA max_page_count = 100000');
      assert.deepEqual(kindsOf(store.runBatch(operations)), ['read', 'create']);
      assert.deepEqual(verdictOf(folder).findings, []);
      assert.equal(entriesOf(folder).length, 3);
    });

    it('or below a file size limit, lose nothing that was answered', {
      skip: process.platform === 'win32' && 'Windows has no ulimit',
    }, () => {
      const command = ['-c', 'ulimit -f 4000; exec "$@"', 'sh', process.execPath, PROGRAM];
      const { stdout, stderr, status } = spawnSync('sh', [...command, folder.path, 'until-full'], {
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
      const { answered } = JSON.parse(stdout);
      assert.ok(answered > 10);
      const verdict = verdictOf(folder);
      assert.deepEqual(verdict.findings, []);
      assert.equal(verdict.versions, answered);
    });
  });

  const failures: readonly [string, number, RegExp][] = [
    ['a full disk', 13, /^There is no space left .* Nothing was stored/],
    ['a write that the disk refuses', 778, /disk .* reports an error\. Nothing was stored\. Try/],
    ['a sync that fails', 1034, /disk .* may or may not be stored\. Check/],
    ['a database that is read-only', 8, /cannot be stored or read now/],
    ['a database that another program holds', 5, /Another program/],
  ];
  for (const [what, errcode, message] of failures) {
    it(`undo the whole batch after ${what}`, () => {
      const store = open();
      store.runBatch([createOperation('a')]);
      const fail = (name: string) => {
        if (name === 'COMMIT') throw Object.assign(new Error('fault'), { errcode });
      };
      const results = withSteps(fail, () =>
        store.runBatch([createOperation('b'), updateOperation('a')]),
      );
      assert.deepEqual(kindsOf(results), ['unavailable', 'unavailable']);
      for (const result of results) {
        assert.match(result.kind === 'unavailable' ? result.message : '', message);
      }
      assert.equal(verdictOf(folder).versions, 1);
      assert.deepEqual(kindsOf(store.runBatch([updateOperation('a')])), ['update']);
      assert.deepEqual(verdictOf(folder).findings, []);
    });
  }

  it('say what the disk says, where it is asked', () => {
    const store = new SqliteRepository(openRepositoryDatabase(folder), {
      explain: () => new StorageError('read-only', 'orders.db: the file system is read-only'),
    });
    opened.push(store);
    const fail = (name: string) => {
      if (name === 'COMMIT') throw Object.assign(new Error('fault'), { errcode: 778 });
    };
    const [result] = withSteps(fail, () => store.runBatch([createOperation('a')]));
    assert.match(
      result?.kind === 'unavailable' ? result.message : '',
      /^The disk that keeps order responses is read-only\. Nothing was stored/,
    );
  });

  it('take in what another process has added to the audit log', () => {
    const store = open();
    store.runBatch([createOperation('a')]);
    const other = open();
    other.runBatch([readOperation('a')]);
    assert.deepEqual(kindsOf(store.runBatch([readOperation('a')])), ['read']);
    assert.deepEqual(kindsOf(other.runBatch([readOperation('a')])), ['read']);
    assert.deepEqual(verdictOf(folder).findings, []);
    assert.equal(entriesOf(folder).length, 4);
  });

  it('go on after a batch that could not even be undone', () => {
    const store = open();
    store.runBatch([createOperation('a')]);
    const fail = (name: string) => {
      if (name === 'COMMIT' || name === 'ROLLBACK')
        throw Object.assign(new Error(), { errcode: 778 });
    };
    const results = withSteps(fail, () => store.runBatch([createOperation('b')]));
    assert.deepEqual(kindsOf(results), ['unavailable']);
    assert.throws(() => withSteps(fail, () => store.runBatch([createOperation('c')])));
    assert.throws(() => withSteps(fail, () => store.runBatch([createOperation('c')])));
    assert.deepEqual(kindsOf(store.runBatch([updateOperation('a')])), ['update']);
    const { findings, versions } = verdictOf(folder);
    assert.deepEqual([findings, versions], [[], 2]);
  });

  describe('when they are opened', () => {
    beforeEach(() => close(openWith(createOperation('a'), createOperation('b'))));
    const openWith = (...operations: Parameters<SqliteRepository['runBatch']>[0]) => {
      const store = open();
      store.runBatch(operations);
      return store;
    };

    it('are for their user alone', () => {
      open();
      for (const path of [folder.ordersDatabase, folder.auditKey, `${folder.ordersDatabase}-wal`]) {
        assert.equal(statSync(path).mode & 0o777, 0o600, path);
      }
    });

    const spoilings: readonly [string, () => void, RegExp][] = [
      [
        'a missing database',
        () => {
          for (const end of ['', '-wal', '-shm'])
            rmSync(folder.ordersDatabase + end, { force: true });
        },
        /orders\.db: missing or empty, though its key, audit\.key, is there/,
      ],
      [
        'a missing key',
        () => rmSync(folder.auditKey),
        /audit\.key: missing or empty, and the audit log/,
      ],
      [
        'an empty key',
        () => truncateSync(folder.auditKey, 0),
        /audit\.key: missing or empty, and the audit log/,
      ],
      [
        'another key',
        () => writeFileSync(folder.auditKey, Buffer.alloc(32)),
        /audit\.key: it is not the key of the audit log/,
      ],
      [
        'half a key',
        () => truncateSync(folder.auditKey, 16),
        /audit\.key: it has 16 bytes instead of 32/,
      ],
      [
        'a newer schema',
        () => {
          const database = new DatabaseSync(folder.ordersDatabase);
          database.exec('PRAGMA user_version = 9');
          database.close();
        },
        /written by a newer version of Gazetteer \(schema 9/,
      ],
      [
        'no database',
        () => writeFileSync(folder.ordersDatabase, 'x'.repeat(4096)),
        /the database is damaged/,
      ],
    ];
    for (const [what, spoil, message] of spoilings) {
      it(`are refused in one line with ${what}`, () => {
        spoil();
        const content = () =>
          existsSync(folder.ordersDatabase) ? readFileSync(folder.ordersDatabase) : undefined;
        const before = content();
        assert.throws(() => open(), { name: 'StorageError', message });
        assert.throws(() => open(), { message: /^[^\n]+$/ });
        assert.deepEqual(content(), before);
      });
    }

    it('are not verified where the file was cut or overwritten', () => {
      const whole = readFileSync(folder.ordersDatabase);
      truncateSync(folder.ordersDatabase, whole.length - 8192);
      assert.throws(() => verdictOf(folder));
      const changed = Buffer.from(whole);
      changed.fill(0x55, 12_288, 16_384);
      writeFileSync(folder.ordersDatabase, changed);
      assert.throws(() => verdictOf(folder));
      writeFileSync(folder.ordersDatabase, whole);
      assert.deepEqual(verdictOf(folder).findings, []);
    });
  });

  it('lose nothing that was answered when the program is killed', async () => {
    for (let round = 0; round < 5; round++) {
      const child = spawn(process.execPath, [PROGRAM, folder.path, 'endless']);
      let output = '';
      let stderr = '';
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      child.stdout.on('data', (chunk) => {
        output += chunk;
        if (output.length > 2000 * (round + 1)) child.kill('SIGKILL');
      });
      const [, signal] = await once(child, 'close');
      assert.equal(signal, 'SIGKILL', stderr);
      const answered = output.split('\n').slice(0, -1);
      assert.ok(answered.length > 0);
      const database = new DatabaseSync(folder.ordersDatabase, { readOnly: true });
      const find = database.prepare('SELECT 1 FROM resource WHERE id = ?');
      const lost = answered.filter((id) => find.get(id) === undefined);
      database.close();
      assert.deepEqual(lost, []);
      assert.deepEqual(verdictOf(folder).findings, []);
    }
  });
});

const clientless = { address: '192.0.2.1', requestId: 'r', interaction: 'read' } as const;
